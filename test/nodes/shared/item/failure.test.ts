import { adviceFor } from '../../../../nodes/shared/item/failure';

describe('adviceFor', () => {
	it.each([
		[{ code: 'model_not_found', httpCode: 503 }, 'Choose another Model.'],
		[{ code: 'task_not_exist', httpCode: 400 }, /^Check the task ID, and that the credential/],
		[{ code: 'ECONNREFUSED' }, /^Check the Base URL/],
		[{ code: 'EPROTO' }, /^Check the Base URL/],
		[{ httpCode: 401 }, 'Check the credential and the account.'],
		[{ httpCode: 403 }, 'Check the credential and the account.'],
	])('of %j says what to do', (facts, advice) => {
		expect(adviceFor({ message: '', retryable: false, ...facts })).toMatch(advice);
	});

	it.each([{ httpCode: 500 }, { httpCode: 404 }, { code: 'ECONNRESET' }, {}])(
		'of %j says nothing',
		(facts) => expect(adviceFor({ message: '', retryable: true, ...facts })).toBeUndefined(),
	);
});
