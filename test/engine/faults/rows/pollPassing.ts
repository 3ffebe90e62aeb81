import { FAULTS } from '../../../../sandbox/service/faults';
import type { Entry, Plan } from '../../../../sandbox/service';
import { row, type FaultRow } from '../row';

/** Those that take long are hurried, or the sandbox is told to be quicker about it. */
const HURRY: Record<string, number> = {
	hang: 100,
	stall: 100,
	drip: 100,
	dripHead: 100,
	retryAfter: 50,
};
const OWN_TIME: Record<string, Entry> = {
	slow: { fault: 'slow', delayMs: 200 },
	stall: { stallAfterBytes: 50 },
	cutAfter: { cutAfterBytes: 50 },
	silentCut: { fault: 'silentCut', cutAfterBytes: 50 },
};

/** Submits have faults of their own. */
const pollFaults = Object.keys(FAULTS).filter((fault) => !fault.startsWith('accept'));

const inARow = (fault: string, times: number) => Array.from({ length: times }, () => fault);

const passing = (fault: string, plan: Plan, more?: Partial<FaultRow>) =>
	row(`poll: ${fault}, then ok`, { renderMs: 0, ...plan }, 'SUCCESS', more);

export const pollPassing: FaultRow[] = [
	...pollFaults.map((fault) =>
		passing(`${fault} once`, { poll: [OWN_TIME[fault] ?? fault] }, { hurry: HURRY[fault] }),
	),
	...[204, 304, 418, 451, 599].map((status) =>
		passing(`status ${status} once`, { poll: [{ status, text: '' }] }),
	),
	passing('401 four times', { poll: inARow('unauthorized', 4) }),
	passing('403 four times', { poll: inARow('forbidden', 4) }),
	passing('unknown id five times', { poll: inARow('notExist', 5) }),
	passing('401 four times, a good look, 401 four times', {
		renderMs: 300,
		poll: [...inARow('unauthorized', 4), 'ok', ...inARow('unauthorized', 4)],
	}),
	passing('401 and 502 by turns', {
		poll: ['unauthorized', 'html502', 'unauthorized', 'html502', 'unauthorized', 'html502'],
	}),
	passing('everything between two good looks', {
		renderMs: 60,
		poll: ['unauthorized', 'reset', 'notExist', 'ok', 'empty200', 'html504', 'arrayBody', 'cut'],
	}),
	passing(
		'429, which is no business of the task, 20 times',
		{
			poll: inARow('rateLimited', 20),
		},
		{ hurry: 100 },
	),
	passing('an envelope of success around a task that is not', {
		poll: [{ status: 200, json: { status: 'success', data: { status: 'IN_PROGRESS' } } }],
	}),
	passing('SUCCESS inside a 500', {
		poll: [{ status: 500, json: { code: 'success', data: { status: 'FAILURE' } } }],
	}),
	passing('a status that is null', {
		poll: [{ status: 200, json: { code: 'success', data: { status: null } } }],
	}),
	row('poll: the record comes later than the id', { notExistMs: 80 }, 'SUCCESS'),
	row('poll: every look is slow', { poll: [{ delayMs: 150 }, { delayMs: 150 }] }, 'SUCCESS'),
];
