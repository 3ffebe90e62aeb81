import { until, VIDEO_MODEL } from './support/client';
import { useSandbox } from './support/stage';

// What the service promises of a submit.

const stage = useSandbox();

describe('submitting', () => {
	it('answers at once with the queued task', async () => {
		const { status, headers, json } = await stage.client.submit('A red bicycle');
		expect(status).toBe(200);
		expect(headers['content-type']).toMatch(/^application\/json/);
		expect(json).toEqual({
			id: expect.stringMatching(/^task_\w{20,}$/),
			task_id: json.id,
			object: 'video',
			model: VIDEO_MODEL,
			status: 'queued',
			progress: 0,
		});
	});

	it('gives every task an id of its own', async () => {
		const [one, other] = [await stage.client.submit('Twice'), await stage.client.submit('Twice')];
		expect(one.json.id).not.toBe(other.json.id);
	});

	it.each([undefined, '', '  '])('refuses %j as prompt in the business shape', async (given) => {
		const { status, json } = await stage.client.submitFields({ model: VIDEO_MODEL, prompt: given });
		expect(status).toBe(400);
		expect(json).toEqual({ code: 'invalid_request', message: 'prompt is required', data: null });
	});

	it.each([
		[undefined, 'Model name not specified, model name cannot be empty'],
		[7, 'Invalid request: Invalid request: field model must be a string'],
	])(
		'refuses %j as model in the error shape, since it is the router who reads it',
		async (model, says) => {
			const { status, json } = await stage.client.submitFields({ prompt: 'A red bicycle', model });
			expect(status).toBe(400);
			expect(json.error).toMatchObject({ message: says, type: 'new_api_error', code: '' });
		},
	);

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

	it('finds no model in a body that is not labelled as JSON', async () => {
		const options = { headers: { 'content-type': 'text/plain' } };
		const { status, json } = await stage.client.submit('A red bicycle', {}, options);
		expect(status).toBe(400);
		expect(json.error.message).toContain('Model name not specified');
	});

	it('answers an unknown model with 503 model_not_found', async () => {
		const { status, json } = await stage.client.submit('A red bicycle', { model: 'no-such-model' });
		expect(status).toBe(503);
		expect(json.error.code).toBe('model_not_found');
	});

	it.each([
		['seconds', 8],
		['image', { url: 'http://images.test/a.png' }],
		['images', 'one'],
	])('refuses %s as %j', async (field, value) => {
		const before = stage.sandbox.tasks().length;
		const { status, json } = await stage.client.submit('A red bicycle', { [field]: value });
		expect(status).toBe(400);
		expect(json.message).toContain(`.${field} of type`);
		expect(stage.sandbox.tasks()).toHaveLength(before);
	});

	it('drops unknown fields in silence, and charges', async () => {
		const fields = { aspect_ratio: '9:16', seconds: '4', metadata: { aspectRatio: '16:9' } };
		const { status } = await stage.client.submit('Dropped', fields);
		expect(status).toBe(200);
		const task = stage.sandbox.tasks().at(-1);
		expect(task?.dropped).toEqual(['aspect_ratio']);
		expect(task?.request).not.toHaveProperty('aspect_ratio');
		expect(task?.seconds).toBe(4);
		expect(stage.sandbox.requests.at(-1)?.body).toMatchObject(fields);
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

it('leaves no request without an end', async () => {
	expect(await until(() => stage.sandbox.requests.every(({ status }) => status !== null))).toBe(
		true,
	);
});
