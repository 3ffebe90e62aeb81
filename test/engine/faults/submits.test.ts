import type { IDataObject } from 'n8n-workflow';

import { plannedRows, useStage, videoGenerate } from '../../support/stage';
import {
	always,
	failing,
	RETRY_ON_FAIL,
	row,
	searchable,
	testFaults,
	type Answer,
	type More,
} from './support/faults';

// What the answer to a submit may be. Which statuses and codes mean a refusal is in
// test/nodes/shared/service/reason.test.ts.

const refused = (answer: Answer, reason: RegExp, fields: IDataObject, more?: More) =>
	row(
		`submit: ${JSON.stringify(answer)} always`,
		{ submit: always(answer) },
		failing(new RegExp(`^The video was not submitted: ${reason.source}.* \\[item 0\\]$`), {
			billed: 'no',
			retryable: false,
			...fields,
		}),
		{ paid: 0, ...more },
	);

/** A clear no: nothing was created, and nothing is sent again. */
const refusals = [
	refused('chineseMessage', /the service does not accept the request/, {
		description:
			"请求参数错误,请检查后重试. These words are the service's. Change what they name, such as the prompt, a file, a setting or the model. Nothing is billed for this item.",
	}),
	refused('forbidden', /the account is out of credit/, { next: 'checkAccount' }),
	refused({ redirect: 307, to: 'foreign' }, /the service redirects to /, { http_code: 307 }),
	refused('business500', /the service/, { retryable: true }),
	row('submit: nothing listens', {}, failing(/not submitted: nothing answers at http/), {
		baseUrl: 'http://127.0.0.1:1',
		posts: 0,
		paid: 0,
		hurry: 100,
	}),
];

/** What passes is sent again, until Max Wait is over: after 1, 1.5, 2.25, ... seconds, that is 9 times in a minute. */
const passing = [
	row('submit: 429 and 503, then ok', { submit: ['retryAfter', 'business503'] }, 'SUCCESS', {
		posts: 3,
		hurry: 50,
	}),
	refused(
		'rateLimitedEmpty',
		/the service is rate-limiting requests/,
		{ retryable: true },
		{ posts: 9, hurry: 200, parameters: { options: { maxWait: 1 } } },
	),
];

const success = (json: unknown): Answer => ({ status: 200, json });

/**
 * After any of these the service may have the task, and a second submission might be paid for twice.
 * Where there is a text, it is quoted, so that a person can find the task.
 */
const UNCLEAR: Array<[answer: Answer, quoted?: RegExp]> = [
	['empty500'],
	['html502'],
	['html503', /503 Service Unavailable/],
	[{ status: 503, json: { message: 'no healthy upstream' } }],
	['panic500', /Panic detected/],
	['html200', /enable JavaScript/],
	['empty200'],
	['noId', /\{"code":200,"msg":"OK","data":\{\}\}/],
	[success({ code: 'timeout', message: 'told', data: null }), /"told"/],
	[{ status: 429, json: { task: { id: 'there_17' } } }, /there_17/],
	['truncatedJson'],
	['reset'],
	[{ closeDelimited: true, cutAfterBytes: 40 }],
	['hang'],
	[{ cutAfterBytes: 40 }, /What the service sent: \{"id":"task_/],
];

const unclear = (quoted = /was not submitted again/) =>
	failing(/^The video may or may not have been accepted: .* \[item 0\]$/, {
		billed: 'unknown',
		next: 'checkUsage',
		retryable: false,
		description: expect.stringMatching(quoted),
	});

const unclearSubmits = [
	...UNCLEAR.map(([answer, quoted]) => {
		// The service creates the task, whatever it answers.
		const accepting = {
			...(typeof answer === 'string' ? { fault: answer } : answer),
			accept: true,
		};
		return row(
			`submit: accepted, then ${JSON.stringify(answer)}`,
			// An ID that is longer than any of the answers did not go out, so it cannot be lost.
			{ submit: always(accepting), idLength: 400 },
			unclear(quoted),
			{ settings: RETRY_ON_FAIL, hurry: 300 },
		);
	}),
	row('submit: 429, then unclear', { submit: ['rateLimited', 'acceptThen500'] }, unclear(), {
		posts: 2,
		hurry: 50,
	}),
];

/** How an ID may come. The shapes of services are in test/nodes/shared/service/shapes.test.ts. */
const ids = [
	row('ID: a number', { numberId: true }, 'SUCCESS'),
	row('ID: longer than custom data', { idLength: 300 }, 'SUCCESS'),
	row('ID: with / + = ? % # &', { oddId: true }, 'SUCCESS'),
];

const stage = useStage();
testFaults(stage, [...refusals, ...passing, ...unclearSubmits, ...ids]);

it('each task that the answer names can be found by its ID', async () => {
	const submit = success({ id: 'task_2', task_id: 'task_1' });
	const rows = plannedRows({ submit });
	const { outputs, customData } = await stage.run(videoGenerate({ wait: 'none' }), rows);
	expect(outputs()[0][0].json.task_id).toBe('task_1');
	expect(searchable(customData)).toEqual(['task_1', 'task_2']);
});
