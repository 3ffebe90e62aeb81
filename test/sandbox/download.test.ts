import type { Plan } from '../../sandbox/service';
import { openVideo } from '../../sandbox/service/media';
import { open } from './support/call';
import { pauseMs, prompt, until } from './support/client';
import { readMedia } from './support/files';
import { boxesOf } from './support/mp4';
import { useSandbox } from './support/stage';

// Videos of any size, and how they are sent.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());

const submit = async (plan: Plan, fields = {}) =>
	(await stage.client.submit(prompt('To download', plan), fields)).json.id as string;

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
		const { bytes } = await stage.client.download(await submit(plan, fields));
		expect(bytes.equals(readMedia(name))).toBe(true);
	});
});

describe('size', () => {
	it('is filled up with a box that players skip', async () => {
		const sizeBytes = 3_000_000;
		const { headers, bytes } = await stage.client.download(await submit({ sizeBytes }));
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
		const { status, headers, bytes } = await stage.client.download(id, { headers: { range } });
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
		const unread = await open(`${stage.sandbox.url}/v1/videos/${id}/content`, headers);
		const record = () => stage.sandbox.requests[1];
		await until(() => record()?.sentBytes > 0);
		await pauseMs(200);
		expect(record().sentBytes).toBeLessThan(2 ** 26);
		unread.data.destroy();
		expect(await until(() => record().aborted)).toBe(true);
	});
});

it('sends piece by piece, with a pause after each, where told so', async () => {
	const sizeBytes = 300_000;
	const id = await submit({ sizeBytes, content: [{ pieceDelayMs: 60_000 }, 'trickle'] });
	const start = await stage.client.download(id, { giveUpAfterBytes: 1 });
	expect([start.end, start.bytes.length]).toEqual(['gaveUp', readMedia('landscape').length + 8]);
	expect((await stage.client.download(id)).bytes).toHaveLength(sizeBytes);
});

it('cuts where it was told, and serves the whole next time', async () => {
	const id = await submit({ sizeBytes: 500_000, content: [{ cutAfterBytes: 300_000 }] });
	const first = await stage.client.download(id);
	expect([first.end, first.bytes.length]).toEqual(['cut', 300_000]);
	expect(first.headers['content-length']).toBe('500000');
	const second = await stage.client.download(id);
	expect([second.end, second.bytes.length]).toEqual(['whole', 500_000]);
	expect(stage.sandbox.tasks()[0].downloads).toBe(2);
});

it('ends a chunked transfer early where told so', async () => {
	const id = await submit({ content: [{ noLength: true, cutAfterBytes: 2000 }] });
	const { end, bytes, headers } = await stage.client.download(id);
	expect([end, bytes.length, headers['transfer-encoding']]).toEqual(['cut', 2000, 'chunked']);
});
