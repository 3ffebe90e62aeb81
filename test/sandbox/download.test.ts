import { createSandbox, type Plan, type RequestRecord, type Sandbox } from '../../sandbox/service';
import { openVideo } from '../../sandbox/service/media';
import { call, clientOf, getSecure, ignore, pauseMs, prompt, until } from './support/client';
import { readMedia } from './support/files';
import { boxesOf } from './support/mp4';

// Videos of any size, parts of them, and the ways to other hosts.

let sandbox: Sandbox;
let client: ReturnType<typeof clientOf>;

beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0 });
	client = clientOf(sandbox);
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const submit = async (plan: Plan, fields = {}) =>
	(await client.submit(prompt('To download', plan), fields)).json.id as string;

describe('which video', () => {
	it.each([
		['landscape', {}, {}],
		['landscape', {}, { size: '1280x720' }],
		['portrait', {}, { size: '720x1280' }],
		['square', {}, { size: '512x512' }],
		['portrait', {}, { metadata: { aspectRatio: '9:16' } }],
		['square', {}, { metadata: { aspectRatio: '1:1' } }],
		['landscape', {}, { metadata: { ratio: '9:16' } }],
		['portrait', {}, { model: 'dreamina-seedance-2-0-fast', metadata: { ratio: '9:16' } }],
		['landscape', {}, { model: 'dreamina-seedance-2-0-fast', metadata: { aspectRatio: '9:16' } }],
		['landscape', {}, { aspectRatio: '9:16' }],
		['square', { video: 'square' }, { size: '720x1280' }],
	])('%s for the plan %j and the fields %j', async (name, plan, fields) => {
		const { bytes } = await client.download(await submit(plan, fields));
		expect(bytes.equals(readMedia(name))).toBe(true);
	});
});

describe('size', () => {
	it('is filled up with a box that players skip', async () => {
		const sizeBytes = 3_000_000;
		const { headers, bytes } = await client.download(await submit({ sizeBytes }));
		expect(Number(headers['content-length'])).toBe(sizeBytes);
		expect(bytes).toHaveLength(sizeBytes);
		const original = readMedia('landscape');
		expect(bytes.subarray(0, original.length).equals(original)).toBe(true);
		expect(boxesOf(bytes).at(-1)).toMatchObject({
			type: 'free',
			start: original.length,
			size: sizeBytes - original.length,
		});
	});

	it('may pass 4 GiB, with a 64-bit box', async () => {
		const sizeBytes = 6 * 2 ** 30;
		const id = await submit({ sizeBytes });
		const from = readMedia('landscape').length;
		const range = `bytes=${from}-${from + 15}`;
		const { status, headers, bytes } = await client.download(id, { headers: { range } });
		expect(status).toBe(206);
		expect(headers['content-range']).toBe(`bytes ${from}-${from + 15}/${sizeBytes}`);
		expect(bytes.readUInt32BE(0)).toBe(1);
		expect(bytes.toString('latin1', 4, 8)).toBe('free');
		expect(bytes.readBigUInt64BE(8)).toBe(BigInt(sizeBytes - from));
	});
});

describe('a video that is too large for memory', () => {
	it('is read from one buffer', () => {
		const { length, read } = openVideo('landscape', 2 ** 30);
		let total = 0;
		const buffers = new Set<unknown>();
		for (const piece of read(0, length)) {
			total += piece.length;
			buffers.add(piece.buffer);
		}
		expect(total).toBe(2 ** 30);
		expect(buffers.size).toBeLessThanOrEqual(2);
	});

	it('is not written faster than the client reads', async () => {
		const id = await submit({ sizeBytes: 2 ** 30 });
		const headers = { authorization: 'Bearer sandbox-key' };
		const client = ignore(`${sandbox.url}/v1/videos/${id}/content`, headers);
		const record = () => sandbox.requests[1];
		await until(() => record()?.sentBytes > 0);
		await pauseMs(200);
		expect(record().sentBytes).toBeLessThan(2 ** 26);
		client.abandon();
		expect(await until(() => record().aborted)).toBe(true);
	});
});

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
		const { status, headers, bytes } = await client.download(await submit({}), {
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
		const all = (await client.download(id)).bytes;
		const range = `bytes=${whole.length - 10}-150000`;
		const { bytes } = await client.download(id, { headers: { range } });
		expect(bytes.equals(all.subarray(whole.length - 10, 150_001))).toBe(true);
	});

	it('that the video does not have is refused', async () => {
		const headers = { range: `bytes=${whole.length}-` };
		const reply = await client.download(await submit({}), { headers });
		expect([reply.status, reply.headers['content-range']]).toEqual([
			416,
			`bytes */${whole.length}`,
		]);
	});

	it.each(['bytes=-', 'items=0-1', 'bytes=0-1,5-6'])('%s is ignored', async (range) => {
		const { status, bytes } = await client.download(await submit({}), { headers: { range } });
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
		const reply = await client.download(await submit(plan), { headers });
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
		const reply = await client.download(id, { headers });
		expect([reply.status, reply.bytes.length]).toEqual([200, whole.length]);
		expect(reply.headers['accept-ranges']).toBe('bytes');
		expect((await client.download(id, { headers })).status).toBe(206);
	});

	it('is ignored where the plan switches ranges off', async () => {
		const headers = { range: 'bytes=0-99' };
		const reply = await client.download(await submit({ range: false }), { headers });
		expect([reply.status, reply.bytes.length]).toEqual([200, whole.length]);
		expect(reply.headers).not.toHaveProperty('accept-ranges');
	});
});

