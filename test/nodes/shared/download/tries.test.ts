import { countTries } from '../../../../nodes/shared/download/readVideo';
import { makeRun } from '../../../support/makeRun';
import { createVirtualTime } from '../../../support/virtualTime';
import { type Answer, play } from './support/storage';
import { bodyOf } from './support/body';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** How many tries there are where each ends with so many bytes of the file, and how long they take. */
async function count(retries: number, sizes: Iterable<number>) {
	const time = createVirtualTime();
	const tryAgain = countTries({ retries }, { ...makeRun(), clock: time.clock() });
	let tries = 0;
	const work = async () => {
		for (const size of sizes) {
			if (!(await tryAgain({ trouble: { message: 'Cut', retryable: true } }, size))) return;
			tries++;
		}
	};
	await time.run(work());
	return { tries, ms: time.now() };
}

function* growing(by: number) {
	for (let size = by; ; size += by) yield size;
}

describe('the tries of a download', () => {
	it('are counted anew after each that brought the file on, and pause for a second then', async () => {
		expect(await count(1, growing(64 * KIB))).toEqual({ tries: 1000, ms: 1_000_000 });
	});

	it.each([
		['nothing comes', growing(0)],
		['a byte comes each time', growing(1)],
		['too little comes each time', growing(64 * KIB - 1)],
		['files change and begin anew', [...Array(50)].map((_, i) => (i % 2 ? GIB : 900 * MIB))],
	])('come to an end where %s', async (_what, sizes) => {
		const { tries } = await count(5, sizes);
		expect(tries).toBeGreaterThanOrEqual(5);
		expect(tries).toBeLessThanOrEqual(7);
	});

	it('are none where none are wanted', async () => {
		expect(await count(0, growing(GIB))).toMatchObject({ tries: 0 });
	});
});

describe('a file of 2 GiB', () => {
	/** A minute at 25 Mbit/s: the proxy lets no more through. */
	const CUT_AFTER = 180 * MIB;
	const piece = Buffer.alloc(MIB + 1).subarray(1);
	const head = Buffer.alloc(MIB + 1).subarray(1);
	head.writeUInt32BE(1, 0);
	head.write('moov', 4, 'latin1');
	head.writeBigUInt64BE(BigInt(2 * GIB), 8);

	function* body(from: number, to: number) {
		for (let at = from; at < to; at += MIB) yield at === 0 ? head : piece;
	}

	function answer(range: unknown): Answer {
		const from = Number(/^bytes=(\d+)-$/.exec(String(range))?.[1] ?? 0);
		const to = Math.min(from + CUT_AFTER, 2 * GIB);
		const headers = {
			'content-length': String(2 * GIB - from),
			'accept-ranges': 'bytes',
			...(from > 0 && { 'content-range': `bytes ${from}-${2 * GIB - 1}/${2 * GIB}` }),
		};
		const statusCode = from > 0 ? 206 : 200;
		return { statusCode, headers, body: bodyOf(body(from, to), to < 2 * GIB) };
	}

	/** Counts, and keeps nothing. */
	const store = async (stream: AsyncIterable<Uint8Array>) => {
		for await (const chunk of stream) expect(chunk.length).toBeGreaterThan(0);
		return Buffer.alloc(0);
	};

	it('arrives over a proxy that cuts every minute', async () => {
		const pauses: number[] = [];
		const { result, asked } = await play({
			answer: ({ headers }) => answer(headers?.Range),
			store,
			retries: 1,
			onPause: (ms) => void pauses.push(ms),
		});
		expect(result).toMatchObject({ size_bytes: 2 * GIB });
		expect(asked).toHaveLength(Math.ceil((2 * GIB) / CUT_AFTER));
		expect(asked.at(-1)!.headers).toMatchObject({ Range: `bytes=${11 * CUT_AFTER}-` });
		expect(new Set(pauses)).toEqual(new Set([1_000]));
	}, 60_000);
});
