import type { LiteralAnswer } from '../../../sandbox/service';
import { ANSWER, fileOf, oneCandidate, pngOf, withParts } from './support/answers';
import { onlyItem, TEXT_MODEL, useTextStage } from './support/stage';

const { stage, ask } = useTextStage();

const png = (name: string) => fileOf(pngOf(name), 'image/png');

it('the item is text, reason, usage and model', async () => {
	expect(onlyItem(await ask({}))).toEqual({
		json: {
			text: ANSWER,
			finishReason: 'STOP',
			usageMetadata: {
				promptTokenCount: expect.any(Number),
				candidatesTokenCount: expect.any(Number),
				totalTokenCount: expect.any(Number),
				promptTokensDetails: expect.any(Array),
			},
			model: TEXT_MODEL,
			modelVersion: TEXT_MODEL,
			responseId: 'sandbox-response',
		},
		pairedItem: { item: 0 },
	});
});

it('keeps the fields and files that came in, with the model of another node', async () => {
	const json = { title: 'Boat', text: 'theirs', model: 'veo', task_id: 'task_1' };
	const { inlineData: file } = png('photo');
	const items = [{ json, binary: { photo: file, data: file, data_1: file } }];
	const item = onlyItem(await ask(withParts(png('new'), png('other')), { items }));
	expect(item.json).toMatchObject({ ...json, text: '' });
	expect(Object.keys(item.json).slice(0, 4)).toEqual(['title', 'model', 'task_id', 'text']);
	expect(Object.keys(item.binary!)).toEqual(['photo', 'data', 'data_1', 'data_2', 'data_3']);
	const parameters = { options: { leaveOutInputFields: true } };
	const own = onlyItem(await ask(withParts(png('new')), { items, parameters }));
	expect([own.json.title, own.json.model]).toEqual([undefined, TEXT_MODEL]);
	expect(Object.keys(own.binary!)).toEqual(['data']);
});

it('has nothing of an earlier answer but its text and JSON', async () => {
	const first = withParts({ text: 'Hm', thought: true }, { text: '{"title":"Sun"}' });
	const parameters = { outputFormat: 'json', options: { rawResponse: true } };
	const { json } = onlyItem(await ask(first, { parameters }));
	expect(json).toMatchObject({ thoughts: 'Hm', response: {} });
	const later = onlyItem(await ask({}, { items: [{ json: { ...json, model: 'other' } }] }));
	expect(later.json).toMatchObject({ json: { title: 'Sun' }, text: ANSWER, model: TEXT_MODEL });
	for (const name of ['thoughts', 'response']) expect(later.json).not.toHaveProperty(name);
});

it('adds to the token count that n8n keeps', async () => {
	const { text } = oneCandidate('Blue');
	const items = [{ json: {} }, { json: {} }];
	const result = await ask({ text: { always: text as LiteralAnswer } }, { items });
	expect(result.runs()[0].metadata?.tokenUsage).toEqual({ inputTokens: 6, outputTokens: 24 });
});

it('says in a hint that it was cut off by the token limit', async () => {
	const result = await ask({}, { parameters: { options: { maxOutputTokens: 3 } } });
	const { json } = onlyItem(result);
	expect(json).toMatchObject({ text: ANSWER.slice(0, 12), finishReason: 'MAX_TOKENS' });
	const message = expect.stringContaining('Raise Max Output Tokens') as string;
	expect(result.hints()).toContainEqual({ message, type: 'warning', location: 'outputPane' });
});

it.each([
	['and the sources', { says: 'Blue', sources: ['search' as const], image: true }, 'Blue', 1],
	['and a word on files without a text', withParts(png('x')), /^The answer is a file without/, 0],
])('is for an agent the text, the reason %s', async (_what, plan, text, count) => {
	const parameters = { options: { rawResponse: true } };
	const result = await ask(plan, { node: { rewireOutputLogTo: 'ai_tool' }, parameters });
	const source = { kind: 'web', title: 'Found 0', uri: expect.any(String) };
	expect(result.runs()[0].data!.ai_tool[0]![0].json).toEqual({
		...{ text: expect.stringMatching(text), finishReason: 'STOP' },
		...(count > 0 && { sources: [source] }),
	});
});

it.each(['default', 'filesystem'] as const)('files are binaries in mode %s', async (binaryMode) => {
	const parameters = { options: { rawResponse: true, binaryProperty: 'file' } };
	const sketch = { ...png('sketch'), thought: true };
	const plan = withParts({ text: 'Here:' }, png('one'), sketch, fileOf('two', 'audio/wav'));
	const { json, binary } = onlyItem(await ask(plan, { binaryMode, parameters }));
	expect(binary).toMatchObject({
		file: { mimeType: 'image/png', fileName: 'image.png' },
		file_1: { mimeType: 'audio/wav', fileName: 'audio_1.wav' },
	});
	expect(Object.keys(binary!)).toHaveLength(2);
	expect(String(await stage.engine.readBinary(binary!.file_1))).toBe('two');
	expect(json).toMatchObject({ text: 'Here:', response: { candidates: [{}] } });
	expect(JSON.stringify(json)).not.toContain(png('one').inlineData.data);
});
