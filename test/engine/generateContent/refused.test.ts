import type { IDataObject } from 'n8n-workflow';

import type { LiteralAnswer } from '../../../sandbox/service';
import { byId } from '../../support/stage';
import { CONTINUE, onlyFailure, useTextStage, type TextRun } from './support/stage';

const { stage, run, ask, asked } = useTextStage();

describe('what only the service knows', () => {
	const rows: Array<[string, TextRun & { plan?: string | LiteralAnswer }, IDataObject]> = [
		[
			'a model that it does not have',
			{ parameters: { model: byId('gemini-9') } },
			{
				message:
					'No text was generated: the service does not have this model, or has no free channel for it [item 0]',
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
					'No text was generated: the service refuses the API key: it is unknown, disabled, expired or used up (HTTP 401) [item 0]',
				http_code: 401,
				retryable: false,
				description: expect.stringMatching(/^Invalid token\. Check the credential/),
			},
		],
		[
			'an account without money',
			{ credential: { apiKey: 'sandbox-no-quota' } },
			{
				message: 'No text was generated: the account is out of credit [item 0]',
				http_code: 403,
				description: expect.stringContaining('＄0.000020'),
			},
		],
		[
			'a web page with status 200',
			{ plan: 'html200' },
			{
				message:
					'No text was generated: the address answers with a web page, not with the API of the service. Check the Base URL of the credential [item 0]',
				http_code: 200,
				retryable: false,
			},
		],
		[
			'a redirect',
			{ plan: { redirect: 302, to: 'foreign' } },
			{ message: expect.stringContaining('the service redirects to '), http_code: 302 },
		],
		[
			'a reason inside JSON inside a message',
			{ plan: 'nestedJsonMessage' },
			{ http_code: 400, description: 'duration is not valid.' },
		],
	];

	it.each(rows)('%s is said once, and not tried again', async (_what, { plan, ...row }, facts) => {
		const request = { ...row, ...CONTINUE };
		const failure = onlyFailure(await ask(plan ? { text: { always: plan } } : {}, request));
		expect(failure).toMatchObject(facts);
		expect(failure.message).toMatch(/^No text was generated: /);
		expect(asked()).toHaveLength(1);
		expect(stage.sandbox.count({ origin: 'foreign' })).toBe(0);
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
