import { createSandbox, type Sandbox } from '../../sandbox/service';
import { KEY, planned } from '../support/stage';

// What Runway's pages and client say of it.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0, profile: 'runway' });
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const ORDER = { model: 'gen4.5', promptText: 'A boat', ratio: '1280:720', duration: 5 };
const VERSION = '2024-11-06';

async function ask(path: string, body?: object, { key = KEY, version = VERSION } = {}) {
	const response = await fetch(`${sandbox.url}/v1/${path}`, {
		...(body && { method: 'POST', body: JSON.stringify(body) }),
		headers: { authorization: `Bearer ${key}`, 'x-runway-version': version },
	});
	return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

it.each([
	['a render', {}, { status: 'SUCCEEDED', output: [expect.any(String)], cost: { credits: 60 } }],
	[
		'a failure, refunded',
		{ outcome: 'FAILURE', failReason: 'No', failCode: 'SAFETY.INPUT.TEXT', credits: 0 },
		{ status: 'FAILED', failure: 'No', failureCode: 'SAFETY.INPUT.TEXT', cost: { credits: 0 } },
	],
])('tells of %s what stays charged', async (_what, plan, record) => {
	const { json } = await ask('text_to_video', { ...ORDER, promptText: planned('A boat', plan) });
	expect((await ask(`tasks/${String(json.id)}`)).json).toMatchObject({ id: json.id, ...record });
});

it('takes a file in two steps, and no key in the second', async () => {
	const { json } = await ask('uploads', { filename: 'boat.png', type: 'ephemeral' });
	const { uploadUrl, fields } = json as { uploadUrl: string; fields: Record<string, string> };
	expect(json.runwayUri).toMatch(/^runway:\/\//);
	const post = async (headers = {}, more = fields) => {
		const form = new FormData();
		for (const [name, value] of Object.entries(more)) form.set(name, value);
		form.set('file', new Blob(['a film'], { type: 'video/mp4' }));
		return (await fetch(uploadUrl, { method: 'POST', body: form, headers })).status;
	};
	expect(await post({ authorization: `Bearer ${KEY}` })).toBe(400);
	expect(await post({}, {})).toBe(403);
	expect(await post()).toBe(204);
	expect(sandbox.files()).toMatchObject([{ size: 6 }]);
	expect(sandbox.submissions()).toEqual([]);
});

it.each([
	['a wrong key', 'text_to_video', ORDER, { key: 'wrong' }, 401],
	['a missing version', 'text_to_video', ORDER, { version: '' }, 400],
	['a size of another route', 'text_to_video', { ...ORDER, ratio: '1104:832' }, {}, 400],
	['a model of another route', 'text_to_video', { ...ORDER, model: 'gen4_turbo' }, {}, 400],
	['a task that it does not know', 'tasks/none', undefined, {}, 404],
])('refuses %s', async (_what, path, body, how, status) => {
	const answer = await ask(path, body, how);
	expect(answer).toMatchObject({ status, json: { error: expect.any(String) as string } });
	expect(sandbox.tasks()).toEqual([]);
});
