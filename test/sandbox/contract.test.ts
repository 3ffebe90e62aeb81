import { GoogleGenAI } from '@google/genai';
import { VIDEO_MODEL, prompt } from './support/client';
import { useSandbox } from './support/stage';

// What the service promises of a submit, of a task, and of text.

const stage = useSandbox();

describe('submitting', () => {
	it.each([undefined, '', '  '])('refuses %j as prompt in the business shape', async (given) => {
		const { status, json } = await stage.client.submitFields({ model: VIDEO_MODEL, prompt: given });
		expect(status).toBe(400);
		expect(json).toEqual({ code: 'invalid_request', message: 'prompt is required', data: null });
	});

	it.each([
		[
			{ duration: '4', metadata: '{"seed":7}' },
			{ duration: 4, metadata: { seed: 7 } },
		],
		[{ duration: '4s', metadata: 'seed=7' }, {}],
		[{ duration: 4.5, metadata: [7] }, {}],
	])('reads text as what it says, and nothing else: %j', async (fields, read) => {
		await stage.client.submit('Lenient', fields);
		const { model, prompt, ...request } = stage.sandbox.tasks().at(-1)!.request;
		expect([model, prompt]).toEqual([VIDEO_MODEL, 'Lenient']);
		expect(request).toEqual(read);
	});

	it('drops unknown fields in silence, and charges', async () => {
		await stage.client.submit('Dropped', { aspect_ratio: '9:16', seconds: '4' });
		expect(stage.sandbox.tasks().at(-1)).toMatchObject({ dropped: ['aspect_ratio'], seconds: 4 });
	});

	it.each([
		['veo-3.1-fast-generate-001', 'https://images.test/a.png', 'text-to-video'],
		['veo-3.1-fast-generate-001', 'data:image/png;base64,iVBORw0KGgo=', 'image-to-video'],
		['dreamina-seedance-2-0-fast', 'https://images.test/a.png', 'image-to-video'],
	])('with %s makes of the image %s: %s', async (model, image, mode) => {
		await stage.client.submit('With an image', { model, image });
		expect(stage.sandbox.tasks().at(-1)?.mode).toBe(mode);
	});
});

const done = { renderMs: 0 };

describe('polling', () => {
	it('goes from queued over IN_PROGRESS to SUCCESS', async () => {
		const start = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
		const { json } = await stage.client.submit(prompt('Slowly', { renderMs: 60_000 }));
		const seen: Array<[string, string, boolean]> = [];
		for (const passed of [0, 15_000, 45_000, 60_000]) {
			clock.mockReturnValue(start + passed);
			const { data } = (await stage.client.poll(json.id)).json;
			seen.push([data.status, data.progress, 'result_url' in data]);
		}
		clock.mockRestore();
		expect(seen).toEqual([
			['queued', '0%', false],
			['IN_PROGRESS', '25%', false],
			['IN_PROGRESS', '75%', false],
			['SUCCESS', '100%', true],
		]);
	});

	it('says nothing new of a task before the deployment has looked at it', async () => {
		stage.sandbox.set({ refreshMs: 3_600_000 });
		const { json } = await stage.client.submit(prompt('Not looked at', done));
		const status = async () => (await stage.client.poll(json.id)).json.data.status;
		expect(await status()).toBe('queued');
		stage.sandbox.set({ refreshMs: 0 });
		expect(await status()).toBe('SUCCESS');
	});

	it('answers an unknown id with 400 task_not_exist', async () => {
		const { status, json } = await stage.client.poll('task_unknown');
		expect(status).toBe(400);
		expect(json).toEqual({ code: 'task_not_exist', message: 'task_not_exist', data: null });
	});
});

describe('downloading', () => {
	it('refuses a task that is not completed, also a failed one', async () => {
		const { json: open } = await stage.client.submit(prompt('Open', { outcome: 'never' }));
		const failing = prompt('Failed', { ...done, outcome: 'FAILURE' });
		const { json: failed } = await stage.client.submit(failing);
		const [first, second] = [
			await stage.client.download(open.id),
			await stage.client.download(failed.id),
		];
		expect([first.status, second.status]).toEqual([400, 400]);
		expect(first.json.error.message).toMatch(
			/^Task is not completed yet, current status: (queued|IN_PROGRESS)$/,
		);
		expect(second.json.error.message).toContain('current status: FAILURE');
		stage.sandbox.set({ profile: 'gateway' });
		const { json } = await stage.client.submitFields({
			model: 'kling-v1-6',
			prompt: prompt('Open', { renderMs: 60_000 }),
		});
		const { message } = (await stage.client.download(json.id)).json.error;
		expect(message).toContain('current status: NOT_START');
		stage.sandbox.set({ profile: 'contract' });
	});
});

describe('generating text', () => {
	it('answers an unknown model with 503 and an unknown action with 404', async () => {
		const post = { method: 'POST', headers: { 'x-goog-api-key': 'sandbox-key' }, body: '{}' };
		const unknown = await stage.client.at('/v1beta/models/no-such-model:generateContent', post);
		expect([unknown.status, unknown.json.error.code]).toEqual([503, 'model_not_found']);
		const action = await stage.client.at('/v1beta/models/gemini-2.5-flash:dream', post);
		expect(action.status).toBe(404);
	});

	it.each([{}, { contents: [] }, { contents: 'Hello' }, { contents: [{ role: 'user' }] }])(
		'refuses %j',
		async (body) => {
			const { status, json } = await stage.client.generate(body);
			expect([status, json.error.code]).toEqual([500, 'invalid_request']);
		},
	);

	it("answers the publisher's client, whole and as a stream", async () => {
		const httpOptions = { baseUrl: stage.sandbox.url };
		const { models } = new GoogleGenAI({ apiKey: 'sandbox-key', httpOptions });
		const contents = prompt('Grüße 😀', { chunks: 7, pieceBytes: 5, keepAlive: true });
		const model = 'gemini-2.5-flash';
		const whole = await models.generateContent({ model, contents });
		const chunks = [];
		for await (const chunk of await models.generateContentStream({ model, contents })) {
			chunks.push(chunk);
		}
		expect(chunks).toHaveLength(7);
		expect(chunks.map(({ text }) => text).join('')).toBe(whole.text);
		expect(whole.text).toContain('"Grüße 😀"');
		const reasons = chunks.map(({ candidates }) => candidates?.[0].finishReason);
		expect(reasons).toEqual([...Array(6).fill(undefined), 'STOP']);
		expect(chunks.at(-1)?.usageMetadata).toEqual(whole.usageMetadata);
	});
});
