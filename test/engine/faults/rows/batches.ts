import { failing, row, type FaultRow } from '../row';

/** What one item meets is no business of the others. */
export const batches: FaultRow[] = [
	{
		fault: 'batch: a good one, a failing one, an unclear one, a refused one',
		plans: [
			{},
			{ outcome: 'FAILURE', failReason: 'Too dark' },
			{ submit: 'acceptThen500' },
			{ submit: 'forbidden' },
		],
		ends: [
			'SUCCESS',
			failing(/could not be rendered/, { fail_reason: 'Too dark' }),
			failing(/may or may not have been accepted/),
			failing(/was not submitted/, { http_code: 403 }),
		],
		paid: 3,
	},
	{
		fault: 'batch: one fails while others render',
		plans: [{ outcome: 'FAILURE', renderMs: 0 }, { renderMs: 300 }, { renderMs: 300 }],
		ends: [failing(/could not be rendered/), 'SUCCESS', 'SUCCESS'],
	},
	{
		fault: 'batch: the last of thirty fails while the others render',
		plans: [...Array(29).fill({ renderMs: 500 }), { outcome: 'FAILURE', renderMs: 0 }],
		ends: [...Array(29).fill('SUCCESS'), failing(/could not be rendered/)],
	},
	{
		fault: 'batch: an id that no URL can hold among others',
		plans: [
			{ renderMs: 100 },
			{ submit: { status: 200, json: { id: 'task_\ud800' } } },
			{ renderMs: 100 },
		],
		ends: ['SUCCESS', failing(/does not know this task \(task task_\ud800\)/), 'SUCCESS'],
		paid: 2,
	},
	{
		fault: 'batch: every item meets another trouble and gets over it',
		plans: [
			{ poll: ['html502', 'reset'] },
			{ poll: ['unauthorized', 'empty200'], shape: 'vendorFlat' },
			{ notExistMs: 60, oddId: true },
			{ submit: { delayMs: 200 }, idOnly: true, idLength: 160 },
		],
		ends: ['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS'],
	},
	row('batch: of one, without waiting', { renderMs: 60_000 }, 'queued', {
		parameters: { wait: 'none' },
		looks: 0,
	}),
];
