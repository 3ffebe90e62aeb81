import type { IHttpRequestOptions } from 'n8n-workflow';

import { bodyOf } from './support/body';
import { play } from './support/storage';

// A download that comes too slowly is given up, and gone on with; time is that of fake timers.

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

/** The time-out of the downloads here, which the storage's world gives them. */
const TIMEOUT_S = 60;
const KIB = 1024;

function makeFile(size: number): Buffer {
	const file = Buffer.alloc(size, 7);
	file.writeUInt32BE(size, 0);
	file.write('moov', 4, 'latin1');
	return file;
}

/** Plays a file that comes in pieces of so many bytes, so many seconds apart. */
async function download(size: number, pieceBytes: number, everyS: number) {
	const file = makeFile(size);
	const body = async function* (signal: AbortSignal) {
		for (let at = 0; at < file.length; at += pieceBytes) {
			await jest.advanceTimersByTimeAsync(everyS * 1000);
			if (signal.aborted) throw new Error('canceled');
			yield file.subarray(at, at + pieceBytes);
		}
	};
	const headers = { 'content-length': String(size) };
	const answer = ({ abortSignal }: IHttpRequestOptions) => ({
		...{ statusCode: 200, headers },
		body: bodyOf(body(abortSignal as AbortSignal), false),
	});
	const beginMs = Date.now();
	const { result, requests } = await play({ answer, retries: 0 });
	return { result, requests, seconds: (Date.now() - beginMs) / 1000 };
}

it.each([
	['a byte a second', 1, 1],
	['a little less than 60 KiB a minute, at once', 59 * KIB, 59],
])(
	'%s is too slow: it is given up after the time-out, and says so',
	async (_what, bytes, everyS) => {
		const { result, seconds } = await download(100 * TIMEOUT_S * KIB, bytes, everyS);
		expect(result).toMatchObject({
			message: 'The download ended early',
			description: expect.stringMatching(/^Less than 1 KB per second arrived for 60 seconds/),
		});
		expect(seconds).toBeGreaterThanOrEqual(TIMEOUT_S);
		expect(seconds).toBeLessThanOrEqual(3 * TIMEOUT_S);
	},
);

it.each([
	['1 KiB a second', KIB, 1],
	['60 KiB now and then', 60 * KIB, 59],
])('%s is fast enough for hours', async (_what, bytes, everyS) => {
	const { result, requests, seconds } = await download(60 * TIMEOUT_S * KIB, bytes, everyS);
	expect(result).toHaveProperty('binary');
	expect(requests).toHaveLength(1);
	expect(seconds).toBeGreaterThan(3_500);
});
