'use strict';

const { sourcesOf, together } = require('./textSources');
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
function usage({ plan, promptText, attachments }, { text, thought }) {
	if (plan.nullUsage) {
		return { promptTokenCount: null, candidatesTokenCount: 0, totalTokenCount: null };
	}
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

// A value that fits a response schema: the native protocol's (types in capitals, `nullable`) or
// plain JSON Schema. The same schema always gives the same value.

const DEEPEST = 12;
const FORMATS = {
	'date-time': '2026-01-01T12:00:00Z',
	date: '2026-01-01',
	time: '12:00:00',
	duration: 'PT8S',
};

const typeOf = ({ type, properties, items }) => {
	const first = Array.isArray(type) ? type.find((name) => name !== 'null') : type;
	return String(first ?? (properties ? 'object' : items ? 'array' : 'string')).toLowerCase();
};

function sampleText({ format, minLength = 0, maxLength }, { name, number, asked }) {
	const label = [name, number].filter(Boolean).join(' ');
	const text = FORMATS[format] ?? (label ? `${asked} (${label})` : asked);
	return text.padEnd(Number(minLength), '.').slice(0, maxLength ?? undefined);
}

const sampleNumber = ({ minimum, maximum }) => Number(minimum ?? Math.min(1, Number(maximum ?? 1)));

/** Samples by type; `place` is the one inside: names a text, and numbers those of an array. */
const SAMPLES = {
	object({ properties = {}, propertyOrdering: names = Object.keys(properties) }, place) {
		return Object.fromEntries(
			names.map((name) => [name, sample(properties[name] ?? {}, { ...place, name })]),
		);
	},
	array({ items = {}, minItems, maxItems }, place) {
		const length = Math.max(Number(minItems ?? 0), Math.min(3, Number(maxItems ?? 3)));
		return Array.from({ length }, (_, index) => sample(items, { ...place, number: index + 1 }));
	},
	number: sampleNumber,
	integer: (schema) => Math.ceil(sampleNumber(schema)),
	boolean: () => true,
	null: () => null,
	string: sampleText,
};

/** The schema that one only points at. */
function pointedAt({ $ref, anyOf, oneOf }, root) {
	const name = /^#\/(?:\$defs|definitions|defs)\/(.+)$/.exec($ref ?? '')?.[1];
	const defs = root.$defs ?? root.definitions ?? root.defs ?? {};
	return name === undefined ? (anyOf ?? oneOf)?.[0] : (defs[name] ?? {});
}

function sample(schema, place) {
	if (place.depth > DEEPEST) return null;
	const inside = { ...place, depth: place.depth + 1 };
	const other = pointedAt(schema, place.root);
	if (other) return sample(other, inside);
	if (schema.const !== undefined) return schema.const;
	if (Array.isArray(schema.enum)) return schema.enum[0];
	return (SAMPLES[typeOf(schema)] ?? sampleText)(schema, inside);
}

/** A value that fits a schema; `asked` fills its texts. */
const sampleOf = (schema, asked) => sample(schema, { name: '', asked, depth: 0, root: schema });

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
	return mimeType === 'text/x.enum' ? String(sampleOf(schema ?? {}, short)) : sayBack(asked);
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
		sources: sourcesOf(plan, text),
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
	return response(asked, { parts, finishReason, count, said, sources: together(sources) });
}

module.exports = { audioParts, tone, wholeAnswer, blocked, compose, response, sampleOf };
