import { MAX_DEPTH } from '../../../../nodes/shared/lib/json';
import type { Connection } from '../../../../nodes/shared/service/connection';
import { askText } from '../../../../nodes/shared/text/askText';

const { signal } = new AbortController();

const ask = async (send: Connection['send']) =>
	await askText(
		{ send, open: async () => await Promise.reject(new Error('Streamed')) },
		{ model: 'm', body: { contents: [] }, timeoutMs: 1_000, signal },
	);
const answerTo = async (body: unknown, status = 200) => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return await ask(async () => ({ status, headers: {}, body: text }));
};
const chunk = (text: string, finishReason?: string) => ({
	candidates: [{ content: { parts: [{ text }] }, finishReason }],
});

it.each([
	[{ candidates: [] }],
	[{ promptFeedback: {} }],
	[{ usageMetadata: {} }],
	[{ candidates: null, usageMetadata: {} }],
	// Converters fill in an error that is none.
	[{ ...chunk('Blue', 'STOP'), error: {} }],
	[{ ...chunk('Blue', 'STOP'), error: { code: 0, message: '', type: null } }],
])('takes %j for an answer', async (answer) => {
	expect(await answerTo(answer)).toEqual({ kind: 'answered', answer });
});

const list = JSON.stringify([chunk('All '), chunk('of it', 'STOP')]);
const eventsOf = (...chunks: object[]) =>
	chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
const said = eventsOf(chunk('All '), chunk('of it', 'STOP'));

it.each<[string, string, 'answered' | 'unclear']>([
	['a list without its bracket', list.slice(0, -1), 'answered'],
	['half an object behind the reason', `${list.slice(0, -1)},{"usage`, 'answered'],
	['half an event behind the reason', `${said}data: {"usageMeta`, 'answered'],
	['half an object before the reason', list.slice(0, -8), 'unclear'],
	['an object that cannot be read', `${said}data: {nonsense}\n\n`, 'unclear'],
	[
		'half an event where each has a reason',
		`${eventsOf(chunk('All ', 'STOP'), chunk('of', 'STOP'))}data: {"cand`,
		'unclear',
	],
])('%s is %s', async (_what, body, kind) => {
	expect((await answerTo(body)).kind).toBe(kind);
});

it.each([
	[null],
	[''],
	['{"candidates":['],
	[{ candidates: 'none', usageMetadata: {} }],
	[{ error: { message: 'No', code: '' } }],
])('takes %j with status 200 for an unclear end', async (answer) => {
	expect(await answerTo(answer)).toMatchObject({ kind: 'unclear', trouble: { httpCode: 200 } });
});

it.each<readonly [string, unknown, number]>([
	...[301, 400, 413, 429].map((status) => ['refused', { candidates: [] }, status] as const),
	...[408, 500, 502, 503, 504].map((status) => ['unclear', { candidates: [] }, status] as const),
	['refused', '<html>', 200],
	['refused', { code: 'some_error', message: 'No', data: null }, 200],
	['unclear', { code: 'some_error', message: 'No' }, 200],
])('is %s: %j with status %s', async (kind, body, status) => {
	expect(await answerTo(body, status)).toMatchObject({ kind });
});

it('may be billed, whatever is thrown once it is asked', async () => {
	expect(await ask(async () => await Promise.reject(new RangeError('Too deep')))).toEqual({
		kind: 'unclear',
		trouble: { message: 'The answer could not be read', description: 'Too deep', retryable: false },
	});
});

it('keeps what had come before it was cut', async () => {
	const begin = 'data: {"candidates":[{"content":{"parts":[{"text":"Bl"}]}}]}\n\ndata: {"cand';
	expect(
		await ask(async () => ({ network: 'unclear', code: 'X', message: 'Cut', begin })),
	).toMatchObject({
		kind: 'unclear',
		trouble: { message: 'Cut' },
		partial: { candidates: [{ content: { parts: [{ text: 'Bl' }] } }] },
	});
});

describe('nested deeper than can be followed', () => {
	const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
	const bodyWith = (place: string, value: string) =>
		`{"candidates":[{"content":{"parts":[{"text":"Blue"}${place === 'part' ? `,{"a":${value}}` : ''}]},"finishReason":"STOP"}],"usageMetadata":{${place === 'usage' ? `"a":${value}` : ''}}}`;

	it.each(['part', 'usage'])('is refused, and its text kept: in a %s', async (place) => {
		for (const deep of [nested(MAX_DEPTH), nested(200_000)]) {
			expect(await answerTo(bodyWith(place, deep))).toEqual({
				kind: 'unclear',
				trouble: { message: 'It is nested deeper than 100 levels', retryable: false },
				partial: { candidates: [{ content: { parts: [{ text: 'Blue' }] } }] },
			});
		}
	});
});
