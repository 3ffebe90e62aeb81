import { readWithMp4Box } from '../engine/videoJoin/support/clips';
import { readMedia } from './support/files';
import { type Plan, type RequestRecord, createSandbox } from '../../sandbox/service';
import { open, call, getSecure } from './support/call';
import { pauseMs, prompt, until } from './support/client';
import { useSandbox } from './support/stage';

// Videos of any size, parts of them, and the ways to other addresses.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());

const submit = async (plan: Plan, fields = {}) =>
	(await stage.client.submit(prompt('To download', plan), fields)).json.id as string;

describe('which video', () => {
	it.each([
		['landscape', {}, {}],
		['portrait', {}, { size: '720x1280' }],
		['portrait', {}, { metadata: { aspectRatio: '9:16' } }],
		['portrait', {}, { model: 'dreamina-seedance-2-0-fast', metadata: { ratio: '9:16' } }],
		['wide', {}, { model: 'dreamina-seedance-2-0-fast', metadata: { ratio: '21:9' } }],
		['upright', {}, { size: '768x1024' }],
		['classic', {}, { size: '4:3' }],
		['square', { video: 'square' }, { size: '720x1280' }],
	])('%s for the plan %j and the fields %j', async (name, plan, fields) => {
		const { bytes } = await stage.client.download(await submit(plan, fields));
		expect(bytes.equals(readMedia(name))).toBe(true);
	});
});

describe('the last frame', () => {
	const seedance = 'doubao-seedance-1-5-pro-251215';
	const fields = { model: seedance, metadata: { return_last_frame: true } };
	const lastFrameOf = async (id: string) =>
		(await stage.client.poll(id)).json.data.data?.content.last_frame_url as string | undefined;

	it.each(['contract', 'gateway'] as const)(
		'is a picture at the storage host, in the profile %s',
		async (profile) => {
			stage.sandbox.set({ profile });
			const url = await lastFrameOf(await submit({}, fields));
			expect(url).toMatch(`${stage.sandbox.foreignUrl}/files/landscape.png?task=`);
			const { headers, bytes } = await call(url!);
			expect(headers['content-type']).toBe('image/png');
			expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
		},
	);

	it('comes only from a model that can, which was asked, once the video is there', async () => {
		const { metadata } = fields;
		const ids = [await submit({}, { metadata }), await submit({}, { model: seedance })];
		ids.push(await submit({ outcome: 'FAILURE' }, fields));
		ids.push(await submit({ renderMs: 9999 }, fields));
		ids.push(await submit({ lastFrameUrl: 'none' }, fields));
		for (const id of ids) expect(await lastFrameOf(id)).toBeUndefined();
	});

	it('breaks as the plan says', async () => {
		const elsewhere = 'http://10.0.0.1/frame.png';
		expect(await lastFrameOf(await submit({ lastFrameUrl: elsewhere }, fields))).toBe(elsewhere);
		const url = await lastFrameOf(await submit({ lastFrame: ['notFound404', 'cut'] }, fields));
		expect((await call(url!)).status).toBe(404);
		expect((await call(url!)).end).toBe('cut');
		expect((await call(url!)).end).toBe('whole');
	});
});

it.each([2, 8, 15])('lasts as long as was asked for: %d s', async (seconds) => {
	for (const size of ['1280x720', '720x1280', '720x720']) {
		const id = await submit({ sizeBytes: 100_000 }, { size, duration: seconds });
		const { bytes } = await stage.client.download(id);
		expect(bytes).toHaveLength(100_000);
		const film = await readWithMp4Box(bytes);
		expect(film.seconds).toBe(seconds);
		expect(film.pictureSeconds).toBeCloseTo(seconds, 2);
	}
});

describe('a video that is too large for memory', () => {
	it('is not written faster than the client reads', async () => {
		const id = await submit({ sizeBytes: 2 ** 30 });
		const headers = { authorization: 'Bearer sandbox-key' };
		const unread = await open(`${stage.sandbox.url}/v1/videos/${id}/content`, headers);
		const record = () => stage.sandbox.requests[1];
		await until(() => record()?.sentBytes > 0);
		await pauseMs(200);
		expect(record().sentBytes).toBeLessThan(2 ** 26);
		unread.data.destroy();
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
});

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

	it.each([301, 307] as const)('%i to the storage host', async (redirect) => {
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
	expect(stage.sandbox.certificate).toBeUndefined();
});
