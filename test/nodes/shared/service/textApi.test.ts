import { type Connection, toUrl } from '../../../../nodes/shared/service/connection';
import { MAX_TEXT_BYTES } from '../../../../nodes/shared/service/http';
import { generateContent, streamGenerateContent } from '../../../../nodes/shared/service/textApi';

const BODY = { contents: [] };
const { signal } = new AbortController();
const QUESTION = { model: 'm', body: BODY, timeoutMs: 1_000, signal };

describe('generateContent', () => {
	it('asks the model at its encoded address, and waits as long as it is told', async () => {
		const requests: unknown[] = [];
		const send: Connection['send'] = async (request) => {
			requests.push(request);
			return { network: 'unclear', code: 'ECONNRESET', message: 'Cut' };
		};
		await generateContent({ send }, { ...QUESTION, model: 'a/b c', timeoutMs: 300_000 });
		await generateContent({ send }, QUESTION);
		const request = { method: 'POST', body: BODY, maxBytes: MAX_TEXT_BYTES, signal };
		expect(requests).toEqual([
			{ ...request, path: '/v1beta/models/a%2Fb%20c:generateContent', timeoutMs: 300_000 },
			{ ...request, path: '/v1beta/models/m:generateContent', timeoutMs: 1_000 },
		]);
	});
});

it('streamGenerateContent asks for events at the encoded address, with the signal', async () => {
	const opened: unknown[] = [];
	const answer = { network: 'canceled', code: 'X', message: 'Said' } as const;
	const open: Connection['open'] = async (address, options) => {
		opened.push(toUrl(address, 'https://a.example'), options);
		return answer;
	};
	const question = { ...QUESTION, model: 'a/b c' };
	expect(await streamGenerateContent({ open }, question)).toBe(answer);
	expect(opened).toEqual([
		'https://a.example/v1beta/models/a%2Fb%20c:streamGenerateContent?alt=sse',
		{
			body: BODY,
			timeoutMs: 1_000,
			signal,
			headers: {
				Accept: 'text/event-stream, application/json',
				'Content-Type': 'application/json',
			},
		},
	]);
});
