import type { LiteralAnswer } from '../../../../sandbox/service';
import { tone } from '../../../../sandbox/service/textAnswer';
import type { RunResult } from '../../../support/engine';
import { CONTINUE } from '../../../support/stage';
import { answerWith, oneCandidate, ANSWER } from '../support/answers';
import { onlyFailure, onlyItem, TEXT_MODEL, useTextStage } from '../support/stage';

const { stage, ask, listen } = useTextStage();

const pngOf = (name: string) =>
	Buffer.from(`\x89PNG\r\n\x1a\n${name}`, 'latin1').toString('base64');
const madeFiles = (...names: string[]) => {
	const parts = names.map((name) => ({
		inlineData: { mimeType: 'image/png', data: pngOf(name) },
	}));
	return answerWith({
		candidates: [{ content: { parts }, finishReason: 'STOP' }],
		modelVersion: TEXT_MODEL,
	});
};

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
		const file = (text: string) => ({ data: pngOf(text), mimeType: 'image/png' });
		const json = { title: 'Boat', text: 'theirs', model: 'veo', task_id: 'task_1' };
		const items = [{ json, binary: { photo: file('p'), data: file('d'), data_1: file('e') } }];
		const result = await ask(madeFiles('new', 'other'), { items });
		const item = onlyItem(result);
		expect(item.json).toMatchObject({ ...json, text: '', modelVersion: TEXT_MODEL });
		expect(Object.keys(item.json).slice(0, 4)).toEqual(['title', 'model', 'task_id', 'text']);
		const files = Object.keys(item.binary ?? {});
		expect(files).toEqual(['photo', 'data', 'data_1', 'data_2', 'data_3']);
		const bytes = await stage.engine.readBinary(item.binary!.data_2);
		expect(bytes.toString('base64')).toBe(pngOf('new'));
		const alone = { parameters: { options: { leaveOutInputFields: true } } };
		const own = onlyItem(await ask(madeFiles('new'), { items, ...alone }));
		expect([own.json.title, own.json.model]).toEqual([undefined, TEXT_MODEL]);
		expect(Object.keys(own.binary ?? {})).toEqual(['data']);
	});

	it('has nothing of an earlier answer but its text and JSON', async () => {
		const parts = [{ text: 'Hm', thought: true }, { text: '{"title":"Sun"}' }];
		const first = answerWith({
			candidates: [{ content: { parts }, finishReason: 'STOP' }],
			modelVersion: 'old',
		});
		const format = { parameters: { outputFormat: 'json' } };
		const { json } = onlyItem(await ask(first, format));
		expect(json).toMatchObject({ thoughts: 'Hm', modelVersion: 'old' });
		const later = onlyItem(await ask({}, { items: [{ json: { ...json, model: 'other' } }] }));
		expect(later.json).toMatchObject({ json: { title: 'Sun' }, text: ANSWER, model: TEXT_MODEL });
		expect(later.json).not.toHaveProperty('thoughts');
	});

	it('has the code that the model ran, and what came of it', async () => {
		const executableCode = { language: 'PYTHON', code: 'print(6*7)' };
		const codeExecutionResult = { outcome: 'OUTCOME_OK', output: '42\n' };
		const parts = [{ executableCode }, { codeExecutionResult }];
		const candidates = [{ content: { parts }, finishReason: 'STOP' }];
		// Paid for and of use, also where the model says nothing about it.
		expect(onlyItem(await ask(answerWith({ candidates }))).json).toMatchObject({
			text: '',
			codeExecution: [{ ...executableCode, ...codeExecutionResult }],
		});
	});

	it('has the addresses of files that the service keeps, also where nothing else came', async () => {
		const kept = (fileUri: unknown) => {
			const parts = [{ fileData: { mimeType: 'video/mp4', fileUri } }];
			return answerWith({ candidates: [{ content: { parts }, finishReason: 'STOP' }] });
		};
		const uri = 'https://files.example.com/a.mp4';
		const { json } = onlyItem(await ask(kept(uri)));
		expect(json).toMatchObject({ text: '', files: [{ mimeType: 'video/mp4', uri }] });
		onlyFailure(await ask(kept(''), CONTINUE));
	});

	it('adds to the token count that n8n keeps, where it keeps one', async () => {
		const { text } = oneCandidate('Blue');
		const items = [{ json: {} }, { json: {} }];
		const result = await ask({ text: { always: text as LiteralAnswer } }, { items });
		const counted = { inputTokens: 6, outputTokens: 24 };
		const { metadata } = result.runs()[0];
		expect(metadata?.tokenUsage).toEqual(counted);
	});
});