it('sends piece by piece, with a pause after each, where told so', async () => {
	const sizeBytes = 300_000;
	const id = await submit({ sizeBytes, content: [{ pieceDelayMs: 60_000 }, 'trickle'] });
	const start = await client.download(id, { giveUpAfterBytes: 1 });
	expect([start.end, start.bytes.length]).toEqual(['gaveUp', readMedia('landscape').length + 8]);
	expect((await client.download(id)).bytes).toHaveLength(sizeBytes);
});

it('speaks https where told so, with a certificate for both of its names', async () => {
	const secure = await createSandbox({ https: true, foreignHttps: true });
	const { certificate, url, foreignUrl } = secure;
	expect([url, foreignUrl]).toEqual([
		expect.stringMatching(/^https:\/\/127\.0\.0\.1:/),
		expect.stringMatching(/^https:\/\/localhost:/),
	]);
	expect(await getSecure(`${url}/_sandbox/health`, certificate)).toBe(200);
	expect(await getSecure(`${foreignUrl}/files/square.mp4`, certificate)).toBe(200);
	await expect(getSecure(`${url}/_sandbox/health`)).rejects.toThrow(/self-signed/);
	await secure.close();
	expect(sandbox.certificate).toBeUndefined();
});

it('cuts where it was told, and serves the whole next time', async () => {
	const id = await submit({ sizeBytes: 500_000, content: [{ cutAfterBytes: 300_000 }] });
	const first = await client.download(id);
	expect([first.end, first.bytes.length]).toEqual(['cut', 300_000]);
	expect(first.headers['content-length']).toBe('500000');
	const second = await client.download(id);
	expect([second.end, second.bytes.length]).toEqual(['whole', 500_000]);
	expect(sandbox.tasks()[0].downloads).toBe(2);
});

it('ends a chunked transfer early where told so', async () => {
	const id = await submit({ content: [{ noLength: true, cutAfterBytes: 2000 }] });
	const { end, bytes, headers } = await client.download(id);
	expect([end, bytes.length, headers['transfer-encoding']]).toEqual(['cut', 2000, 'chunked']);
});

