import type { Plan } from '../../sandbox/service';
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