describe('files of the answer', () => {
	const image = (bytes: string, mimeType?: string) => ({
		inlineData: { mimeType, data: Buffer.from(bytes).toString('base64') },
	});

	it.each<[string, object[], string]>([
		[
			'the output of code',
			[{ executableCode: {} }, { codeExecutionResult: { output: '42' } }],
			'42',
		],
		[
			'a word on files',
			[image('x')],
			'The answer is a file without text. A tool returns no files.',
		],
	])('give an agent %s where there is no text', async (_what, parts, text) => {
		const plan = answerWith({ candidates: [{ content: { parts }, finishReason: 'STOP' }] });
		const result = await ask(plan, { node: { rewireOutputLogTo: 'ai_tool' } });
		expect(result.runs()[0].data?.ai_tool[0]?.[0].json).toEqual({ text, finishReason: 'STOP' });
	});

	it.each(['default', 'filesystem'] as const)('become a binary in mode %s', async (binaryMode) => {
		const { json, binary } = onlyItem(
			await ask({ image: true }, { binaryMode, parameters: { options: { rawResponse: true } } }),
		);
		expect(binary).toEqual({
			data: expect.objectContaining({ mimeType: 'image/png', fileName: 'image.png' }),
		});
		const bytes = await stage.engine.readBinary(binary!.data);
		expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
		expect(json.text).toBe(ANSWER);
		expect(json.response).toMatchObject({ responseId: 'sandbox-response' });
		expect(JSON.stringify(json)).not.toContain(bytes.toString('base64'));
	});

	it('are numbered, without those of thoughts', async () => {
		const sketch = { ...image('x'), thought: true };
		const parts = [
			{ text: 'Here:' },
			image('one', 'image/jpeg'),
			sketch,
			image('two', 'audio/wav'),
		];
		const candidates = [{ content: { parts }, finishReason: 'STOP' }];
		const parameters = { options: { binaryProperty: 'file' } };
		const { binary } = onlyItem(await ask(answerWith({ candidates }), { parameters }));
		expect(Object.keys(binary!)).toEqual(['file', 'file_1']);
		expect(binary!.file_1).toMatchObject({ mimeType: 'audio/wav', fileName: 'audio_1.wav' });
		expect(String(await stage.engine.readBinary(binary!.file))).toBe('one');
	});

	it.each([
		['whole', ask],
		['streamed', listen],
	])('may come as Markdown, as from relays of other protocols: %s', async (_how, send) => {
		const base64 = pngOf('boat');
		const text = `Here it is:\n![image](data:image/png;base64,${base64})`;
		const plan = { says: text, chunks: 5 };
		const result = await send(plan, { parameters: { outputFormat: 'image' } });
		const { json, binary } = onlyItem(result);
		expect(json.text).toBe('Here it is:\n');
		expect(binary?.data).toMatchObject({ mimeType: 'image/png', fileName: 'image.png' });
		const bytes = await stage.engine.readBinary(binary!.data);
		expect(bytes.toString('base64')).toBe(base64);
		expect(JSON.stringify(result.chunks)).not.toContain('base64');
	});

	it.each([
		['in seven chunks, cut inside of samples', listen, { chunks: 7 }],
		['whole, with two channels and a rate', ask, { audio: 'audio/pcm; rate=8000; channels=2' }],
	])('of sound without a header are one that plays: %s', async (_what, send, plan) => {
		const { binary } = onlyItem(await send({ audio: true, ...plan }));
		expect(Object.keys(binary!)).toEqual(['data']);
		expect(binary!.data).toMatchObject({ mimeType: 'audio/wav', fileName: 'audio.wav' });
		const wav = await stage.engine.readBinary(binary!.data);
		const [rate, channels] = 'audio' in plan ? [8_000, 2] : [24_000, 1];
		const facts = [wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)];
		expect(facts).toEqual([channels, rate, 16]);
		expect(wav.subarray(44).equals(tone())).toBe(true);
	});
});

describe('the sources of an answer', () => {
	const SITE = 'https://sources.example';

	it('have kind, title and address', async () => {
		const { json } = onlyItem(await ask({ sources: ['search', 'maps', 'failedUrl', 'citation'] }));
		expect(json.sources).toEqual([
			{ kind: 'web', title: 'Found 0', uri: `${SITE}/search/0` },
			{ kind: 'maps', title: 'Place 1', uri: `${SITE}/maps/1` },
			{ kind: 'urlContext', uri: `${SITE}/page/2`, status: 'URL_RETRIEVAL_STATUS_ERROR' },
			{ kind: 'citation', uri: `${SITE}/cited/3` },
		]);
	});

	it('are named to an agent, which gets nothing else but the text and the reason', async () => {
		const node = { rewireOutputLogTo: 'ai_tool' };
		const sources = ['search', 'failedUrl'];
		const plan = { says: 'Blue', sources, image: true };
		const result = await ask(plan, { node, parameters: { options: { rawResponse: true } } });
		expect(result.runs()[0].data?.ai_tool[0]?.[0].json).toEqual({
			text: 'Blue',
			finishReason: 'STOP',
			sources: [
				{ kind: 'web', title: 'Found 0', uri: `${SITE}/search/0` },
				{ kind: 'urlContext', uri: `${SITE}/page/1`, status: 'URL_RETRIEVAL_STATUS_ERROR' },
			],
		});
	});
});

describe('an answer that was cut off', () => {
	const warningsOf = (result: RunResult) => result.hints().filter(({ type }) => type === 'warning');

	it('by the token limit is an answer, with a hint', async () => {
		const result = await ask({}, { parameters: { options: { maxOutputTokens: 3 } } });
		const { json } = onlyItem(result);
		expect(json).toMatchObject({ text: ANSWER.slice(0, 12), finishReason: 'MAX_TOKENS' });
		expect(warningsOf(result)).toEqual([
			{
				message:
					'Cut off at the token limit ([item 0]). Raise Max Output Tokens, or lower Thinking.',
				type: 'warning',
				location: 'outputPane',
			},
		]);
	});
});
