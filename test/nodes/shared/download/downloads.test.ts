import { type FileFacts, isRest, rangeHeaders } from '../../../../nodes/shared/download/fileParts';
import { readFacts } from '../../../../nodes/shared/download/readVideo';

describe('parts of a file', () => {
	const whole = (headers: Record<string, string>) => readFacts({ status: 200, headers });
	const part = (range: string, headers: Record<string, string> = {}) =>
		readFacts({ status: 206, headers: { 'content-range': range, ...headers } });
	const bytes = { 'accept-ranges': 'bytes' };
	const date = 'Wed, 21 Oct 2026 07:28:00 GMT';

	it('knows the length of a file, unless the body is encoded', () => {
		expect(whole({ 'content-length': '7' })).toMatchObject({ from: 0, total: 7 });
		expect(whole({ 'content-length': '7', 'content-encoding': 'gzip' }).total).toBeUndefined();
		expect(whole({ 'content-length': '7, 7' }).total).toBeUndefined();
		expect(part('bytes 3-9/10')).toMatchObject({ from: 3, total: 10 });
		expect(part('bytes 3-9/*')).toMatchObject({ from: 3, total: undefined });
		expect(part('bytes */10').from).toBeNaN();
	});

	it.each<[string, Record<string, string>, Record<string, string>]>([
		['parts are given', bytes, { Range: 'bytes=5-' }],
		['a strong ETag', { etag: '"a"' }, { Range: 'bytes=5-', 'If-Range': '"a"' }],
		['a date', { 'last-modified': date }, { Range: 'bytes=5-', 'If-Range': date }],
		['both', { etag: '"a"', 'last-modified': date }, { Range: 'bytes=5-', 'If-Range': '"a"' }],
		['a weak ETag', { etag: 'W/"a"' }, {}],
		['a weak ETag, parts are given', { etag: 'W/"a"', ...bytes }, { Range: 'bytes=5-' }],
		['parts are not given', { etag: '"a"', 'accept-ranges': 'none' }, {}],
		['nothing', {}, {}],
	])('asks after %s', (_name, headers, asked) => {
		expect(rangeHeaders(whole(headers), 5)).toEqual(asked);
		expect(rangeHeaders(whole(headers), 0)).toEqual({});
	});

	it('asks for nothing where nothing is known', () =>
		expect(rangeHeaders(undefined, 5)).toEqual({}));

	const known: FileFacts = { from: 0, total: 10, etag: '"a"', lastModified: date };
	it.each<[string, FileFacts, boolean]>([
		['the rest', part('bytes 5-9/10'), true],
		['the rest of a file of unknown length', part('bytes 5-9/*'), true],
		['the rest, with its ETag', part('bytes 5-9/10', { etag: '"a"' }), true],
		['another part', part('bytes 4-9/10'), false],
		['a part that does not say which', part('bytes ?'), false],
		['a rest of another length', part('bytes 5-9/11'), false],
		['a rest with another ETag', part('bytes 5-9/10', { etag: '"b"' }), false],
		['a rest of another day', part('bytes 5-9/10', { 'last-modified': 'Thu' }), false],
	])('%s', (_name, facts, fits) => expect(isRest(facts, known, 5)).toBe(fits));
});
