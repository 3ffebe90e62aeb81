import { toBaseUrl, toHttpUrl } from '../../../../nodes/shared/service/baseUrl';
import { sniffImage, toBase64 } from '../../../../nodes/shared/service/image';
import { toVendorFields } from '../../../../nodes/shared/service/modelFamily';
import { toNetworkFault } from '../../../../nodes/shared/service/noAnswer';
import {
	delayMs,
	MAX_CONNECT_RETRIES,
	MAX_REFUSAL_RETRIES,
	paidRetryDelayMs,
	readRetryAfter,
} from '../../../../nodes/shared/service/retry';

describe('toBaseUrl', () => {
	it.each([
		['https://api.example.com', 'https://api.example.com'],
		[' https://api.example.com/ ', 'https://api.example.com'],
		['https://api.example.com///', 'https://api.example.com'],
		['https://api.example.com/v1', 'https://api.example.com'],
		['https://api.example.com/v1beta/', 'https://api.example.com'],
		['https://api.example.com/v1/video/generations', 'https://api.example.com'],
		['http://localhost:3000/proxy/v1/', 'http://localhost:3000/proxy'],
		['https://api.example.com/v10', 'https://api.example.com/v10'],
		['api.example.com', 'https://api.example.com'],
		['API.example.com:8443/v1', 'https://API.example.com:8443'],
		['api.example.com?key=1', undefined],
		['127.0.0.1:3000', undefined],
		['localhost:3000', undefined],
		['a-key-in-the-wrong-field', undefined],
		['me@example.com', undefined],
		['ftp://api.example.com', undefined],
		['https://api.example.com?key=1', undefined],
		['https://', undefined],
		[undefined, undefined],
	])('reads %p as %p', (typed, baseUrl) => {
		expect(toBaseUrl(typed)).toBe(baseUrl);
	});

	it('takes for a URL only http and https', () => {
		expect(toHttpUrl('HTTPS://A.example/x')?.href).toBe('https://a.example/x');
		expect(toHttpUrl('data:video/mp4,x')).toBeUndefined();
	});
});

describe('images', () => {
	it.each([
		['89504e470d0a1a0a', 'image/png'],
		['ffd8ffe000104a464946', 'image/jpeg'],
		['474946383961', 'image/gif'],
		['52494646aabbccdd57454250', 'image/webp'],
		['0000001c6674797061766966', 'image/avif'],
		['255044462d312e37', undefined],
		['', undefined],
	])('knows %s as %p', (hex, mimeType) => {
		expect(sniffImage(Buffer.from(hex, 'hex'))).toBe(mimeType);
	});

	it.each([
		['data:image/png;base64,AAAA', 'AAAA'],
		['AA\nAA', 'AAAA'],
		['data:image/svg+xml,%3Csvg%3E', undefined],
		['not base64!', undefined],
		['', undefined],
	])('takes the base64 of %p: %p', (text, base64) => {
		expect(toBase64(text)).toBe(base64);
	});
});

describe('toVendorFields', () => {
	it('spells for each family, and tells what it has no field for', () => {
		const options = { aspectRatio: '9:16', negativePrompt: 'text' };
		expect(toVendorFields('veo-3.1', options)).toEqual({
			family: 'Veo',
			fields: { aspectRatio: '9:16', negativePrompt: 'text' },
			unknown: [],
		});
		expect(toVendorFields('doubao-seedance-1', options)).toEqual({
			family: 'Seedance',
			fields: { ratio: '9:16' },
			unknown: ['negativePrompt'],
		});
		expect(toVendorFields('other', options).unknown).toEqual(['aspectRatio', 'negativePrompt']);
	});

	it('sends false and zero, which people set on purpose', () => {
		expect(toVendorFields('veo-3.1', { generateAudio: false, seed: 0 }).fields).toEqual({
			generateAudio: false,
			seed: 0,
		});
	});
});

describe('retries of what costs money', () => {
	const refused = (httpCode: number | undefined, retryable = true) =>
		({ kind: 'refused', error: { message: '', httpCode, retryable } }) as const;

	it('repeats clear refusals that may pass, with growing delays', () => {
		const delays = [1, 2, 3, 8].map((attempt) => paidRetryDelayMs(refused(429), attempt, 0));
		expect(delays).toEqual([1000, 2000, 4000, 30_000]);
		expect(paidRetryDelayMs(refused(503), MAX_REFUSAL_RETRIES + 1, 0)).toBeUndefined();
		expect(paidRetryDelayMs(refused(undefined), MAX_CONNECT_RETRIES, 0)).toBeDefined();
		expect(paidRetryDelayMs(refused(undefined), MAX_CONNECT_RETRIES + 1, 0)).toBeUndefined();
	});

	it('does as Retry-After says', () => {
		expect(paidRetryDelayMs({ ...refused(429), retryAfterMs: 7_000 }, 1, 0)).toBe(7_000);
	});

	it('makes nobody wait longer than they would', () => {
		const within = (attempt: number) => paidRetryDelayMs(refused(429), attempt, 0, 10_000);
		expect([within(4), within(5)]).toEqual([8000, undefined]);
	});

	it.each([400, 401, 403, 404, 409, 413, 422])('never repeats status %d', (status) => {
		expect(paidRetryDelayMs(refused(status), 1, 0)).toBeUndefined();
	});

	it('never repeats what is unclear, nor a model that is not there', () => {
		const error = { message: '', httpCode: 503, retryable: true };
		expect(paidRetryDelayMs({ kind: 'unclear', error }, 1, 0)).toBeUndefined();
		expect(paidRetryDelayMs(refused(503, false), 1, 0)).toBeUndefined();
	});

	it('spreads the delays of a batch', () => {
		expect(delayMs(1, 1)).toBe(750);
	});
});

describe('readRetryAfter', () => {
	const read = (value?: string) =>
		readRetryAfter({ status: 429, body: '', headers: value ? { 'retry-after': value } : {} });

	it('reads seconds', () => expect(read('7')).toBe(7_000));

	it('reads a date', () => {
		const ms = read(new Date(Date.now() + 30_000).toUTCString());
		expect(ms).toBeGreaterThan(20_000);
		expect(ms).toBeLessThanOrEqual(30_000);
	});

	it('waits for two minutes at most', () => {
		expect(read('86400')).toBe(120_000);
		expect(read('Fri, 01 Jan 2100 00:00:00 GMT')).toBe(120_000);
	});

	it.each([undefined, '-5', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'])('ignores %p', (value) => {
		expect(read(value)).toBeUndefined();
	});
});

describe('toNetworkFault', () => {
	it.each([
		[{ code: 'ECONNREFUSED' }, 'notSent'],
		[{ cause: { code: 'ENOTFOUND' } }, 'notSent'],
		[{ httpCode: 'ECONNREFUSED' }, 'notSent'],
		[{ cause: { cause: { code: 'ECONNRESET' } } }, 'unclear'],
		[{ code: 'ECONNABORTED' }, 'unclear'],
		[{ code: 'ERR_CANCELED' }, 'canceled'],
		[{ httpCode: '502' }, 'unclear'],
		[new Error('?'), 'unclear'],
		[undefined, 'unclear'],
	])('reads %p as %s', (error, network) => {
		expect(toNetworkFault(error)).toMatchObject({ network, message: expect.any(String) });
	});
});
