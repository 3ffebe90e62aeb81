import { adviceFor } from '../../../../nodes/shared/item/failure';
import { toTrouble } from '../../../../nodes/shared/service/trouble';

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
	status,
	headers,
	body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('toTrouble', () => {
	it.each([
		['business shape', { code: 'bad', message: 'Not so', data: null }, 'bad', 'Not so'],
		['key shape', { error: { message: 'Not so', type: 'x', code: 'bad' } }, 'bad', 'Not so'],
		['a code that is a number', { error: { message: 'Not so', code: 7 } }, '7', 'Not so'],
		['an empty code', { error: { message: 'Not so', code: '' } }, undefined, 'Not so'],
		['an error that is text', { error: 'Not so' }, undefined, 'Not so'],
		[
			'JSON inside the message',
			{ error: { message: JSON.stringify({ error: { message: 'Not so' } }) } },
			undefined,
			'Not so',
		],
		['bare text', 'Not so', undefined, 'Not so'],
		['a page', '<html><title>Not so</title></html>', undefined, 'Not so'],
		['nothing', '', undefined, undefined],
	])('reads %s', (_name, body, code, description) => {
		expect(toTrouble(answer(400, body))).toMatchObject({ httpCode: 400, code, description });
	});

	it.each([
		[400, false],
		[401, false],
		[408, true],
		[429, true],
		[500, true],
	])('says of status %d whether it may pass: %p', (status, retryable) => {
		expect(toTrouble(answer(status, '')).retryable).toBe(retryable);
	});

	it.each([
		[401, 'fail_to_fetch_task', /vendor of the model refuses the service's own account/],
		[403, 'fail_to_fetch_task', /vendor of the model refuses the service's own account/],
		[400, 'fail_to_fetch_task', /does not accept the request/],
		[401, 'other', /refuses the API key/],
	])('says of status %d and code %s whose account is meant', (status, code, says) => {
		const trouble = toTrouble(answer(status, { code, message: 'Not so', data: null }));
		expect(trouble.message).toMatch(says);
		const advice = adviceFor(trouble) ?? '';
		expect(/Your API key is fine/.test(advice)).toBe(says.source.startsWith('vendor'));
	});

	it('names a model that is not there, whatever the status', () => {
		const body = { error: { message: '没有可用渠道', code: 'model_not_found' } };
		expect(toTrouble(answer(503, body))).toMatchObject({
			message: expect.stringContaining('does not have this model'),
			description: '没有可用渠道',
			retryable: false,
		});
	});

	it.each([
		['', /empty answer/],
		['{"a":1}', /not in the documented form/],
	])('names %p with status 200 for what it is', (body, says) => {
		expect(toTrouble(answer(200, body)).message).toMatch(says);
	});

	it.each(['0', 200, 'OK', true])('takes %j for no code of trouble', (code) => {
		expect(toTrouble(answer(200, { code, message: 'So' })).code).toBeUndefined();
	});

	it('shows only the origin of a redirect', () => {
		const { message } = toTrouble(
			answer(302, '', { location: 'https://other.example/login?token=secret' }),
		);
		expect(message).toContain('https://other.example');
		expect(message).not.toContain('secret');
	});

	it.each(['{"message":[{"toString":1,"valueOf":1}]}', '{"error":{"toString":1,"toJSON":1}}'])(
		'has words for %s',
		(body) => expect(toTrouble(answer(500, body)).description).toMatch(/toString/),
	);
});
