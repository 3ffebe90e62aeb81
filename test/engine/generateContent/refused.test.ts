import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/stage';
import { CONTINUE, onlyFailure, useTextStage, type TextRun } from './support/stage';

const { run, ask, asked } = useTextStage();

describe('what only the service knows', () => {
	const rows: Array<[string, TextRun, IDataObject]> = [
		[
			'a model that it does not have',
			{ parameters: { model: byId('gemini-9') } },
			{
				message:
					'Nothing was generated: the service does not have this model, or cannot serve it now [item 0]',
				http_code: 503,
				retryable: false,
				description: expect.stringMatching(/gemini-9.*Choose another Model\.$/),
			},
		],
		[
			'a wrong key',
			{ credential: { apiKey: 'wrong-key' } },
			{
				message:
					'Nothing was generated: the service refuses the API key: it is unknown, disabled, expired or used up (HTTP 401) [item 0]',
				http_code: 401,
				retryable: false,
				description: expect.stringMatching(/^Invalid token\. Check the credential/),
			},
		],
		[
			'an account without money',
			{ credential: { apiKey: 'sandbox-no-quota' } },
			{
				message: 'Nothing was generated: the account is out of credit [item 0]',
				http_code: 403,
				description: expect.stringContaining('＄0.000020'),
			},
		],
	];

	it.each(rows)('%s is said once, and not tried again', async (_what, row, facts) => {
		const failure = onlyFailure(await ask({}, { ...row, ...CONTINUE }));
		expect(failure).toMatchObject(facts);
		expect(failure.message).toMatch(/^Nothing was generated: /);
		expect(asked()).toHaveLength(1);
	});

	it('a base URL with nobody there, after two more tries', async () => {
		const startedAt = Date.now();
		const credential = { baseUrl: 'http://127.0.0.1:9' };
		const failure = onlyFailure(
			await run({ parameters: { prompt: 'Hi' }, credential, ...CONTINUE }),
		);
		expect(failure.message).toContain('the connection was refused');
		expect(Date.now() - startedAt).toBeGreaterThanOrEqual(2_240);
	});
});
