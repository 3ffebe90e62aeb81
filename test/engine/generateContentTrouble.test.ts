import type { IDataObject } from 'n8n-workflow';

import type { LiteralAnswer } from '../../sandbox/service';
import { byId, KEY, planned } from '../support/stage';
import { onlyFailure, onlyItem, useTextStage, type TextRun } from '../support/textStage';

jest.setTimeout(20_000);

const { stage, run, ask, asked } = useTextStage();
const CONTINUE = { onError: 'continueRegularOutput' } as const;

describe('what only the service knows', () => {
	const rows: Array<[string, TextRun & { plan?: string | LiteralAnswer }, IDataObject]> = [
		[
			'a model that it does not have',
			{ parameters: { model: byId('gemini-9') } },
			{
				message:
					'No text was generated: the service does not have this model, or no channel for it is free [item 0]',
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
					'No text was generated: the service refuses the API key: it is unknown, switched off, expired or used up (HTTP 401) [item 0]',
				http_code: 401,
				retryable: false,
				description: expect.stringMatching(/^Invalid token\. Check the credential/),
			},
		],
		[
			'an account without money',
			{ credential: { apiKey: 'sandbox-no-quota' } },
			{
				message: 'No text was generated: the account has no money left [item 0]',
				http_code: 403,
				description: expect.stringContaining('$0.000000'),
			},
		],
		[
			'a web page with status 200',
			{ plan: 'html200' },
			{
				message:
					'No text was generated: the address answers with a web page, not with the service. Check the Base URL of the credential [item 0]',
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
			'a request that is too large',
			{ plan: 'tooLargeHtml413' },
			{ http_code: 413, retryable: false },
		],
		[
			'a reason inside JSON inside a message',
			{ plan: 'nestedJsonMessage' },
			{ http_code: 400, description: 'duration is not valid.' },
		],
		['a business shape with status 200', { plan: 'codeFailWith200' }, { http_code: 200 }],
	];

	it.each(rows)('%s is said once, and not tried again', async (_what, { plan, ...row }, facts) => {
		const request = { ...row, ...CONTINUE };
		const failure = onlyFailure(await ask(plan ? { text: { always: plan } } : {}, request));
		expect(failure).toMatchObject(facts);
		expect(failure.message).toMatch(/^No text was generated: /);
		expect(asked()).toHaveLength(1);
		expect(stage.sandbox.count({ origin: 'foreign' })).toBe(0);
	});

	it('a base URL that belongs to a web page', async () => {
		const credential = { baseUrl: `${stage.sandbox.url}/console` };
		const failure = onlyFailure(
			await run({ parameters: { prompt: 'Hi' }, credential, ...CONTINUE }),
		);
		expect(failure.message).toContain('Check the Base URL of the credential');
	});

	it('a base URL with nobody there, after two more tries', async () => {
		const startedAt = Date.now();
		const credential = { baseUrl: 'http://127.0.0.1:9' };
		const failure = onlyFailure(
			await run({ parameters: { prompt: 'Hi' }, credential, ...CONTINUE }),
		);
		expect(failure.message).toContain('the connection was refused');
		expect(Date.now() - startedAt).toBeGreaterThanOrEqual(2_240);
		expect(Date.now() - startedAt).toBeLessThan(5_000);
	});
});

describe('what may have been charged is not sent again', () => {
	it.each([
		['json500', 500],
		['empty500', 500],
		['html502', 502],
		['html504', 504],
		['html520', 520],
		['empty200', 200],
		['truncatedJson', 200],
		['wrongTypes', 200],
		['arrayBody', 200],
		['numberBody', 200],
		['cut', undefined],
		['reset', undefined],
		[{ cutAfterBytes: 20 }, undefined],
		[{ fault: 'hang' }, undefined],
		[{ stallAfterBytes: 20 }, undefined],
	])('%j', async (fault, http_code) => {
		const request = { ...CONTINUE, parameters: { options: { timeout: 1 } } };
		const failure = onlyFailure(await ask({ text: { always: fault } }, request));
		expect(failure.message).toMatch(/^The answer to the prompt is lost: .* \[item 0\]$/);
		expect(failure.description).toMatch(/It may have been charged, so it was not sent again\./);
		expect(failure).toMatchObject({ retryable: false });
		expect(failure.http_code).toBe(http_code);
		expect(asked()).toHaveLength(1);
	});
});

describe('a clear refusal that may pass is sent again', () => {
	const gaps = () =>
		asked()
			.map(({ at }, i, all) => (i === 0 ? 0 : at - all[i - 1].at))
			.slice(1);

	it.each(['rateLimited', 'rateLimitedEmpty', 'json503'])(
		'%s, with growing delays',
		async (fault) => {
			expect(onlyItem(await ask({ text: [fault, fault] })).json).toHaveProperty('text');
			expect(asked()).toHaveLength(3);
			const [first, second] = gaps();
			expect(first).toBeGreaterThanOrEqual(740);
			expect(first).toBeLessThan(1_300);
			expect(second).toBeGreaterThanOrEqual(1_490);
			expect(second).toBeLessThan(2_300);
		},
	);

	it('at the time that Retry-After names', async () => {
		const later = { fault: 'retryAfter', headers: { 'retry-after': '2' } };
		onlyItem(await ask({ text: later }));
		expect(gaps()).toEqual([expect.any(Number)]);
		expect(gaps()[0]).toBeGreaterThanOrEqual(1_990);
	});

	it('eight times at most, and then says so', async () => {
		const now = { fault: 'retryAfter', headers: { 'retry-after': '0' } };
		const failure = onlyFailure(await ask({ text: { always: now } }, CONTINUE));
		expect(failure).toEqual({
			message: 'No text was generated: the service asks to slow down (HTTP 429) [item 0]',
			description: 'Too many requests.',
			http_code: 429,
			retryable: true,
		});
		expect(asked()).toHaveLength(9);
	});

	it('with its files', async () => {
		const parameters = { prompt: planned('Hi', { text: 'retryAfter' }), images: 'data' };
		const data = Buffer.alloc(3000, 'a').toString('base64');
		const items = [{ json: {}, binary: { data: { data, mimeType: 'audio/mpeg' } } }];
		onlyItem(await run({ parameters, items }));
		expect(asked()).toHaveLength(2);
		expect(asked()[1].body).toEqual(asked()[0].body);
	});
});

it('the key is not sent a second time when it is refused', async () => {
	await run({ parameters: { prompt: 'Hi' }, credential: { apiKey: `${KEY}x` } });
	expect(asked()).toHaveLength(1);
});
