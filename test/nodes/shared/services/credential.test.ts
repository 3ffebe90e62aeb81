import { toHttpUrl } from '../../../../nodes/shared/lib/url';
import { checkRequest, toBaseUrl, toOwnUrl } from '../../../../nodes/shared/services/credential';

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

describe('a service with an address of its own', () => {
	const FAL_API = 'https://api.fal.ai';
	const PROXY = 'https://proxy.example.com/fal';

	it.each([
		['its own address', '', undefined, 'https://queue.fal.run/x'],
		['another one of its own', '', FAL_API, `${FAL_API}/x`],
		['its own again, if one was typed', 'https://queue.fal.run/v1', FAL_API, `${FAL_API}/x`],
		['its own again, without TLS', 'http://queue.fal.run', FAL_API, `${FAL_API}/x`],
		['a proxy that ends in /v1', `${PROXY}/v1/`, FAL_API, `${PROXY}/v1/x`],
		['a proxy, for all', PROXY, FAL_API, `${PROXY}/x`],
	])('is asked at %s', (_where, proxyUrl, origin, url) => {
		expect(
			toOwnUrl(
				{ api: 'fal', proxyUrl, baseUrl: 'https://old.example.com' },
				{ path: '/x', origin },
			),
		).toBe(url);
	});

	it.each([
		['fal', '', `${FAL_API}/v1/models`, true],
		['kie', '', 'https://kieai.redpandaai.co/api/file-stream-upload', true],
		['kie', '', FAL_API, false],
		['fal', PROXY, `${PROXY}/x`, true],
		['fal', PROXY, FAL_API, false],
		['newApi', PROXY, FAL_API, false],
		// Service was switched: the Base URL of the old one is not read.
		['fal', '', 'https://old.example.com/x', false],
	])('%s with the proxy %j: the key may go to %s: %s', (api, proxyUrl, url, may) => {
		const data = { api, proxyUrl, baseUrl: 'https://old.example.com', apiKey: 'key' };
		const check = () => checkRequest(data, { url });
		if (may) expect(check).not.toThrow();
		else expect(check).toThrow(/API key is only sent|not a web address/);
	});
});
