import {
	checkRequest,
	toBaseUrl,
	toHttpUrl,
	toOwnUrl,
} from '../../../../nodes/shared/service/credential';

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

describe('a named service', () => {
	const FAL_API = 'https://api.fal.ai';
	const PROXY = 'https://proxy.example.com/fal';

	it.each([
		['its own address', '', undefined, 'https://queue.fal.run/x'],
		['another one of its own', '', FAL_API, `${FAL_API}/x`],
		['its own again, if one was typed', 'https://queue.fal.run/v1', FAL_API, `${FAL_API}/x`],
		['a proxy, for all', PROXY, FAL_API, `${PROXY}/x`],
	])('is asked at %s', (_where, baseUrl, origin, url) => {
		expect(toOwnUrl({ api: 'fal', baseUrl }, { path: '/x', origin })).toBe(url);
	});

	it.each([
		['fal', '', `${FAL_API}/v1/models`, true],
		['kie', '', 'https://kieai.redpandaai.co/api/file-stream-upload', true],
		['kie', '', FAL_API, false],
		['fal', PROXY, `${PROXY}/x`, true],
		['fal', PROXY, FAL_API, false],
		['auto', '', FAL_API, false],
	])('%s with the base URL %j: the key may go to %s: %s', (api, baseUrl, url, may) => {
		const check = () => checkRequest({ api, baseUrl, apiKey: 'key' }, { url });
		if (may) expect(check).not.toThrow();
		else expect(check).toThrow(/API key is only sent|not a web address/);
	});
});
