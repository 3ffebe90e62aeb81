import { createSandbox, type Sandbox } from '../../sandbox/service';
import { FAMILIES } from '../../sandbox/service/gatewayProfile';

// The profile "gateway": what a real gateway answered, with this sandbox's ids and addresses in it.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox({ profile: 'gateway' });
});
afterAll(async () => await sandbox.close());

const authorization = 'Bearer sandbox-key';

async function submit(model: string, plan: object) {
	const response = await fetch(`${sandbox.url}/v1/video/generations`, {
		method: 'POST',
		headers: { authorization, 'content-type': 'application/json' },
		body: JSON.stringify({ model, prompt: `A boat sandbox:${JSON.stringify(plan)}` }),
	});
	const json = (await response.json()) as { task_id: string };
	return { headers: response.headers, json };
}

async function ask(path: string, headers = {}) {
	const response = await fetch(sandbox.url + path, { headers: { authorization, ...headers } });
	const text = await response.text();
	return { status: response.status, headers: response.headers, text };
}

interface Told {
	data: { status: string; url?: string; result_url?: string; fail_reason?: string };
}

const poll = async (id: string) =>
	(JSON.parse((await ask(`/v1/video/generations/${id}`)).text) as Told).data;

describe.each(FAMILIES)('$label', ({ label, model }) => {
	const isVeo = label.startsWith('Veo');
	const word = (ofVeo: string, ofOthers: string) => (isVeo ? ofVeo : ofOthers);

	it('a submit has the price factors and a request id of its own', async () => {
		const { headers, json } = await submit(model, {});
		expect(json).toMatchObject({ id: json.task_id, object: 'video', model });
		expect(headers.get('x-new-api-other-ratios')).toMatch(/^\{/);
		expect(headers.get('x-oneapi-request-id')).toMatch(/\w/);
	});

	it('begins, ends and fails in the words of the gateway', async () => {
		const waiting = await submit(model, { renderMs: 60_000 });
		expect(await poll(waiting.json.task_id)).toMatchObject({
			status: word('processing', 'NOT_START'),
		});
		const done = await submit(model, { renderMs: 0 });
		const { status, url = '', result_url = url } = await poll(done.json.task_id);
		expect(status).toBe(word('succeeded', 'SUCCESS'));
		if (label === 'Veo (Vertex AI)') expect(result_url).toBe('');
		else expect(result_url).toMatch(/^http:\/\/(127\.0\.0\.1|localhost):\d+\//);
		const failed = await submit(model, { renderMs: 0, outcome: 'FAILURE', failReason: 'No GPU' });
		expect(await poll(failed.json.task_id)).toMatchObject({ status: word('failed', 'FAILURE') });
	});

	it('brings the whole film whatever part is asked for', async () => {
		const { json } = await submit(model, { renderMs: 0 });
		const path = `/v1/videos/${json.task_id}/content`;
		const whole = await ask(path);
		const part = await ask(path, { range: 'bytes=0-9' });
		expect([whole.status, part.status]).toEqual([200, 200]);
		expect(part.text.length).toBe(whole.text.length);
		expect(whole.headers.get('cache-control')).toBe('public, max-age=86400');
	});
});

it('a filtered film of Veo is a success without a film', async () => {
	const { json } = await submit('veo-3.1-generate-preview', { renderMs: 0, outcome: 'filtered' });
	expect(await poll(json.task_id)).toMatchObject({ status: 'succeeded' });
	const { status, text } = await ask(`/v1/videos/${json.task_id}/content`);
	expect([status, text]).toEqual([502, expect.stringContaining('Failed to resolve Gemini video')]);
});
