import type { Plan } from '../../sandbox/service';
import { prompt } from './support/client';
import { readMedia } from './support/files';
import { useSandbox } from './support/stage';

// Parts of a video.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());

const submit = async (plan: Plan, fields = {}) =>
	(await stage.client.submit(prompt('To download', plan), fields)).json.id as string;

const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';

describe('a range', () => {
	const whole = readMedia('landscape');
	const last = whole.length - 1;

	it.each([
		['bytes=0-99', 0, 99],
		['bytes=100-', 100, last],
		['bytes=-100', last - 99, last],
		['bytes=51000-99999999', 51000, last],
		[`bytes=${last}-${last}`, last, last],
	])('%s gives just these bytes', async (range, from, to) => {
		const { status, headers, bytes } = await stage.client.download(await submit({}), {
			headers: { range },
		});
		expect(status).toBe(206);
		expect(headers).toMatchObject({
			'content-range': `bytes ${from}-${to}/${whole.length}`,
			'content-length': String(to - from + 1),
			'content-type': 'video/mp4',
		});
		expect(bytes.equals(whole.subarray(from, to + 1))).toBe(true);
	});

	it('reaches over the seam between video and filling', async () => {
		const id = await submit({ sizeBytes: 200_000 });
		const all = (await stage.client.download(id)).bytes;
		const range = `bytes=${whole.length - 10}-150000`;
		const { bytes } = await stage.client.download(id, { headers: { range } });
		expect(bytes.equals(all.subarray(whole.length - 10, 150_001))).toBe(true);
	});

	it('that the video does not have is refused', async () => {
		const headers = { range: `bytes=${whole.length}-` };
		const reply = await stage.client.download(await submit({}), { headers });
		expect([reply.status, reply.headers['content-range']]).toEqual([
			416,
			`bytes */${whole.length}`,
		]);
	});

	it.each(['bytes=-', 'items=0-1', 'bytes=0-1,5-6'])('%s is ignored', async (range) => {
		const { status, bytes } = await stage.client.download(await submit({}), { headers: { range } });
		expect([status, bytes.length]).toEqual([200, whole.length]);
	});

	it.each([
		['the ETag that the file has', { etag: '"v1"' }, '"v1"', 206],
		['the time that the file has', { lastModified: DATE }, DATE, 206],
		['another ETag', { etag: '"v1"' }, '"v2"', 200],
		['a weak ETag, which proves nothing', { etag: 'W/"v1"' }, 'W/"v1"', 200],
		['an ETag, where the file has none', {}, '"v1"', 200],
	])('on condition of %s', async (_name, plan, condition, status) => {
		const headers = { range: 'bytes=100-', 'if-range': condition };
		const reply = await stage.client.download(await submit(plan), { headers });
		const from = status === 206 ? 100 : 0;
		expect([reply.status, reply.bytes.length]).toEqual([status, whole.length - from]);
		expect(reply.bytes.equals(whole.subarray(from))).toBe(true);
		expect(reply.headers).toMatchObject({
			...('etag' in plan && { etag: plan.etag }),
			...('lastModified' in plan && { 'last-modified': plan.lastModified }),
		});
	});

	it('meets the whole file where an answer says so', async () => {
		const headers = { range: 'bytes=100-' };
		const id = await submit({ content: 'rangeIgnored' });
		const reply = await stage.client.download(id, { headers });
		expect([reply.status, reply.bytes.length]).toEqual([200, whole.length]);
		expect(reply.headers['accept-ranges']).toBe('bytes');
		expect((await stage.client.download(id, { headers })).status).toBe(206);
	});

	it('is ignored where the plan switches ranges off', async () => {
		const headers = { range: 'bytes=0-99' };
		const reply = await stage.client.download(await submit({ range: false }), { headers });
		expect([reply.status, reply.bytes.length]).toEqual([200, whole.length]);
		expect(reply.headers).not.toHaveProperty('accept-ranges');
	});
});
