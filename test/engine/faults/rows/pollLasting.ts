import type { Entry } from '../../../../sandbox/service';
import { until } from '../../../support/clock';
import { failing, row, type FaultRow } from '../row';

/** 150 milliseconds. */
const SHORT = { options: { maxWait: 0.0025 } };
const RETURN_TASK = { options: { maxWait: 0.0025, onTimeout: 'returnTask' } };

const IN_AN_HOUR = { status: 429, text: '', headers: { 'retry-after': '3600' } };

const lost = (reason: string, fields = {}) =>
	failing(
		new RegExp(`^The task can no longer be followed: ${reason}.* \\(task [^ ]+\\) \\[item 0\\]$`),
		{
			retryable: false,
			next: 'followTask',
			description: expect.stringMatching(/continues and is billed/),
			...fields,
		},
	);
const timedOut = failing(/^The video was not ready within .* \(task [^ ]+\) \[item 0\]$/, {
	retryable: false,
	next: 'followTask',
	description: expect.stringMatching(/continues and is billed/),
});

/** What stays ends the item with its id: 401 and 403 after five looks, an unknown id after six. */
const ending: Array<[string, string, number]> = [
	['unauthorized', 'the service refuses the API key', 5],
	['usedUp', 'the service refuses the API key', 5],
	['forbidden', 'the account is out of credit', 5],
	['notExist', 'the service does not know this task', 6],
	['notFound404', 'the service does not know this address', 6],
	['gone410', 'the service does not accept the request', 6],
];

/** Anything else is waited out until Max Wait, or for sixty looks. */
const troubles: Array<[string, Entry & (string | object)]> = [
	['502 with a page', 'html502'],
	['500 without a body', 'empty500'],
	['429', 'rateLimited'],
	['503', 'json503'],
	['200 with a page', 'html200'],
	['200 without a body', 'empty200'],
	['JSON that stops in the middle', 'truncatedJson'],
	['wrong types', 'wrongTypes'],
	['an envelope that says no', 'codeFailWith200'],
	['a reset connection', 'reset'],
	['a redirect loop', 'redirectLoop'],
];

export const pollLasting: FaultRow[] = [
	...ending.map(([fault, reason, looks]) =>
		row(
			`poll: ${fault} from the second look on`,
			{ outcome: 'never', poll: ['ok', { always: fault }] },
			lost(reason),
			{
				looks: looks + 1,
			},
		),
	),
	...troubles.map(([what, answer]) =>
		row(`poll: ${what} until Max Wait`, { poll: { always: answer } as Entry }, timedOut, {
			parameters: SHORT,
		}),
	),
	row(
		'poll: 502 with a page sixty times',
		{ poll: { always: 'html502' } },
		lost('the service cannot be reached'),
		{
			parameters: { options: { maxWait: 600 } },
			hurry: 300,
			looks: 60,
		},
	),
	row(
		'poll: asked to come back in an hour, beyond Max Wait',
		{ poll: { always: IN_AN_HOUR } },
		timedOut,
		{ parameters: SHORT },
	),
	row('poll: silence until Max Wait', { poll: { always: 'hang' } }, timedOut, {
		parameters: SHORT,
		hurry: 100,
	}),
	row(
		'poll: trouble until Max Wait, and the task is wanted',
		{ poll: { always: 'html502' } },
		'queued',
		{
			parameters: RETURN_TASK,
		},
	),
	row('render: never ready', { outcome: 'never' }, timedOut, { parameters: SHORT }),
	row('render: never ready, and the task is wanted', { outcome: 'never' }, 'IN_PROGRESS', {
		parameters: RETURN_TASK,
	}),
	row('service: gone while tasks are polled', { outcome: 'never' }, timedOut, {
		parameters: SHORT,
		meanwhile: async (sandbox) => await sandbox.close(),
	}),
	row('service: gone, and the task is wanted', { outcome: 'never' }, 'IN_PROGRESS', {
		parameters: RETURN_TASK,
		meanwhile: async (sandbox) => await sandbox.close(),
	}),
	row('service: an outage in the middle that ends', { renderMs: 200 }, 'SUCCESS', {
		meanwhile: async (sandbox) => {
			sandbox.set({ outage: 'html502' });
			await until(() => sandbox.count({ status: 502 }) >= 6);
			sandbox.set({ outage: null });
		},
	}),
];
