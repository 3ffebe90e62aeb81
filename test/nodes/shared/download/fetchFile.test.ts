import fc from 'fast-check';

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

const behaviour = fc.record({
	kind: fc.constantFrom('video', 'video', 'video', 'page', 'error', 'reset'),
	/** Which of the two files is there at the time. */
	file: fc.constantFrom(0, 1),
	cutAt: fc.oneof(fc.integer({ min: 0, max: 700 }), fc.constant(Infinity)),
	/** The cut is an end that HTTP does not tell from the right one. */
	isSilent: fc.boolean(),
	pieces: fc.integer({ min: 1, max: 400 }),
	tellsLength: fc.boolean(),
});
type Behaviour = typeof behaviour extends fc.Arbitrary<infer Value> ? Value : never;

const FILES = [makeFile(600, 1), makeFile(500, 2)];
const [FILE] = FILES;

function answer({ kind, file, tellsLength, isSilent, pieces, cutAt }: Behaviour): Answer {
	if (kind === 'reset') throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
	if (kind === 'error') return { statusCode: 502, headers: {}, body: bodyOf([], false) };
	const headers: Record<string, string> = { 'content-type': 'video/mp4' };
	const whole = kind === 'page' ? Buffer.from('<html><body>Gateway</body></html>') : FILES[file];
	if (tellsLength) headers['content-length'] = String(whole.length);
	const body = bodyOf(
		inPieces(whole.subarray(0, cutAt), pieces),
		!isSilent && cutAt < whole.length,
	);
	return { statusCode: 200, headers, body };
}

it('stores one whole file or none, whatever a server does', async () => {
	const outcomes = { whole: 0, none: 0, begunAnew: 0 };
	const retries = 2;
	await fc.assert(
		fc.asyncProperty(fc.array(behaviour, { minLength: 1, maxLength: 4 }), async (list) => {
			let turn = 0;
			const { result, requests, stored, begun } = await play({
				options: { retries },
				answer: () => answer(list[Math.min(turn++, list.length - 1)]),
			});
			expect(requests.length).toBeLessThanOrEqual(retries + 1);
			expect(stored.length).toBe('binary' in result ? 1 : 0);
			for (const bytes of stored) {
				expect(FILES.some((file) => file.equals(bytes))).toBe(true);
				expect(result).toMatchObject({ size_bytes: bytes.length });
			}
			outcomes['binary' in result ? 'whole' : 'none']++;
			if (begun > 1 && 'binary' in result) outcomes.begunAnew++;
		}),
		{ numRuns: 500 },
	);
	// All of it happened often enough to mean something.
	for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(20);
});

const WEBM = Buffer.concat([
	Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
	Buffer.alloc(500, 7),
]);
const PART = WEBM.subarray(0, 300);
const lengthOf = (bytes: string): Record<string, string> => ({ 'content-length': bytes });
/** A server that sends the same bytes each time, and does not call them cut. */
const sending =
	(bytes: Buffer, headers: Record<string, string> = {}) =>
	(): Answer => ({ statusCode: 200, headers, body: bodyOf(inPieces(bytes, 100), false) });

const PART_OF = { ...lengthOf('300'), 'content-range': 'bytes 0-299/528' };
it.each([
	['that is too short to be one', Buffer.alloc(5), lengthOf('5'), 'the file is not a video', 0],
	['whose length alone shows a cut', PART, lengthOf('528'), 'the download ended early', 1],
	['that comes in part, unasked, as 206', PART, PART_OF, 'the download ended early', 1],
])('stores nothing of a file %s', async (_what, bytes, headers, message, opened) => {
	const cut = sending(bytes, headers);
	const { result, stored, begun } = await play({ answer: cut, options: { retries: 0 } });
	expect([begun, stored]).toEqual([opened, []]);
	expect(result).toMatchObject({ message: expect.stringContaining(message), retryable: true });
});

it('stores a WebM that comes as something else under its own type and name', async () => {
	const { result, stored } = await play({
		answer: sending(WEBM, { 'content-type': 'text/plain' }),
	});
	expect(result).toMatchObject({ mime_type: 'video/webm', file_name: 'task_1.webm' });
	expect(stored).toEqual([WEBM]);
});

/** Boxes with an index, as a recorder writes the sound of an M4A (promptfoo, pull request 10172, 2026). */
const M4A = Buffer.concat([
	Buffer.from('0000001066747970', 'hex'),
	Buffer.from('isom\0\0\0\0', 'latin1'),
	FILE,
]);

it.each([
	['by the type that its server tells', 'https://api.example.com/1', 'audio/mp4', 'audio/mp4'],
	['by its name', 'https://api.example.com/1.m4a', 'application/octet-stream', 'audio/mp4'],
	['a video otherwise', 'https://api.example.com/1', 'application/octet-stream', 'video/mp4'],
])('a sound in a container of videos is one %s', async (_what, address, told, mime_type) => {
	const answer = sending(M4A, { 'content-type': told });
	const { result } = await play({ address, answer, kind: 'sound' });
	expect(result).toMatchObject({ mime_type });
});

it('a text that is called a sound is none', async () => {
	const answer = sending(Buffer.from('{"message": "Not ready yet"}'), {
		'content-type': 'audio/mpeg',
	});
	const { result, stored } = await play({ answer, kind: 'sound', options: { retries: 0 } });
	expect(result).toMatchObject({ message: expect.stringContaining('the file is not a sound') });
	expect(stored).toEqual([]);
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
	expect(result).toMatchObject({
		message: expect.stringContaining(message),
		description: expect.stringContaining(description),
		retryable: false,
	});
	expect(requests).toHaveLength(1);
	expect((requests[0].abortSignal as AbortSignal).aborted).toBe(true);
});
