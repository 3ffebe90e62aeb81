import { toBaseUrl, toHttpUrl } from '../../../../nodes/shared/service/baseUrl';

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
		[`https://a.example/${'/'.repeat(1_000_000)}x`, undefined],
		[undefined, undefined],
	])('reads %p as %p', (typed, baseUrl) => {
		expect(toBaseUrl(typed)).toBe(baseUrl);
	});

	it('takes for a URL only http and https', () => {
		expect(toHttpUrl('HTTPS://A.example/x')?.href).toBe('https://a.example/x');
		expect(toHttpUrl('data:video/mp4,x')).toBeUndefined();
	});
});
