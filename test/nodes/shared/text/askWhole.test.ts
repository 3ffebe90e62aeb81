import type { Connection } from '../../../../nodes/shared/service/connection';
import { askText } from '../../../../nodes/shared/text/askText';
import { say, worded, words } from './support/fakeStream';

const { signal } = new AbortController();

const ask = async (send: Connection['send']) =>
	worded(
		await askText(
			{ send, open: async () => await Promise.reject(new Error('Streamed')) },
			{ model: 'm', body: { contents: [] }, timeoutMs: 1_000, signal },
		),
	);
const answerTo = async (body: unknown, status = 200) => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return await ask(async () => ({ status, headers: {}, body: text }));
};

it.each([
	[{ candidates: [] }],
	[{ promptFeedback: {} }],
	[{ usageMetadata: {} }],
	[{ candidates: null, usageMetadata: {} }],
	// Converters fill in an error that is none.
	[{ ...words('Blue', 'STOP'), error: {} }],
	[{ ...words('Blue', 'STOP'), error: { code: 0, message: '', type: null } }],
])('takes %j for an answer', async (answer) => {
	expect(await answerTo(answer)).toEqual({ answer });
});

const list = JSON.stringify([words('All '), words('of it', 'STOP')]);
const whole = say('All ') + say('of it', 'STOP');

it.each<[string, string, string | undefined]>([
	['a list without its bracket', list.slice(0, -1), undefined],
	['half an object behind the reason', `${list.slice(0, -1)},{"usage`, undefined],
	['half an event behind the reason', `${whole}data: {"usageMeta`, undefined],
	['half an object before the reason', list.slice(0, list.lastIndexOf('"finish')), 'unclear'],
	['an object that cannot be read', `${whole}data: {nonsense}\n\n`, 'unclear'],
	[
		'half an event where each has a reason',
		`${say('All ', 'STOP')}${say('of', 'STOP')}data: {"cand`,
		'unclear',
	],
])('%s is %p', async (_what, body, certainty) => {
	const result = await answerTo(body);
	expect('answer' in result ? undefined : result.certainty).toBe(certainty);
});

it.each<readonly [string, unknown, number]>([
	...[301, 400, 413, 429].map((status) => ['refused', { candidates: [] }, status] as const),
	...[408, 500, 502, 503, 504].map((status) => ['unclear', { candidates: [] }, status] as const),
	['refused', '<html>', 200],
	['refused', { code: 'some_error', message: 'No', data: null }, 200],
	['unclear', { code: 'some_error', message: 'No' }, 200],
])('is %s: %j with status %s', async (certainty, body, status) => {
	expect(await answerTo(body, status)).toMatchObject({ certainty });
});

it('may be billed, whatever is thrown once it is asked', async () => {
	expect(await ask(async () => await Promise.reject(new RangeError('Too deep')))).toMatchObject({
		certainty: 'unclear',
		message: 'No complete answer arrived: the answer could not be read',
		description: expect.stringMatching(/^Too deep\. The answer may have been billed/),
		passes: false,
	});
});
