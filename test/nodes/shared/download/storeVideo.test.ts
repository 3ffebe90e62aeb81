import fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { bodyOf } from './support/body';
import { play, type Answer } from './support/storage';

/** An index, and one box: whatever is cut off of it shows. */
function makeFile(length: number, seed: number): Buffer {
	const file = Buffer.from(Array.from({ length }, (_, i) => (i * 31 + seed * 97) % 251));
	file.writeUInt32BE(8, 0);
	file.write('moov', 4, 'latin1');
	file.writeUInt32BE(length - 8, 8);
	file.write('mdat', 12, 'latin1');
	return file;
}

function* inPieces(bytes: Buffer, size: number) {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

interface Behaviour {
	kind: 'video' | 'page' | 'error' | 'reset';
	/** Which of the two files is there at the time. */
	file: number;
	cutAt: number;
	pieces: number;
	tellsLength: boolean;
	tellsTag: boolean;
	parts: 'given' | 'ignored' | 'refused' | 'elsewhere' | 'unknown';
}

const behaviour: fc.Arbitrary<Behaviour> = fc.record({
	kind: fc.constantFrom('video', 'video', 'video', 'video', 'page', 'error', 'reset'),
	file: fc.constantFrom(0, 0, 0, 1),
	cutAt: fc.oneof(fc.integer({ min: 0, max: 700 }), fc.constant(Infinity)),
	pieces: fc.integer({ min: 1, max: 400 }),
	tellsLength: fc.boolean(),
	tellsTag: fc.boolean(),
	parts: fc.constantFrom('given', 'ignored', 'refused', 'elsewhere', 'unknown'),
});

const FILES = [makeFile(600, 1), makeFile(500, 2)];

/** What a server of this behaviour answers; a part that it gives is never one of another file. */
function answer(options: IHttpRequestOptions, now: Behaviour): Answer {
	const { kind, file, tellsLength, tellsTag, parts, pieces, cutAt } = now;
	if (kind === 'reset') throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
	if (kind === 'error') return { statusCode: 502, headers: {}, body: bodyOf([], false) };
	const headers: Record<string, string> = { 'content-type': 'video/mp4' };
	const whole = kind === 'page' ? Buffer.from('<html><body>Gateway</body></html>') : FILES[file];
	if (tellsTag) headers.etag = `"${file}"`;
	if (parts !== 'unknown') headers['accept-ranges'] = 'bytes';
	const { Range, 'If-Range': condition } = (options.headers ?? {}) as Record<string, string>;
	const from = Number(/^bytes=(\d+)-$/.exec(Range ?? '')?.[1] ?? 0);
	const isSame = condition === undefined || condition === headers.etag;
	let body = whole;
	let statusCode = 200;
	if (Range && isSame && parts !== 'ignored' && kind === 'video') {
		if (parts === 'refused' || from >= whole.length) {
			return { statusCode: 416, headers: {}, body: bodyOf([], false) };
		}
		statusCode = 206;
		const start = parts === 'elsewhere' ? from - 1 : from;
		body = whole.subarray(start);
		headers['content-range'] = `bytes ${start}-${whole.length - 1}/${whole.length}`;
	} else if (tellsLength) headers['content-length'] = String(whole.length);
	const isCut = cutAt < body.length;
	return { statusCode, headers, body: bodyOf(inPieces(body.subarray(0, cutAt), pieces), isCut) };
}

describe('storeVideo', () => {
	it('stores one whole file or none, whatever a server does', async () => {
		const outcomes = { whole: 0, none: 0, resumed: 0, begunAnew: 0 };
		const retries = 5;
		await fc.assert(
			fc.asyncProperty(fc.array(behaviour, { minLength: 1, maxLength: 12 }), async (list) => {
				let turn = 0;
				const { result, requests, stored, begun } = await play({
					retries,
					answer: (options) => answer(options, list[Math.min(turn++, list.length - 1)]),
				});
				// A part that did not fit is followed by one request for the whole, which is no new try.
				expect(requests.length).toBeLessThanOrEqual(2 * (retries + 1));
				expect(stored.length).toBe('binary' in result ? 1 : 0);
				for (const bytes of stored) {
					expect(FILES.some((file) => file.equals(bytes))).toBe(true);
					expect(result).toMatchObject({ size_bytes: bytes.length });
				}
				outcomes['binary' in result ? 'whole' : 'none']++;
				if (begun > 1 && 'binary' in result) outcomes.begunAnew++;
				if (requests.some(({ headers }) => headers?.Range) && begun === 1 && 'binary' in result)
					outcomes.resumed++;
			}),
			{ numRuns: 1000 },
		);
		// All of it happened often enough to mean something.
		for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(20);
	});

	const [FILE] = FILES;
	const WEBM = Buffer.concat([
		Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
		Buffer.alloc(500, 7),
	]);
	/** A server that sends the same bytes each time, and does not call them cut. */
	const sending =
		(bytes: Buffer, headers: Record<string, string> = {}) =>
		(): Answer => ({ statusCode: 200, headers, body: bodyOf(inPieces(bytes, 100), false) });

	it.each([
		['that is too short to be one', Buffer.alloc(5), { message: 'The file is not a video' }, 0],
		[
			'whose length alone shows that it is cut',
			WEBM.subarray(0, 300),
			{ description: 'Only 300 of 528 bytes arrived' },
			1,
		],
	])('stores nothing of a file %s', async (_what, bytes, why, opened) => {
		const answer = sending(bytes, { 'content-length': bytes.length < 300 ? '5' : '528' });
		const { result, stored, begun } = await play({ answer, retries: 0 });
		expect([begun, stored]).toEqual([opened, []]);
		expect(result).toMatchObject(why);
	});

	it.each(['application/octet-stream', 'video/mp4', ''])(
		'stores a WebM that comes as "%s", under its own type and name',
		async (type) => {
			const { result, stored } = await play({ answer: sending(WEBM, { 'content-type': type }) });
			expect(result).toMatchObject({ mime_type: 'video/webm', file_name: 'task_1.webm' });
			expect(stored).toEqual([WEBM]);
		},
	);

	const [MOOF, MFRA] = ['moof', 'mfra'].map((type) => Buffer.from(`\0\0\0\x08${type}`, 'latin1'));
	const OPEN = Buffer.from('\0\0\0\0mdat', 'latin1');
	it.each<[string, Buffer[], Record<string, string>, number]>([
		['fragments alone', [MOOF, FILE], {}, 1],
		['fragments and their mark at the end', [MOOF, FILE, MFRA], {}, 0],
		['fragments of a known length', [MOOF, FILE], { 'content-length': '1208' }, 0],
		['data without a length', [OPEN], {}, 1],
		['data without a length in a known one', [OPEN], { 'content-length': '608' }, 0],
	])('says if a film may have gone on: %s', async (_what, rest, known, count) => {
		const file = Buffer.concat([FILE, ...rest]);
		const { hints, stored } = await play({ answer: sending(file, known) });
		expect(stored).toEqual([file]);
		expect(hints).toHaveLength(count);
	});

	it.each(['500', '*'])('knows no end between two boxes (a part of %s)', async (total) => {
		const file = Buffer.concat([makeFile(300, 3), makeFile(200, 4)]);
		const part = (from: number, to: number): Answer => ({
			statusCode: 206,
			headers: { 'content-range': `bytes ${from}-499/${total}` },
			body: bodyOf([file.subarray(from, to)], false),
		});
		const first = { 'content-length': '500', 'accept-ranges': 'bytes' };
		const answers = [
			{ statusCode: 200, headers: first, body: bodyOf([file.subarray(0, 100)], true) },
			part(100, 300),
			part(300, 500),
		];
		const { requests, stored } = await play({ answer: () => answers.shift()! });
		expect(requests.map(({ headers }) => headers?.Range)).toEqual([
			...[undefined, 'bytes=100-', 'bytes=300-'],
		]);
		expect(stored).toEqual([file]);
	});

	it.each([
		['is full', 0, 'ENOSPC: no space left on device'],
		['wrote less than it read', Infinity, 'It wrote 599 of 600 bytes'],
	])('does not begin anew where the storage %s, and says so', async (_what, space, description) => {
		const store = async (stream: AsyncIterable<Uint8Array>) => {
			let bytes = 0;
			for await (const piece of stream) {
				bytes += piece.length;
				if (bytes > space) throw new Error(description);
			}
			return Buffer.alloc(bytes - 1);
		};
		const { result, requests } = await play({ answer: sending(FILE), store });
		const message = 'n8n could not store the video';
		expect(result).toMatchObject({ message, description, passes: false, everywhere: true });
		expect(requests).toHaveLength(1);
		expect((requests[0].abortSignal as AbortSignal).aborted).toBe(true);
	});
});