describe('the storage host', () => {
	it('is another origin, whose records show what it was sent', async () => {
		const { status, bytes } = await call(`${sandbox.foreignUrl}/files/square.mp4`, {
			headers: { 'x-secret': 'leaked' },
		});
		expect(status).toBe(200);
		expect(bytes.equals(readMedia('square'))).toBe(true);
		expect(sandbox.requests[0]).toMatchObject({
			origin: 'foreign',
			path: '/files/square.mp4',
			headers: { 'x-secret': 'leaked' },
			status: 200,
			key: 'none',
		});
		expect(sandbox.foreignUrl).not.toBe(sandbox.url);
	});

	it('refuses a signed address with a key on top, and takes it without', async () => {
		const id = await submit({ resultUrl: 'foreign' });
		const { result_url: address } = (await client.poll(id)).json.data;
		const headers = { authorization: 'Bearer sandbox-key' };
		const refused = await call(address, { headers });
		expect([refused.status, refused.headers['content-type']]).toEqual([400, 'application/xml']);
		const { status, bytes } = await call(address);
		expect(status).toBe(200);
		expect(bytes.equals(readMedia('landscape'))).toBe(true);
		expect(sandbox.requests.at(-1)).toMatchObject({ origin: 'foreign', taskId: id });
		sandbox.set({ foreignRefusesAuthorization: false });
		expect((await call(address, { headers })).status).toBe(200);
	});

	it('serves the task as its plan says', async () => {
		const plan: Plan = { resultUrl: 'foreign', sizeBytes: 100_000, content: ['html502'] };
		const { result_url: address } = (await client.poll(await submit(plan))).json.data;
		expect((await call(address)).status).toBe(502);
		expect((await call(address)).bytes).toHaveLength(100_000);
	});

	it('knows no other files and nothing of the service', async () => {
		expect((await call(`${sandbox.foreignUrl}/files/none.mp4`)).status).toBe(404);
		expect((await call(`${sandbox.foreignUrl}/v1/models`)).status).toBe(404);
		expect((await call(`${sandbox.foreignUrl}/_sandbox/health`)).status).toBe(404);
	});

	it('can go by another name', async () => {
		const other = await createSandbox({ foreignHost: '127.0.0.1' });
		expect(other.foreignUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		expect((await call(`${other.foreignUrl}/files/square.mp4`)).status).toBe(200);
		await other.close();
	});
});

describe('a redirect', () => {
	/** Follows by hand, as a careful client does, and tells every stop. */
	async function follow(content: Plan['content'], most = 10) {
		const id = await submit({ content });
		let reply = await client.download(id);
		const stops: string[] = [];
		for (let n = 0; n < most && reply.headers.location; n++) {
			const { location } = reply.headers;
			stops.push(location);
			const isOwn = location.startsWith(sandbox.url);
			const headers = isOwn ? { authorization: 'Bearer sandbox-key' } : undefined;
			reply = await call(location, { headers });
		}
		return { id, reply, stops };
	}
	const origins = (records: RequestRecord[]) => records.map(({ origin }) => origin);

	it.each([301, 302, 303, 307, 308] as const)('%i to the storage host', async (redirect) => {
		const { reply, stops, id } = await follow([{ redirect, to: 'foreign' }]);
		expect(stops).toEqual([expect.stringContaining(`${sandbox.foreignUrl}/files/`)]);
		expect([reply.status, reply.bytes.length]).toEqual([200, readMedia('landscape').length]);
		const records = sandbox.requests.filter(({ path }) => path !== '/v1/video/generations');
		expect(records.map(({ status }) => status)).toEqual([redirect, 200]);
		expect(origins(records)).toEqual(['service', 'foreign']);
		expect(records.map(({ taskId }) => taskId)).toEqual([id, id]);
	});

	it('to the same origin, for which it consumes one entry only', async () => {
		const { reply, stops, id } = await follow([{ redirect: 307, to: 'self' }, 'html502']);
		expect(stops).toEqual([`${sandbox.url}/v1/videos/${id}/content?final=1`]);
		expect(reply.status).toBe(200);
		expect((await client.download(id)).status).toBe(502);
		expect(sandbox.tasks()[0].downloads).toBe(2);
	});

	it('to another port of the same host', async () => {
		const { reply, stops } = await follow([{ redirect: 302, to: 'otherPort' }]);
		expect(new URL(stops[0]).hostname).toBe(new URL(sandbox.url).hostname);
		expect(new URL(stops[0]).port).toBe(new URL(sandbox.foreignUrl).port);
		expect(reply.status).toBe(200);
	});

	it('to any address', async () => {
		const id = await submit({ content: { redirect: 302, to: 'http://files.test/a.mp4' } });
		expect((await client.download(id)).headers.location).toBe('http://files.test/a.mp4');
	});

	it('of several hops, the last of which leaves', async () => {
		const { reply, stops } = await follow([{ redirect: 302, to: 'foreign', hops: 3 }]);
		expect(stops.map((stop) => new URL(stop).origin)).toEqual([
			...[sandbox.url, sandbox.url, sandbox.foreignUrl],
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
		const { result_url: address } = (await client.poll(await submit(plan))).json.data;
		const { location } = (await call(address)).headers;
		expect(location).toContain(`${sandbox.foreignUrl}/files/landscape.mp4?task=`);
		expect((await call(String(location))).status).toBe(200);

		const moved = await client.submit(prompt('Moved', { submit: [{ redirect: 308, to: 'self' }] }));
		expect([moved.status, sandbox.tasks()]).toEqual([308, [expect.anything()]]);
		const polled = await client.poll(await submit({ poll: [{ redirect: 302, to: 'foreign' }] }));
		expect(polled.headers.location).toContain(`${sandbox.foreignUrl}/v1/video/generations/`);
	});
});
