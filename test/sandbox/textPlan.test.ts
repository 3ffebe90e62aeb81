import type { Plan } from '../../sandbox/service';
import { tone } from '../../sandbox/service/textAnswer';
import { ask, prompt } from './support/client';
import { usePublishersClient } from './support/publishersClient';
import { useSandbox } from './support/stage';

// What a request and a plan can ask of a text.

const stage = useSandbox();
const { generate } = usePublishersClient(stage);
beforeEach(() => stage.sandbox.reset());

describe('what the request limits', () => {
	const answerTo = async (text: string, generationConfig: object) =>
		(await stage.client.generate({ ...ask(text), generationConfig })).json;
	const textOf = (answer: { candidates: Array<{ content: { parts: Array<{ text: string }> } }> }) =>
		answer.candidates[0].content.parts[0].text;

	it('maxOutputTokens cuts the text and says so', async () => {
		const answer = await answerTo('Name a colour', { maxOutputTokens: 3 });
		expect(textOf(answer)).toBe('You asked: "');
		expect(answer.candidates[0].finishReason).toBe('MAX_TOKENS');
		expect(answer.usageMetadata.candidatesTokenCount).toBe(3);
	});

	it('stopSequences end it', async () => {
		const answer = await answerTo('Name a colour', { stopSequences: ['colour', ' a c'] });
		expect(textOf(answer)).toBe('You asked: "Name');
		expect(answer.candidates[0].finishReason).toBe('STOP');
	});

	it('snake_case is understood', async () => {
		const answer = await stage.client.generate({
			...ask('Name a colour'),
			system_instruction: { parts: [{ text: 'Be kind' }] },
			generation_config: { max_output_tokens: 30, response_mime_type: 'application/json' },
		});
		expect(JSON.parse(textOf(answer.json)).answer).toContain('Be kind');
	});

	it.each([
		['a union', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 1],
		['a type with null', { type: ['string', 'null'], maxLength: 3 }, 'Nam'],
		['a reference', { $defs: { n: { type: 'number', maximum: 0.5 } }, $ref: '#/$defs/n' }, 0.5],
		['a constant', { const: 'fixed' }, 'fixed'],
		['a date', { type: 'string', format: 'date' }, '2026-01-01'],
		['a tuple', { type: 'array', items: { type: 'boolean' }, maxItems: 1 }, [true]],
		['an endless reference', { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, null],
	])('plain JSON Schema with %s', async (_name, schema, value) => {
		const config = { responseMimeType: 'application/json', responseJsonSchema: schema };
		expect(JSON.parse(textOf(await answerTo('Name', config)))).toEqual(value);
	});

	it('text/x.enum answers with one of the words', async () => {
		const responseSchema = { type: 'STRING', enum: ['yes', 'no'] };
		const config = { responseMimeType: 'text/x.enum', responseSchema };
		expect(textOf(await answerTo('Well?', config))).toBe('yes');
	});
});

describe('a plan for text', () => {
	const planned = async (plan: Plan) =>
		(await stage.client.generate(ask(prompt('Planned', plan)))).json;

	it('ends for another reason, also without parts', async () => {
		const answer = await planned({ finishReason: 'SAFETY', noParts: true });
		expect(answer.candidates[0]).toEqual({
			content: { role: 'model' },
			finishReason: 'SAFETY',
			index: 0,
		});
	});

	it('says what it is told, streamed or not', async () => {
		const answer = await planned({ says: 'Blue.' });
		expect(answer.candidates[0].content.parts).toEqual([{ text: 'Blue.' }]);
		expect((await generate(prompt('Planned', { says: 'Blue.' }))).text).toBe('Blue.');
	});

	it('has several candidates, or none', async () => {
		const { candidates } = await planned({ candidates: 3 });
		expect(candidates.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2]);
		expect((await planned({ candidates: 0 })).candidates).toEqual([]);
	});

	it('has usage with zeros and nulls', async () => {
		expect((await planned({ nullUsage: true })).usageMetadata).toEqual({
			promptTokenCount: null,
			candidatesTokenCount: 0,
			totalTokenCount: null,
		});
	});

	it('is read from the last user text only', async () => {
		const contents = [
			{ role: 'user', parts: [{ text: prompt('First', { blocked: true }) }] },
			{ role: 'model', parts: [{ text: 'Answer' }] },
			{ role: 'user', parts: [{ text: 'Second' }] },
			{ role: 'model', parts: [{ text: prompt('Mine', { blocked: true }) }] },
		];
		const { json } = await stage.client.generate({ contents });
		expect(json.candidates[0].content.parts[0].text).toContain('"Second"');
	});

	it('is refused in the error shape where it is wrong', async () => {
		const { status, json } = await stage.client.generate(ask('Hello sandbox:{"chunks":0}'));
		expect([status, json.error.code]).toEqual([400, 'invalid_request']);
		expect(json.error.message).toContain('"chunks": is a whole number from 1 up');
	});
});

