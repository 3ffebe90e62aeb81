import type { IDataObject } from 'n8n-workflow';

import type { Entry, Plan } from '../../../sandbox/service';
import { useStage } from '../../support/stage';
import { always, failing, row, testFaults, type End, type More } from './support/faults';

// What polls may meet. How often a fault is believed is in test/nodes/shared/task/step.test.ts, and what
// services answer in test/nodes/shared/service/shapes.test.ts.

const passes = (what: string, poll: Entry[], more?: More) =>
	row(`poll: ${what}, then ok`, { renderMs: 0, poll }, 'SUCCESS', more);

const ANSWERS = [
	...['html502', 'empty500', 'json503', 'html200', 'empty200', 'nullData', 'truncatedJson'],
	...['wrongTypes', 'codeFailWith200', 'unauthorized', 'rateLimitedEmpty'],
];
/** Longer than the sixty checks in a row that may fail. */
const EMPTY = { status: 202, text: '' };

const passing = [
	passes('answers of all kinds', ANSWERS, { looks: ANSWERS.length + 1 }),
	passes('trouble of the network', ['reset', 'cut', 'redirectLoop', { closeDelimited: true }]),
	passes('202 without a body (xAI)', Array<Entry>(70).fill(EMPTY), { looks: 71, hurry: 2_000 }),
	passes('half an answer and silence', [{ stallAfterBytes: 50 }], { hurry: 100, looks: 2 }),
	passes('429 with Retry-After', ['retryAfter'], { hurry: 50, looks: 2 }),
	row('poll: the record comes later than the ID', { notExistMs: 80 }, 'SUCCESS'),
];

/** 150 milliseconds. */
const SHORT = { parameters: { options: { maxWait: 0.0025 } } };
const RETURN_TASK = {
	parameters: { options: { maxWait: 0.0025, polling: { onTimeout: 'returnTask' } } },
};

const goesOn = {
	retryable: false,
	next: 'followTask',
	description: expect.stringMatching(/continues(, and is| and is) billed/),
};
const lost = (reason: string) =>
	failing(
		new RegExp(`^The task can no longer be followed: ${reason}.* \\(task [^ ]+\\) \\[item 0\\]$`),
		goesOn,
	);
const timedOut = failing(/^The video was not ready within .* \(task [^ ]+\) \[item 0\]$/, goesOn);
const lastingPlan = (fault: string): Plan => ({ outcome: 'never', poll: ['ok', always(fault)] });

/** What stays ends the item with its ID: 401 after five looks, an unknown ID after six; or Max Wait does. */
const lasting = [
	row('poll: 401 always', lastingPlan('unauthorized'), lost('the service refuses the API key'), {
		looks: 6,
	}),
	row('poll: unknown ID always', lastingPlan('notExist'), lost('the service does not know this'), {
		looks: 7,
	}),
	row('poll: 502 until Max Wait', { poll: always('html502') }, timedOut, SHORT),
	row('poll: silence until Max Wait', { poll: always('hang') }, timedOut, { ...SHORT, hurry: 100 }),
	row('poll: trouble, and the task is wanted', { poll: always('html502') }, 'queued', RETURN_TASK),
	row('render: never ready', { outcome: 'never' }, timedOut, SHORT),
	row('render: the same, and the task is wanted', { outcome: 'never' }, 'IN_PROGRESS', RETURN_TASK),
];

const ends = [
	row(
		'render: FAILURE',
		{ outcome: 'FAILURE', failReason: 'Too dark' },
		failing(/^The video could not be rendered: Too dark \(task [^ ]+\) \[item 0\]$/, {
			...{ status: 'FAILURE', billed: 'unknown', next: 'changeRequest' },
		}),
	),
	row('render: SUCCESS without a video', { outcome: 'filtered' }, 'SUCCESS'),
	row(
		'render: a word that nobody knows',
		{ words: { SUCCESS: 'WARMED_UP' } },
		failing(/not ready within/, { description: expect.stringMatching(/WARMED_UP/) }),
		SHORT,
	),
];

const look = (what: string, plan: Plan, end: End, more?: More) =>
	row(`Video Status: ${what}`, { renderMs: 0, ...plan }, end, {
		node: 'Video Status',
		hurry: 100,
		...more,
	});
const unseen = (reason: string, fields: IDataObject) =>
	failing(new RegExp(`^The task could not be checked: ${reason}.* \\(task [^ ]+\\)`), fields);
const NO_KEY = unseen('the service refuses the API key', { http_code: 401, next: 'followTask' });
const NO_TASK = unseen('the service does not know this task', { next: 'changeRequest' });

/** A failed look is tried again. */
const looks = [
	look('trouble, then ok', { poll: ['html502', 'unauthorized'] }, 'SUCCESS', { looks: 3 }),
	look('401 always', { poll: always('unauthorized') }, NO_KEY, { looks: 4 }),
	look('an unknown ID always', { poll: always('notExist') }, NO_TASK, { looks: 4 }),
	look('202 without a body', { poll: always(EMPTY) }, 'IN_PROGRESS', { looks: 1 }),
	look('FAILURE', { outcome: 'FAILURE' }, 'FAILURE', { looks: 1 }),
	{
		...look('one trouble among many', {}, 'SUCCESS'),
		plans: [{ renderMs: 0 }, { poll: always('reset') }, { renderMs: 60_000 }],
		ends: ['SUCCESS', unseen('the connection was cut', { retryable: true }), 'queued'] as End[],
	},
];

testFaults(useStage(), [...passing, ...lasting, ...ends, ...looks]);
