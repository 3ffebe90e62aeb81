import type { Send } from '../../../../nodes/shared/service/connection';
import { generateContent } from '../../../../nodes/shared/service/textApi';

const BODY = { contents: [] };

const answerTo = async (body: unknown, status = 200) => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return await generateContent(async () => ({ status, headers: {}, body: text }), 'm', BODY);
};

describe('generateContent', () => {
	it('asks the model at its encoded address, and waits long for it', async () => {
		const requests: unknown[] = [];
		const send: Send = async (request) => {
			requests.push(request);
			return { network: 'unclear', code: 'ECONNRESET', message: 'Cut' };
		};
		await generateContent(send, 'a/b c', BODY);
		await generateContent(send, 'm', BODY, 1_000);
		const request = { method: 'POST', body: BODY };
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
		expect(await answerTo(answer)).toMatchObject({ kind: 'unclear', error: { httpCode: 200 } });
	});

	it.each([
		['refused', 301],
		['refused', 400],
		['refused', 413],
		['refused', 429],
		['refused', 503],
		['unclear', 408],
		['unclear', 500],
		['unclear', 502],
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
		const error = expect.objectContaining({ message: 'Said', retryable: network !== 'canceled' });
		expect(await generateContent(send, 'm', BODY)).toEqual({ kind, error });
	});
});