describe('what a plan adds to an answer, as the publisher reads it', () => {
	const candidateOf = async (plan: Plan) => {
		const says = 'Grüße. Es ist 😀. Ende.';
		return (await generate(prompt('Planned', { says, ...plan }))).candidates![0];
	};

	it('names sources, with the bytes of what they support', async () => {
		const { groundingMetadata, urlContextMetadata, citationMetadata } = await candidateOf({
			sources: ['search', 'maps', 'failedUrl', 'citation'],
		});
		expect(
			groundingMetadata?.groundingChunks?.map(({ web, maps }) => (web ?? maps)?.title),
		).toEqual(['Found 0', 'Place 1']);
		const bytes = Buffer.from('Grüße. Es ist 😀. Ende.');
		for (const { segment } of groundingMetadata?.groundingSupports ?? []) {
			const { startIndex = 0, endIndex, text } = segment!;
			expect(bytes.subarray(startIndex, endIndex).toString()).toBe(text);
		}
		expect(groundingMetadata?.groundingSupports?.[1].groundingChunkIndices).toEqual([1]);
		expect(urlContextMetadata?.urlMetadata?.[0]).toMatchObject({
			urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR',
		});
		expect(citationMetadata?.citations).toHaveLength(1);
	});

	it('gives sound without a header', async () => {
		const { content } = await candidateOf({ audio: true });
		const { mimeType, data } = content!.parts![1].inlineData!;
		expect(mimeType).toBe('audio/L16;codec=pcm;rate=24000');
		expect(Buffer.from(data!, 'base64').equals(tone())).toBe(true);
	});

	it('signs calls, and refuses them without the signature', async () => {
		const text = prompt('Planned', { signed: true, calls: [[{ name: 'a' }]] });
		const asked = { role: 'user', parts: [{ text }] };
		const { candidates } = await generate([asked]);
		const turn = candidates![0].content!;
		expect(turn.parts).toContainEqual(
			expect.objectContaining({
				functionCall: { id: 'call-0', name: 'a', args: {} },
				thoughtSignature: expect.any(String),
			}),
		);
		const answer = { role: 'user', parts: [{ functionResponse: { name: 'a', response: {} } }] };
		expect((await generate([asked, turn, answer])).text).toContain('Planned');
		const bare = { role: 'model', parts: [{ functionCall: { name: 'a', args: {} } }] };
		await expect(generate([asked, bare, answer])).rejects.toMatchObject({ status: 400 });
	});
});

describe('a plan changes the form of a whole answer', () => {
	const reply = async (plan: Plan) => await stage.client.generate(ask(prompt('Planned', plan)));

	it('to a list, events or lines', async () => {
		expect((await reply({ wholeForm: 'array', chunks: 3 })).json).toHaveLength(3);
		const events = await reply({ wholeForm: 'sse', chunks: 3 });
		expect(events.headers['content-type']).toBe('text/event-stream');
		expect(events.text.match(/^data: /gm)).toHaveLength(3);
	});

	it('to snake_case, but for arguments of functions', async () => {
		const plan = { calls: [[{ name: 'a', args: { isOn: true } }]] };
		const { json } = await reply({ ...plan, spelling: 'snake', thoughts: true });
		expect(json.usage_metadata.prompt_token_count).toEqual(expect.any(Number));
		expect(json.candidates[0].finish_reason).toBe('STOP');
		expect(json.candidates[0].content.parts.at(-1).function_call.args).toEqual({ isOn: true });
	});
});
