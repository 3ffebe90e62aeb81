import { toBaseUrl, toHttpUrl } from '../../../../nodes/shared/service/credential';

describe('toBaseUrl', () => {
	it.each([
		[' https://api.example.com/ ', 'https://api.example.com'],
		['https://api.example.com/v1', 'https://api.example.com'],
		['http://localhost:3000/proxy/v1/', 'http://localhost:3000/proxy'],
		['https://api.example.com/v10', 'https://api.example.com/v10'],
		['http://v1beta/v1/', 'http://v1beta'],
		['api.example.com', 'https://api.example.com'],
		['API.example.com:8443/v1', 'https://API.example.com:8443'],
		['127.0.0.1:3000', 'http://127.0.0.1:3000'],
		['localhost:3000/v1', 'http://localhost:3000'],
		['172.16.0.1:80', 'http://172.16.0.1:80'],
		['172.32.0.1', 'https://172.32.0.1'],
		['192.168.1.9:3000/proxy/v1', 'http://192.168.1.9:3000/proxy'],
		['127.0.0.1.example.com', 'https://127.0.0.1.example.com'],
		['999.0.0.1', undefined],
		['gateway:3000', undefined],
		['http://gateway:3000', 'http://gateway:3000'],
		['10.0.0.5@evil.example', undefined],
		['a-key-in-the-wrong-field', undefined],
		['ftp://api.example.com', undefined],
		['https://api.example.com?key=1', undefined],
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
