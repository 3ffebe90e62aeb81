import { readReason } from '../../../../nodes/shared/failure/reason';
import { isNoAnswer, RECORD_LIMITS } from '../../../../nodes/shared/http/answer';
import type { HttpContext } from '../../../../nodes/shared/http/connection';
import { openConnection } from '../../../../nodes/shared/services/connection';

/** Returns why a service whose host nobody knows was not reached. */
async function reach(credential: object) {
	const context = {
		getCredentials: () => Promise.resolve({ apiKey: 'key', ...credential }),
		helpers: {
			httpRequestWithAuthentication: () =>
				Promise.reject(Object.assign(new Error('No'), { code: 'ENOTFOUND' })),
		},
	} as unknown as HttpContext;
	const { send } = await openConnection(context, 'videoGenerationApi');
	const answer = await send({ path: '/v1', ...RECORD_LIMITS });
	expect(isNoAnswer(answer)).toBe(true);
	return readReason('submit', answer);
}

it('at the address of the service itself speaks of the network', async () => {
	const { message, advice } = await reach({ api: 'google' });
	expect(message).toBe(
		'n8n cannot reach https://generativelanguage.googleapis.com: its host is not found',
	);
	expect(advice).toBe('Check the internet access of n8n, its DNS and its proxy.');
});

it.each([
	['a Base URL', { api: 'newApi', baseUrl: 'https://gateway.example' }],
	['a Proxy URL', { api: 'google', proxyUrl: 'https://proxy.example' }],
])('at %s speaks of what was typed', async (_what, credential) => {
	expect((await reach(credential)).advice).toMatch(/^Check the address in the credential/);
});
