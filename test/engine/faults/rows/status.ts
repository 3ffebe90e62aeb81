import type { Entries, Plan } from '../../../../sandbox/service';
import { failing, row, type End, type FaultRow } from '../row';

const look = (what: string, plan: Plan, end: End, more?: Partial<FaultRow>) =>
	row(`status: ${what}`, { renderMs: 0, ...plan }, end, {
		node: 'Video Status',
		hurry: 100,
		...more,
	});

const passing = (what: string, poll: Entries, looks = 2) =>
	look(`${what}, then ok`, { poll }, 'SUCCESS', { looks });

const lasting = (fault: string, reason: string, looks: number, fields = {}) =>
	look(
		`${fault} always`,
		{ poll: { always: fault } },
		failing(new RegExp(`^The task could not be checked: ${reason}.* \\(task [^ ]+\\)`), fields),
		{ looks },
	);

/** A look of Video Status is one look, not a wait, so its patience is shorter. */
export const status: FaultRow[] = [
	passing('502 with a page', 'html502'),
	passing('200 with a page', 'html200'),
	passing('a reset connection', 'reset'),
	passing('silence', 'hang'),
	passing('401', 'unauthorized'),
	passing('unknown id twice', ['notExist', 'notExist'], 3),
	passing('four troubles', ['rateLimited', 'empty500', 'truncatedJson', 'wrongTypes'], 5),
	lasting('unauthorized', 'the service refuses the API key', 2, { http_code: 401 }),
	lasting('forbidden', 'the account is out of credit', 2, { http_code: 403 }),
	lasting('notExist', 'the service does not know this task', 3, { http_code: 400 }),
	lasting('html502', 'the service cannot be reached', 5, { retryable: true }),
	lasting('html200', 'the address answers with a web page', 5),
	lasting('reset', 'the connection was cut', 5, { retryable: true }),
	look('vendor shape', { shape: 'vendor' }, 'SUCCESS'),
	look('oldest shape', { shape: 'oldest' }, 'SUCCESS'),
	look('oldest shape, FAILURE', { shape: 'oldest', outcome: 'FAILURE' }, 'FAILURE'),
	look('an unknown word', { words: { SUCCESS: 'warming_up' } }, 'IN_PROGRESS'),
	look('an id with / + = ? % # &', { oddId: true }, 'SUCCESS'),
	{
		...look('one trouble among many', {}, 'SUCCESS'),
		plans: [{ renderMs: 0 }, { poll: { always: 'unauthorized' } }, { renderMs: 60_000 }],
		ends: ['SUCCESS', failing(/could not be checked/), 'queued'],
	},
];
