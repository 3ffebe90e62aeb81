import type { Plan, RequestRecord } from '../../sandbox/service';
import { call } from './support/call';
import { prompt } from './support/client';
import { readMedia } from './support/files';
import { useSandbox } from './support/stage';

// The ways to other addresses.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());

const submit = async (plan: Plan, fields = {}) =>
	(await stage.client.submit(prompt('To download', plan), fields)).json.id as string;

describe('a redirect', () => {
	/** Follows by hand, as a careful client does, and tells every stop. */
	async function follow(content: Plan['content'], most = 10) {
		const id = await submit({ content });
		let reply = await stage.client.download(id);
		const stops: string[] = [];
		for (let n = 0; n < most && reply.headers.location; n++) {
			const { location } = reply.headers;
			stops.push(location);
			const isOwn = location.startsWith(stage.sandbox.url);
			const headers = isOwn ? { authorization: 'Bearer sandbox-key' } : undefined;
			reply = await call(location, { headers });
		}
		return { id, reply, stops };
	}
	const origins = (records: RequestRecord[]) => records.map(({ origin }) => origin);

	it.each([301, 302, 303, 307, 308] as const)('%i to the storage host', async (redirect) => {
		const { reply, stops, id } = await follow([{ redirect, to: 'foreign' }]);
		expect(stops).toEqual([expect.stringContaining(`${stage.sandbox.foreignUrl}/files/`)]);
		expect([reply.status, reply.bytes.length]).toEqual([200, readMedia('landscape').length]);
		const records = stage.sandbox.requests.filter(({ path }) => path !== '/v1/video/generations');
		expect(records.map(({ status }) => status)).toEqual([redirect, 200]);
		expect(origins(records)).toEqual(['service', 'foreign']);
		expect(records.map(({ taskId }) => taskId)).toEqual([id, id]);
	});

	it('to the same origin, for which it consumes one entry only', async () => {
		const { reply, stops, id } = await follow([{ redirect: 307, to: 'self' }, 'html502']);
		expect(stops).toEqual([`${stage.sandbox.url}/v1/videos/${id}/content?final=1`]);
		expect(reply.status).toBe(200);
		expect((await stage.client.download(id)).status).toBe(502);
		expect(stage.sandbox.tasks()[0].downloads).toBe(2);
	});

	it('to another port of the same host', async () => {
		const { reply, stops } = await follow([{ redirect: 302, to: 'otherPort' }]);
		expect(new URL(stops[0]).hostname).toBe(new URL(stage.sandbox.url).hostname);
		expect(new URL(stops[0]).port).toBe(new URL(stage.sandbox.foreignUrl).port);
		expect(reply.status).toBe(200);
	});

	it('to any address', async () => {
		const id = await submit({ content: { redirect: 302, to: 'http://files.test/a.mp4' } });
		expect((await stage.client.download(id)).headers.location).toBe('http://files.test/a.mp4');
	});

	it('of several hops, the last of which leaves', async () => {
		const { reply, stops } = await follow([{ redirect: 302, to: 'foreign', hops: 3 }]);
		expect(stops.map((stop) => new URL(stop).origin)).toEqual([
			...[stage.sandbox.url, stage.sandbox.url, stage.sandbox.foreignUrl],
		]);
		expect(reply.status).toBe(200);
	});

	it('in a loop never ends', async () => {
		const { reply, stops } = await follow(['redirectLoop'], 25);
		expect(stops).toHaveLength(25);
		expect(new Set(stops).size).toBe(25);
		expect(reply.status).toBe(302);
	});

	it('is possible on the storage host and on other endpoints, too', async () => {
		const plan: Plan = { resultUrl: 'foreign', content: [{ redirect: 302, to: 'self' }] };
		const { result_url: address } = (await stage.client.poll(await submit(plan))).json.data;
		const { location } = (await call(address)).headers;
		expect(location).toContain(`${stage.sandbox.foreignUrl}/files/landscape.mp4?task=`);
		expect((await call(String(location))).status).toBe(200);

		const moved = await stage.client.submit(
			prompt('Moved', { submit: [{ redirect: 308, to: 'self' }] }),
		);
		expect([moved.status, stage.sandbox.tasks()]).toEqual([308, [expect.anything()]]);
		const polled = await stage.client.poll(
			await submit({ poll: [{ redirect: 302, to: 'foreign' }] }),
		);
		expect(polled.headers.location).toContain(`${stage.sandbox.foreignUrl}/v1/video/generations/`);
	});
});
