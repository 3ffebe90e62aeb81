import { type Connection, toUrl } from '../../../../nodes/shared/service/connection';
import { streamGenerateContent } from '../../../../nodes/shared/service/textApi';

const { signal } = new AbortController();
const WISHES = { body: { contents: [] }, timeoutMs: 300_000, signal };
const answer = { network: 'canceled', code: 'X', message: 'Said' } as const;

it('asks for events at the encoded address, with the signal', async () => {
	const open = jest.fn<ReturnType<Connection['open']>, Parameters<Connection['open']>>(
		async () => answer,
	);
	expect(await streamGenerateContent({ open }, { ...WISHES, model: 'a/b c' })).toBe(answer);
	const [address, options] = open.mock.calls[0];
	expect(toUrl(address, 'https://a.example')).toBe(
		'https://a.example/v1beta/models/a%2Fb%20c:streamGenerateContent?alt=sse',
	);
	const headers = { Accept: 'text/event-stream, application/json' };
	expect(options).toEqual({ ...WISHES, headers });
});
