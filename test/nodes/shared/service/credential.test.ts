import { toBaseUrl, toHttpUrl } from '../../../../nodes/shared/service/credential';

describe('toBaseUrl', () => {
	it.each([
		[' https://API.example.com/ ', 'https://api.example.com'],
		['https://api.example.com/v1', 'https://api.example.com'],
		['http://localhost:3000/proxy/v1beta/', 'http://localhost:3000/proxy'],
		['http://v1/v1', 'http://v1'],
		['https://api.example.com/v1/chat/completions', 'https://api.example.com'],
		['https://api.example.com/v10', 'https://api.example.com/v10'],
		[
			'https://gateway.ai.cloudflare.com/v1/ACCOUNT/GATEWAY/google-ai-studio',
			'https://gateway.ai.cloudflare.com/v1/ACCOUNT/GATEWAY/google-ai-studio',
		],
		['api.example.com', undefined],
		['ftp://api.example.com', undefined],
		['https://api.example.com?key=1', undefined],
		[undefined, undefined],
	])('reads %p as %p', (typed, baseUrl) => {
		expect(toBaseUrl(typed)).toBe(baseUrl);
	});

	it('takes for a URL only http and https', () => {
		expect(toHttpUrl('HTTPS://A.example/x')?.href).toBe('https://a.example/x');
		expect(toHttpUrl('data:video/mp4,x')).toBeUndefined();
	});
});
