import { createMp4Check } from '../../../../nodes/shared/download/mp4';
import { askForRest, isRestOf, readFacts } from '../../../../nodes/shared/download/readVideo';

const BYTES = { 'accept-ranges': 'bytes' };
const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';
const whole = (headers: Record<string, string>) => readFacts({ status: 200, headers });
const part = (range: string, headers: Record<string, string> = {}) =>
	readFacts({ status: 206, headers: { 'content-range': range, ...headers } });

/** A file of which so many bytes have come. */
function reading(headers: Record<string, string>, size = 5) {
	const check = createMp4Check();
	check.feed(Buffer.alloc(size));
	return { known: whole(headers), check };
}

it('knows the length of a file, unless the body is encoded', () => {
	expect(whole({ 'content-length': '7' })).toMatchObject({ from: 0, total: 7 });
	expect(whole({ 'content-length': '7', 'content-encoding': 'gzip' }).total).toBeUndefined();
	expect(whole({ 'content-length': '7, 7' }).total).toBeUndefined();
	expect(part('bytes 3-9/10')).toMatchObject({ from: 3, total: 10 });
	expect(part('bytes 3-9/*')).toMatchObject({ from: 3, total: undefined });
	expect(part('bytes */10').from).toBeNaN();
});

it.each<[string, Record<string, string>, Record<string, string> | undefined]>([
	['parts are given', BYTES, { Range: 'bytes=5-' }],
	['a strong ETag', { etag: '"a"' }, { Range: 'bytes=5-', 'If-Range': '"a"' }],
	['a date', { 'last-modified': DATE }, { Range: 'bytes=5-', 'If-Range': DATE }],
	['both', { etag: '"a"', 'last-modified': DATE }, { Range: 'bytes=5-', 'If-Range': '"a"' }],
	['a weak ETag', { etag: 'W/"a"' }, undefined],
	['a weak ETag, parts are given', { etag: 'W/"a"', ...BYTES }, { Range: 'bytes=5-' }],
	['parts are not given', { etag: '"a"', 'accept-ranges': 'none' }, undefined],
	['nothing', {}, undefined],
])('asks for a rest after %s', (_name, headers, asked) => {
	expect(askForRest(reading(headers))).toEqual(asked);
	expect(askForRest(reading(headers, 0))).toBeUndefined();
});

it.each([
	['the rest', part('bytes 5-9/10'), true],
	['the rest of a file of unknown length', part('bytes 5-9/*'), true],
	['the rest, with its ETag', part('bytes 5-9/10', { etag: '"a"' }), true],
	['another part', part('bytes 4-9/10'), false],
	['a part that does not say which', part('bytes ?'), false],
	['a rest of another length', part('bytes 5-9/11'), false],
	['a rest with another ETag', part('bytes 5-9/10', { etag: '"b"' }), false],
	['a rest of another day', part('bytes 5-9/10', { 'last-modified': 'Thu' }), false],
])('takes nothing but the rest: %s', (_name, facts, fits) => {
	const headers = { 'content-length': '10', etag: '"a"', 'last-modified': DATE };
	expect(isRestOf(reading(headers), facts)).toBe(fits);
});
