'use strict';

const { sourcesOf } = require('./textSources');
const { callsDue } = require('./toolCalls');

// Sound as speech models give it: samples without a header, which no player plays.

const PCM = 'audio/L16;codec=pcm;rate=24000';
const RATE = 24_000;
const SECONDS = 0.5;
const TONE_HZ = 440;
const LOUDNESS = 8_000;

/** A tone, 16 bits a sample, lowest byte first. */
function tone() {
	const samples = Buffer.alloc(2 * RATE * SECONDS);
	for (let at = 0; at < samples.length; at += 2) {
		const phase = (2 * Math.PI * TONE_HZ * (at / 2)) / RATE;
		samples.writeInt16LE(Math.round(LOUDNESS * Math.sin(phase)), at);
	}
	return samples;
}

/** One part for each piece; a piece may end inside a sample. */
function audioParts({ audio }, pieces) {
	if (!audio) return [];
	const bytes = tone();
	const size = Math.ceil(bytes.length / pieces);
	return Array.from({ length: pieces }, (_, index) => ({
		inlineData: {
			mimeType: audio === true ? PCM : audio,
			data: bytes.subarray(index * size, (index + 1) * size).toString('base64'),
		},
	}));
}

// Tokens, counted plausibly and the same every time.

const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_ATTACHMENT = 258;

const tokensIn = (text) => Math.ceil(Array.from(text).length / CHARACTERS_PER_TOKEN);

/** Tokens of the prompt and of what has been said so far. */
function usage({ promptText, attachments }, { text, thought }) {
	const prompt = tokensIn(promptText) + attachments.length * TOKENS_PER_ATTACHMENT;
	const candidates = tokensIn(text);
	const thoughts = tokensIn(thought);
	return {
		promptTokenCount: prompt,
		candidatesTokenCount: candidates,
		totalTokenCount: prompt + candidates + thoughts,
		...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
		promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
	};
}

/** A value that fits a schema, the native protocol's (types in capitals) or plain JSON Schema. */
function sample(schema, place) {
	const { name = '', number = '', asked } = place;
	const inside = (part, more) => sample(part ?? {}, { ...place, ...more });
	const { items, properties = {}, minimum, maximum = Infinity } = schema;
	if (schema.enum) return schema.enum[0];
	const type = [schema.type].flat()[0] ?? (schema.properties ? 'object' : items ? 'array' : '');
	switch (String(type).toLowerCase()) {
		case 'object':
			return Object.fromEntries(
				Object.entries(properties).map(([key, part]) => [key, inside(part, { name: key })]),
			);
		case 'array': {
			const length = Math.max(schema.minItems ?? 0, Math.min(3, schema.maxItems ?? 3));
			return Array.from({ length }, (_, index) => inside(items, { number: index + 1 }));
		}
		case 'number':
		case 'integer':
			return minimum ?? Math.min(1, maximum);
		case 'boolean':
			return true;
		default: {
			const label = `${name} ${number}`.trim();
			return (label ? `${asked} (${label})` : asked).slice(0, schema.maxLength);
		}
	}
}

/** A value that fits a schema, the same every time; `asked` fills its texts. */
const sampleOf = (schema, asked) => sample(schema, { asked });

// What a text model would say. The answer tells what arrived, so that a person or a test sees that
// the prompt, the instruction, the earlier turns and the pictures got through.

const LONGEST_QUOTE = 300;
const PIXEL =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

function quote(text) {
	const signs = Array.from(text);
	return signs.length > LONGEST_QUOTE ? `${signs.slice(0, LONGEST_QUOTE).join('')}...` : text;
}

function sayBack({ asked, system, turns, attachments }) {
	return [
		`You asked: "${quote(asked)}".`,
		turns > 1 ? `This is turn ${turns} of our conversation.` : '',
		system ? `I was told: "${quote(system)}".` : '',
		attachments.length > 0 ? `Attached: ${attachments.join(', ')}.` : '',
		'The sandbox answers instead of a real model.',
	]
		.filter(Boolean)
		.join(' ');
}

function fullText(asked) {
	const { mimeType, schema } = asked.config;
	if (asked.plan.says !== undefined) return asked.plan.says;
	const short = quote(asked.asked);
	if (mimeType === 'application/json') {
		return JSON.stringify(schema ? sampleOf(schema, short) : { answer: sayBack(asked) });
	}
	return sayBack(asked);
}

/** The text as far as the request lets it run, and why it ended. */
function limitedText(asked) {
	const { maxOutputTokens = Infinity, stopSequences } = asked.config;
	const text = fullText(asked);
	const stops = stopSequences.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
	const stopped = stops.length > 0 ? text.slice(0, Math.min(...stops)) : text;
	if (tokensIn(stopped) <= maxOutputTokens) return { text: stopped, finishReason: 'STOP' };
	const kept = Array.from(stopped).slice(0, maxOutputTokens * CHARACTERS_PER_TOKEN);
	return { text: kept.join(''), finishReason: 'MAX_TOKENS' };
}

const thoughtOf = ({ thoughts }) => {
	if (!thoughts) return '';
	return typeof thoughts === 'string' ? thoughts : 'I think about what was asked.';
};

/** The pieces of which an answer is made: parts, reason, and what they are counted by. */
function compose(asked) {
	const { plan } = asked;
	const calls = callsDue(asked);
	// A model that calls tools says nothing else here.
	const { text, finishReason } =
		calls.length > 0 ? { text: '', finishReason: 'STOP' } : limitedText(asked);
	const thought = thoughtOf(plan);
	// Image models answer with one where the request allows it.
	const draws = /image/.test(asked.model) && asked.config.responseModalities?.includes('IMAGE');
	const image = { inlineData: { mimeType: 'image/png', data: PIXEL } };
	return {
		text,
		thought,
		before: thought ? [{ text: thought, thought: true }] : [],
		after: [...calls, ...(plan.image || draws ? [image] : [])],
		finishReason: plan.finishReason ?? finishReason,
		count: plan.candidates ?? asked.config.candidateCount ?? 1,
		sources: sourcesOf(plan),
	};
}

/** One response with these parts for each of its candidates. */
function response(asked, { parts, finishReason, count, said, sources }) {
	const content = asked.plan.noParts ? { role: 'model' } : { parts, role: 'model' };
	const candidates = Array.from({ length: count }, (_, index) => ({
		content,
		...(finishReason && { finishReason }),
		...sources,
		index,
	}));
	return {
		candidates,
		usageMetadata: usage(asked, said),
		modelVersion: asked.model,
		responseId: 'sandbox-response',
	};
}

/** A prompt that was blocked has a reason and no candidates. */
function blocked(asked) {
	const { blocked: reason = true } = asked.plan;
	return {
		promptFeedback: { blockReason: reason === true ? 'PROHIBITED_CONTENT' : reason },
		usageMetadata: usage(asked, { text: '', thought: '' }),
		modelVersion: asked.model,
	};
}

/** The whole answer as one response. */
function wholeAnswer(asked) {
	if (asked.plan.blocked) return blocked(asked);
	const { text, thought, before, after, finishReason, count, sources } = compose(asked);
	const parts = [...before, { text }, ...audioParts(asked.plan, 1), ...after];
	const said = { text, thought };
	return response(asked, { parts, finishReason, count, said, sources });
}

module.exports = { audioParts, tone, wholeAnswer, blocked, compose, response, sampleOf };
