import { createSandbox, type DeploymentChanges } from '../../sandbox/service';
import { prompt } from './support/client';
import { sha256 } from './support/files';
import { useSandbox } from './support/stage';

// What a test can read and change, in-process and over HTTP.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());

it('shortens long base64 texts to length and hash, and nothing else', async () => {
	const image = `data:image/png;base64,${'iVBORw0KGgo'.repeat(200)}`;
	const words = 'A red bicycle. '.repeat(200);
	await stage.client.submit(words, { image, images: ['c2hvcnQ='] });
	const short = { length: image.length, sha256: sha256(image) };
	expect(stage.sandbox.requests[0].body).toMatchObject({ prompt: words, image: short });
	expect(stage.sandbox.requests[0].body?.images).toEqual(['c2hvcnQ=']);
	expect(stage.sandbox.tasks()[0].request.image).toEqual(short);
});

it('forgets everything on reset, and keeps the array of requests', async () => {
	const { requests } = stage.sandbox;
	const planned = prompt('Forgotten', { submit: ['json500'] });
	stage.sandbox.set({ listings: false });
	await stage.client.submit(planned);
	const { json } = await stage.client.submit(planned);
	stage.sandbox.reset();
	expect([stage.sandbox.requests, stage.sandbox.tasks(), requests]).toEqual([[], [], []]);
	expect(stage.sandbox.requests).toBe(requests);
	expect((await stage.client.poll(json.id)).status).toBe(400);
	expect(stage.sandbox.requests[0].n).toBe(1);
	expect((await stage.client.submit(planned)).status).toBe(500);
	const list = { headers: { authorization: 'Bearer sandbox-key' } };
	expect((await stage.client.at('/v1/models', list)).status).toBe(200);
});

describe('over HTTP', () => {
	const control = (path: string, options = {}) => stage.client.at(`/_sandbox/${path}`, options);

	it('shows requests and tasks, itself unseen', async () => {
		const { json: task } = await stage.client.submit('A red bicycle');
		await stage.client.poll(task.id);
		const { json: requests } = await control('requests');
		expect(requests).toHaveLength(2);
		expect(requests[0]).toMatchObject({ method: 'POST', taskId: task.id, status: 200 });
		expect((await control('requests?method=GET&status=200')).json).toHaveLength(1);
		expect((await control('requests?path=/v1/videos')).json).toHaveLength(0);
		expect((await control('tasks')).json).toEqual([
			expect.objectContaining({ task_id: task.id, status: 'SUCCESS' }),
		]);
		expect((await control('health')).json).toEqual({
			ok: true,
			url: stage.sandbox.url,
			foreignUrl: stage.sandbox.foreignUrl,
			requests: 2,
			tasks: 1,
		});
	});

	it('changes the deployment, and says what is wrong with a change', async () => {
		const post = (body: string) => control('deployment', { method: 'POST', body });
		const changed = await post('{"renderMs":60000}');
		expect([changed.status, changed.json.renderMs]).toEqual([200, 60_000]);
		const { json } = await stage.client.submit('Slowly');
		expect((await stage.client.poll(json.id)).json.data.status).toBe('queued');
		expect((await control('deployment')).json.renderMs).toBe(60_000);
		const wrong = await post('{"rendrMs":1}');
		expect(wrong.status).toBe(400);
		expect(wrong.json.message).toContain('no setting "rendrMs"');
		expect((await post('{"renderMs":')).status).toBe(400);
	});
});

it("refuses a body that is too large with a proxy's page, and stays usable", async () => {
	stage.sandbox.set({ bodyLimitBytes: 1000 });
	const large = await stage.client.submit('x'.repeat(2_000_000));
	expect(large.status).toBe(413);
	expect(large.headers['content-type']).toMatch(/^text\/html/);
	expect(stage.sandbox.tasks()).toHaveLength(0);
	expect((await stage.client.submit('Small')).status).toBe(200);
});

it("has a plan for every prompt, before which the prompt's own goes", async () => {
	stage.sandbox.set({ plan: { shape: 'vendor', words: { SUCCESS: 'completed' } } });
	const statusOf = async (text: string) => {
		const { json } = await stage.client.submit(text);
		return (await stage.client.poll(json.id)).json.data.status;
	};
	expect(await statusOf('Plain')).toBe('completed');
	expect(await statusOf(prompt('Own', { words: {} }))).toBe('succeeded');
});

it.each([
	[{ speed: 1 }, 'no setting "speed"'],
	[{ renderMs: '1' }, '"renderMs": is a number'],
	[{ listings: 'html999' }, '"listings": there is no fault'],
	[{ outage: 'html999' }, '"outage": there is no fault'],
	[{ profile: 'round' }, '"profile": is one of'],
	[{ models: { video: 'veo' } }, '"models": is'],
	[{ plan: { rendrMs: 1 } }, 'no plan key "rendrMs"'],
	[null, 'it is no JSON object'],
])('says what is wrong with %j', async (changes, message) => {
	expect(() => stage.sandbox.set(changes as unknown as DeploymentChanges)).toThrow(message);
	await expect(createSandbox({ speed: 1 } as object)).rejects.toThrow('no setting "speed"');
});
