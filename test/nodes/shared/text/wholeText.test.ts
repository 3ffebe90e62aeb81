import type { Connection } from '../../../../nodes/shared/service/connection';
import { wholeText } from '../../../../nodes/shared/text/wholeText';

const QUESTION = { model: 'm', body: { contents: [] }, timeoutMs: 1_000 };

const answerTo = async (body: unknown, status = 200) => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return await wholeText({ send: async () => ({ status, headers: {}, body: text }) }, QUESTION);
};

describe('wholeText', () => {
	it.each([
		[{ candidates: [] }],
		[{ promptFeedback: {} }],
		[{ usageMetadata: {} }],
		[{ candidates: null, usageMetadata: {} }],
	])('takes %j for an answer', async (answer) => {
		expect(await answerTo(answer)).toEqual({ kind: 'answered', answer });
	});

	const chunk = (text: string, finishReason?: string) => ({
		candidates: [{ content: { parts: [{ text }] }, finishReason }],
	});
	const list = JSON.stringify([chunk('All '), chunk('of it', 'STOP')]);
	const eventsOf = (...chunks: object[]) =>
		chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
	const said = eventsOf(chunk('All '), chunk('of it', 'STOP'));

	it.each<[string, string, 'answered' | 'unclear']>([
		['a list without its bracket', list.slice(0, -1), 'answered'],
		[
			'a list of one without its bracket',
			JSON.stringify([chunk('A', 'STOP')]).slice(0, -1),
			'answered',
		],
		['half an object behind the reason', `${list.slice(0, -1)},{"usage`, 'answered'],
		['half an event behind the reason', `${said}data: {"usageMeta`, 'answered'],
		['half an object before the reason', list.slice(0, -8), 'unclear'],
		['an object that cannot be read', `${said}data: {nonsense}\n\n`, 'unclear'],
		[
			'half an event where each has a reason',
			`${eventsOf(chunk('All ', 'STOP'), chunk('of', 'STOP'))}data: {"cand`,
			'unclear',
		],
	])('%s', async (_what, body, kind) => {
		expect((await answerTo(body)).kind).toBe(kind);
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
		const send: Connection['send'] = async () => ({ network, code: 'X', message: 'Said' });
		const trouble = expect.objectContaining({
			message: 'Said',
			retryable: network !== 'canceled',
		});
		expect(await wholeText({ send }, QUESTION)).toEqual({ kind, trouble });
	});

	it('may be billed, whatever is thrown once it is asked', async () => {
		const send = async () => await Promise.reject(new RangeError('Too deep'));
		expect(await wholeText({ send }, QUESTION)).toEqual({
			kind: 'unclear',
			trouble: {
				message: 'The answer could not be read',
				description: 'Too deep',
				retryable: false,
			},
		});
	});

	it('keeps what had come before it was cut', async () => {
		const begin = 'data: {"candidates":[{"content":{"parts":[{"text":"Bl"}]}}]}\n\ndata: {"cand';
		const send: Connection['send'] = async () => ({ network: 'unclear', code: 'X', message: 'Cut', begin });
		expect(await wholeText({ send }, QUESTION)).toMatchObject({
			kind: 'unclear',
			trouble: { message: 'Cut' },
			partial: { candidates: [{ content: { parts: [{ text: 'Bl' }] } }] },
		});
	});
});
