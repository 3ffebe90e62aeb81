import { answerWith, oneCandidate, SAID } from '../support/answers';
import { CONTINUE, onlyFailure, onlyItem, useTextStage } from '../support/stage';

const { stage, ask } = useTextStage();

describe('the item', () => {
	it('has calls of functions that were declared in extra fields', async () => {
		const functionCall = { name: 'light', args: { on: true } };
		const candidates = [{ content: { parts: [{ functionCall }] }, finishReason: 'STOP' }];
		const { json } = onlyItem(await ask(answerWith({ candidates })));
		expect(json).toMatchObject({ text: '', functionCalls: [functionCall] });
	});

	it('has the code that the model ran, and what came of it', async () => {
		const executableCode = { language: 'PYTHON', code: 'print(6*7)' };
		const codeExecutionResult = { outcome: 'OUTCOME_OK', output: '42\n' };
		const parts = [{ executableCode }, { codeExecutionResult }];
		const answer = (...more: object[]) =>
			answerWith({
				candidates: [{ content: { parts: [...parts, ...more] }, finishReason: 'STOP' }],
			});
		const codeExecution = [{ ...executableCode, ...codeExecutionResult }];
		const { json } = onlyItem(await ask(answer({ text: 'It is 42.' })));
		expect(json).toMatchObject({ text: 'It is 42.', codeExecution });
		// Paid for and of use, also where the model says nothing about it.
		expect(onlyItem(await ask(answer())).json).toMatchObject({ text: '', codeExecution });
		expect(onlyItem(await ask({})).json).not.toHaveProperty('codeExecution');
	});
});

describe('files that the service keeps', () => {
	const fileData = { mimeType: 'video/mp4', fileUri: 'https://files.example.com/a.mp4' };
	const files = [{ mimeType: 'video/mp4', uri: 'https://files.example.com/a.mp4' }];
	const answer = (...parts: object[]) =>
		answerWith({ candidates: [{ content: { parts }, finishReason: 'STOP' }] });

	it('are addresses on the item, also where nothing else came', async () => {
		expect(onlyItem(await ask(answer({ fileData }))).json).toMatchObject({ text: '', files });
		const both = onlyItem(await ask(answer({ text: 'Here:' }, { fileData })));
		expect(both.json).toMatchObject({ text: 'Here:', files });
		expect(onlyItem(await ask({})).json).not.toHaveProperty('files');
	});

	it.each([{}, { fileUri: '' }, { fileUri: 7 }])('without one are no answer: %j', async (none) => {
		onlyFailure(await ask(answer({ fileData: none }), CONTINUE));
	});
});

describe('images in the answer', () => {
	const image = (bytes: string, mimeType?: string) => ({
		inlineData: { mimeType, data: Buffer.from(bytes).toString('base64') },
	});
	const TWO_FILES = answerWith({
		candidates: [
			{ content: { parts: [{ text: 'Here:' }, image('one', 'image/jpeg')] } },
			{ content: { parts: [image('two', 'audio/wav'), { ...image('x'), thought: true }] } },
		],
	});

	it.each(['default', 'filesystem'] as const)('become a binary in mode %s', async (binaryMode) => {
		const { json, binary } = onlyItem(
			await ask({ image: true }, { binaryMode, parameters: { simplify: false } }),
		);
		expect(binary).toEqual({
			data: expect.objectContaining({ mimeType: 'image/png', fileName: 'image.png' }),
		});
		const bytes = await stage.engine.readBinary(binary!.data);
		expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
		expect(json.text).toBe(SAID);
		expect(JSON.stringify(json)).not.toContain(bytes.toString('base64'));
	});

	it('of several candidates become numbered binaries, those of thoughts do not', async () => {
		const { binary } = onlyItem(
			await ask(TWO_FILES, { parameters: { options: { binaryProperty: 'file' } } }),
		);
		expect(Object.keys(binary!)).toEqual(['file', 'file_1']);
		expect(binary!.file_1).toMatchObject({ mimeType: 'audio/wav', fileName: 'audio_1.wav' });
		expect(String(await stage.engine.readBinary(binary!.file))).toBe('one');
	});

	it('may be the whole answer', async () => {
		const candidates = [{ content: { parts: [image('one', 'image/png')] }, finishReason: 'STOP' }];
		const { json, binary } = onlyItem(await ask(answerWith({ candidates })));
		expect(json.text).toBe('');
		expect(Object.keys(binary!)).toEqual(['data']);
	});
});

const JSON_OUTPUT = { parameters: { jsonOutput: true } };

describe('JSON output', () => {
	it('fits the schema', async () => {
		const jsonSchema = { type: 'object', properties: { colour: { type: 'string' } } };
		const { json } = onlyItem(await ask({}, { parameters: { jsonOutput: true, jsonSchema } }));
		expect(json.json).toEqual({ colour: expect.any(String) });
	});

	it('is only looked for when it was asked for', async () => {
		expect(onlyItem(await ask(oneCandidate('{"a":1}'))).json).not.toHaveProperty('json');
	});

	it.each([
		['MAX_TOKENS', 'The JSON in the answer is cut off because the token limit was reached'],
		['STOP', 'The answer is not valid JSON'],
	])('that is half fails and shows its start (%s)', async (finishReason, message) => {
		const plan = oneCandidate(`{"colours": ["blue", "${'x'.repeat(400)}`, finishReason);
		const failure = onlyFailure(await ask(plan, { ...JSON_OUTPUT, ...CONTINUE }));
		expect(failure.message).toBe(`${message} (finishReason ${finishReason}) [item 0]`);
		expect(failure.description).toMatch(/The model wrote: "\{"colours": \["blue", "x{200,}\.\.\."/);
		expect(failure.description).not.toContain('x'.repeat(350));
		expect(failure.description).toContain('Usage: 3 prompt, 5 answer, 7 thinking tokens.');
	});
});
