import type { LiteralAnswer } from '../../../sandbox/service';
import { tone } from '../../../sandbox/service/textAnswer';
import { ANSWER, fileOf, oneCandidate, pngOf, withParts } from './support/answers';
import { onlyItem, TEXT_MODEL, useTextStage } from './support/stage';

const { stage, ask, listen } = useTextStage();

const png = (name: string) => fileOf(pngOf(name), 'image/png');
const FOR_AGENT = { node: { rewireOutputLogTo: 'ai_tool' } };

describe('the item', () => {
	it('is text, reason, usage and model', async () => {
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
		const names = Object.keys(item.binary!);
		expect(names).toEqual(['photo', 'data', 'data_1', 'data_2', 'data_3']);
		expect(await stage.engine.readBinary(item.binary!.data_2)).toEqual(
			Buffer.from(pngOf('new'), 'latin1'),
		);
		const parameters = { options: { leaveOutInputFields: true } };
		const own = onlyItem(await ask(withParts(png('new')), { items, parameters }));
		expect([own.json.title, own.json.model]).toEqual([undefined, TEXT_MODEL]);
		expect(Object.keys(own.binary!)).toEqual(['data']);
	});

	it('has nothing of an earlier answer but its text and JSON', async () => {
		const first = withParts({ text: 'Hm', thought: true }, { text: '{"title":"Sun"}' });
		const { json } = onlyItem(await ask(first, { parameters: { outputFormat: 'json' } }));
		expect(json.thoughts).toBe('Hm');
		const later = onlyItem(await ask({}, { items: [{ json: { ...json, model: 'other' } }] }));
		expect(later.json).toMatchObject({ json: { title: 'Sun' }, text: ANSWER, model: TEXT_MODEL });
		expect(later.json).not.toHaveProperty('thoughts');
	});

	it('has what came without a text: code that the model ran, and files that the service keeps', async () => {
		const executableCode = { language: 'PYTHON', code: 'print(6*7)' };
		const codeExecutionResult = { outcome: 'OUTCOME_OK', output: '42\n' };
		const uri = 'https://files.example.com/a.mp4';
		const fileData = { mimeType: 'video/mp4', fileUri: uri };
		const plan = withParts({ executableCode }, { codeExecutionResult }, { fileData });
		expect(onlyItem(await ask(plan)).json).toMatchObject({
			text: '',
			codeExecution: [{ ...executableCode, ...codeExecutionResult }],
			files: [{ mimeType: 'video/mp4', uri }],
		});
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

	it('is for an agent the text, the reason and the sources', async () => {
		const parameters = { options: { rawResponse: true } };
		const plan = { says: 'Blue', sources: ['search' as const], image: true };
		const result = await ask(plan, { ...FOR_AGENT, parameters });
		expect(result.runs()[0].data?.ai_tool[0]?.[0].json).toEqual({
			...{ text: 'Blue', finishReason: 'STOP' },
			sources: [{ kind: 'web', title: 'Found 0', uri: expect.any(String) }],
		});
	});

	it.each<[string, object[], RegExp]>([
		['what code has printed', [{ codeExecutionResult: { output: '42' } }], /^42$/],
		['a word on files', [png('x')], /^The answer is a file without text\./],
	])('is for an agent %s where there is no text', async (_what, parts, text) => {
		const { json } = (await ask(withParts(...parts), FOR_AGENT)).runs()[0].data!.ai_tool[0]![0];
		expect(json.text).toMatch(text);
	});
});

describe('files of the answer', () => {
	it.each(['default', 'filesystem'] as const)('become a binary in mode %s', async (binaryMode) => {
		const parameters = { options: { rawResponse: true } };
		const { json, binary } = onlyItem(await ask({ image: true }, { binaryMode, parameters }));
		expect(binary?.data).toMatchObject({ mimeType: 'image/png', fileName: 'image.png' });
		const bytes = await stage.engine.readBinary(binary!.data);
		expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
		expect(json).toMatchObject({ text: ANSWER, response: { responseId: 'sandbox-response' } });
		expect(JSON.stringify(json)).not.toContain(bytes.toString('base64'));
	});

	it('are numbered, without those of thoughts', async () => {
		const sketch = { ...png('sketch'), thought: true };
		const plan = withParts({ text: 'Here:' }, png('one'), sketch, fileOf('two', 'audio/wav'));
		const parameters = { options: { binaryProperty: 'file' } };
		const { binary } = onlyItem(await ask(plan, { parameters }));
		expect(Object.keys(binary!)).toEqual(['file', 'file_1']);
		expect(binary!.file_1).toMatchObject({ mimeType: 'audio/wav', fileName: 'audio_1.wav' });
		expect(String(await stage.engine.readBinary(binary!.file_1))).toBe('two');
	});

	it.each([
		['whole', ask],
		['streamed', listen],
	])('may come as Markdown, as from relays of other protocols: %s', async (_how, send) => {
		const base64 = Buffer.from(pngOf('boat'), 'latin1').toString('base64');
		const plan = { says: `Here it is:\n![image](data:image/png;base64,${base64})`, chunks: 5 };
		const result = await send(plan, { parameters: { outputFormat: 'image' } });
		const { json, binary } = onlyItem(result);
		expect(json.text).toBe('Here it is:\n');
		expect(binary?.data).toMatchObject({ mimeType: 'image/png', fileName: 'image.png' });
		const bytes = await stage.engine.readBinary(binary!.data);
		expect(bytes.toString('base64')).toBe(base64);
		expect(JSON.stringify(result.chunks)).not.toContain('base64');
	});

	it('of sound without a header are one that plays, cut inside of samples', async () => {
		const { binary } = onlyItem(await listen({ audio: true, chunks: 7 }));
		expect(Object.keys(binary!)).toEqual(['data']);
		expect(binary!.data).toMatchObject({ mimeType: 'audio/wav', fileName: 'audio.wav' });
		const wav = await stage.engine.readBinary(binary!.data);
		expect(wav.subarray(44).equals(tone())).toBe(true);
	});
});
