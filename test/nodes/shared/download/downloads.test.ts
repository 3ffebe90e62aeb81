import {
	isRest,
	rangeHeaders,
	readFacts,
	type FileFacts,
} from '../../../../nodes/shared/download/fileParts';
import { usableResultUrl } from '../../../../nodes/shared/download/resultUrl';

describe('usableResultUrl', () => {
	const PUBLIC = 'https://api.example.com';
	const own = `${PUBLIC}/v1/videos/task_1/content`;
	const usable = (result_url: string | undefined, baseUrl = PUBLIC) =>
		usableResultUrl(result_url, { baseUrl }, own);

	it.each([
		'https://storage.example.com/a.mp4?signature=1',
		'http://api.example.com/v1/videos/task_1/content',
		'https://api.example.com/other.mp4',
		'https://8.8.8.8/a.mp4',
		'https://[2606:4700::1]/a.mp4',
		'https://172.32.0.1/a.mp4',
		'https://localhost.example.com/a.mp4',
	])('takes %s', (url) => expect(usable(url)).toBe(url));

	it.each([
		own,
		`  ${own} `,
		'HTTPS://API.example.com:443/v1/videos/task_1/content',
		undefined,
		'',
		'upstream did not answer',
		'ftp://storage.example.com/a.mp4',
		'file:///etc/passwd',
		'/v1/videos/task_1/content',
		'http://',
	])('does not take %p', (url) => expect(usable(url)).toBeUndefined());

	const machine = [
		'http://localhost:3000/v1/videos/task_1/content',
		'http://LOCALHOST/a.mp4',
		'http://localhost./a.mp4',
		'http://minio.localhost/a.mp4',
		'http://127.0.0.1/a.mp4',
		'http://127.8.9.1/a.mp4',
		'http://2130706433/a.mp4',
		'http://0x7f.1/a.mp4',
		'http://0.0.0.0/a.mp4',
		'http://[::1]:9000/a.mp4',
		'http://[::]/a.mp4',
		'http://[::ffff:127.0.0.1]/a.mp4',
	];
	const network = [
		'http://10.1.2.3/a.mp4',
		'http://192.168.0.4/a.mp4',
		'http://172.16.0.1/a.mp4',
		'http://172.31.255.1/a.mp4',
		'http://169.254.169.254/a.mp4',
		'http://[fd00::1]/a.mp4',
		'http://[fe80::1]/a.mp4',
		'http://minio:9000/a.mp4',
		'http://nas.local/a.mp4',
		'http://storage.internal/a.mp4',
		'http://[::ffff:10.0.0.1]/a.mp4',
	];

	it.each([...machine, ...network])('takes %s for an address of the operator', (url) => {
		expect(usable(url)).toBeUndefined();
	});

	it.each([...machine, ...network])('takes %s where the service is on this machine', (url) => {
		expect(usable(url, 'http://127.0.0.1:4010')).toBe(new URL(url).href);
	});

	it.each(['http://10.1.2.3:3000', 'http://new-api:3000/proxy', 'http://[fd00::7]'])(
		'where the service is at %s, takes its network and not its machine',
		(baseUrl) => {
			expect(network.filter((url) => !usable(url, baseUrl))).toEqual([]);
			expect(machine.filter((url) => usable(url, baseUrl))).toEqual([]);
		},
	);
});

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
