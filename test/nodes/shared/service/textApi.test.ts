import { MAX_TEXT_BYTES } from '../../../../nodes/shared/service/answerLimit';
import { toUrl, type Connection, type Send } from '../../../../nodes/shared/service/connection';
import { generateContent, streamGenerateContent } from '../../../../nodes/shared/service/textApi';

const BODY = { contents: [] };
const QUESTION = { model: 'm', body: BODY, timeoutMs: 1_000 };

const answerTo = async (body: unknown, status = 200) => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return await generateContent(
		{ send: async () => ({ status, headers: {}, body: text }) },
		QUESTION,
	);
};

describe('generateContent', () => {
	it('asks the model at its encoded address, and waits as long as it is told', async () => {
		const requests: unknown[] = [];
		const send: Send = async (request) => {
			requests.push(request);
			return { network: 'unclear', code: 'ECONNRESET', message: 'Cut' };
		};
		await generateContent({ send }, { ...QUESTION, model: 'a/b c', timeoutMs: 300_000 });
		await generateContent({ send }, QUESTION);
		const request = { method: 'POST', body: BODY, maxBytes: MAX_TEXT_BYTES };
		expect(requests).toEqual([
			{ ...request, path: '/v1beta/models/a%2Fb%20c:generateContent', timeoutMs: 300_000 },
			{ ...request, path: '/v1beta/models/m:generateContent', timeoutMs: 1_000 },
		]);
	});

	it.each([
		[{ candidates: [] }],
		[{ promptFeedback: {} }],
		[{ usageMetadata: {} }],
		[{ candidates: null, usageMetadata: {} }],
	])('takes %j for an answer', async (answer) => {
		expect(await answerTo(answer)).toEqual({ kind: 'answered', answer });
	});

	it.each([
		[{}],
		[[]],
		[7],
		[null],
		[''],
		['{"candidates":['],
		[{ candidates: 'none', usageMetadata: {} }],
		[{ candidates: null, promptFeedback: null, usageMetadata: 7 }],
		[{ error: { message: 'No', code: '' } }],
	])('takes %j with status 200 for an unclear end', async (answer) => {
		expect(await answerTo(answer)).toMatchObject({ kind: 'unclear', trouble: { httpCode: 200 } });
	});

	it.each([
		['refused', 301],
		['refused', 400],
		['refused', 413],
		['refused', 429],
		['unclear', 408],
		['unclear', 500],
		['unclear', 502],
		['unclear', 503],
		['unclear', 504],
	])('takes an answer for %s that comes with status %i', async (kind, status) => {
		expect(await answerTo({ candidates: [] }, status)).toMatchObject({ kind });
	});

	it.each([
		['refused', '<html>'],
		['refused', { code: 'some_error', message: 'No' }],
	])('takes for %s what says so with status 200: %j', async (kind, body) => {
		expect(await answerTo(body)).toMatchObject({ kind });
	});

	it.each([
		['refused', 'notSent'],
		['unclear', 'unclear'],
		['unclear', 'canceled'],
	] as const)('is %s where the request was %s', async (kind, network) => {
		const send: Send = async () => ({ network, code: 'X', message: 'Said' });
		const trouble = expect.objectContaining({
			message: 'Said',
			retryable: network !== 'canceled',
		});
		expect(await generateContent({ send }, QUESTION)).toEqual({ kind, trouble });
	});
});

it('streamGenerateContent asks for events at the encoded address, with the signal', async () => {
	const opened: unknown[] = [];
	const { signal } = new AbortController();
	const answer = { network: 'canceled', code: 'X', message: 'Said' } as const;
	const open: Connection['open'] = async (address, options) => {
		opened.push(toUrl(address, 'https://a.example'), options);
		return answer;
	};
	const question = { ...QUESTION, model: 'a/b c' };
	expect(await streamGenerateContent({ open }, question, signal)).toBe(answer);
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
