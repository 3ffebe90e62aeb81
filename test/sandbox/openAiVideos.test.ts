import { createSandbox, type Sandbox } from '../../sandbox/service';
import { KEY } from '../support/stage';

// OpenAI's clients send a video with a picture as a form; New API's router reads JSON alone.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox();
});
afterAll(async () => await sandbox.close());

it.each([
	[false, 200],
	[true, 400],
])('takes a form unless it is New API (%s)', async (isNewApi, status) => {
	sandbox.set({ isNewApi, routes: 'openAiVideos' });
	const form = new FormData();
	for (const [name, value] of Object.entries({
		model: 'veo-3.1-fast-generate-001',
		prompt: 'A boat',
	}))
		form.set(name, value);
	form.set('input_reference', new Blob(['a picture'], { type: 'image/png' }), 'image.png');
	const headers = { authorization: `Bearer ${KEY}` };
	const answer = await fetch(`${sandbox.url}/v1/videos`, { method: 'POST', headers, body: form });
	expect(answer.status).toBe(status);
	expect(sandbox.tasks()).toMatchObject(
		isNewApi ? [] : [{ request: { input_reference: expect.stringMatching(/^data:image\/png/) } }],
	);
	await sandbox.reset();
});
