import {
	askToResume,
	countRetries,
	isContinuation,
	readFacts,
} from '../../../../nodes/shared/download/readVideo';
import { makeRun } from '../../../support/makeRun';
import { createVirtualTime } from '../../../support/virtualTime';

const MIB = 1024 ** 2;
const BYTES = { 'accept-ranges': 'bytes' };
const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';
const whole = (headers: Record<string, string>) => readFacts({ status: 200, headers });
const part = (range: string, headers: Record<string, string> = {}) =>
	readFacts({ status: 206, headers: { 'content-range': range, ...headers } });

it('the length of a file is known, unless the body is encoded', () => {
	expect(whole({ 'content-length': '7' })).toMatchObject({ from: 0, total: 7 });
	expect(whole({ 'content-length': '7', 'content-encoding': 'gzip' }).total).toBeUndefined();
	expect(whole({ 'content-length': '7, 7' }).total).toBeUndefined();
	expect(part('bytes 3-9/10')).toMatchObject({ from: 3, total: 10 });
	expect(part('bytes */10').from).toBeNaN();
});

it.each<[string, Record<string, string>, Record<string, string> | undefined]>([
	['a weak ETag', { etag: 'W/"a"' }, undefined],
	['a weak ETag and parts', { etag: 'W/"a"', ...BYTES }, {}],
	['nothing', {}, undefined],
])('a file is resumed after %s, if it can be', (_name, headers, conditions) => {
	expect(askToResume(whole(headers), 5)).toEqual(
		conditions && { Range: 'bytes=5-', ...conditions },
	);
});

it.each([
	['the next part', part('bytes 5-9/10', { etag: '"a"' }), true],
	['the next part of a file of unknown length', part('bytes 5-9/*'), true],
	['a part that does not say which', part('bytes ?'), false],
	['another length', part('bytes 5-9/11'), false],
	['another day', part('bytes 5-9/10', { 'last-modified': 'Thu' }), false],
])('nothing but the next part continues a file: %s', (_name, facts, expected) => {
	const first = whole({ 'content-length': '10', etag: '"a"', 'last-modified': DATE });
	expect(isContinuation(facts, first, 5)).toBe(expected);
});

/** How many retries there are where each try ends with so many bytes, and how long they take. */
async function count(retries: number, sizes: Iterable<number>) {
	const time = createVirtualTime();
	const mayRetry = countRetries({ retries }, { ...makeRun(), clock: time.clock() });
	let tries = 0;
	const work = async () => {
		for (const size of sizes) {
			if (!(await mayRetry({ kind: 'address', message: 'Cut', passes: true }, size))) return;
			tries++;
		}
	};
	await time.run(work());
	return { tries, ms: time.now() };
}

function* growing(by: number) {
	for (let size = by; ; size += by) yield size;
}

it('retries are counted anew after each that brought the file on, and pause for a second then', async () => {
	expect(await count(1, growing(64 * 1024))).toEqual({ tries: 1000, ms: 1_000_000 });
});

it.each([
	['nothing comes', growing(0)],
	['too little comes each time', growing(64 * 1024 - 1)],
	['files change and begin anew', [...Array(50)].map((_, i) => (i % 2 ? 1000 : 900) * MIB)],
])('retries come to an end where %s', async (_what, sizes) => {
	const { tries } = await count(5, sizes);
	expect(tries).toBeGreaterThanOrEqual(5);
	expect(tries).toBeLessThanOrEqual(7);
});
