import { failing, row, type FaultRow } from '../row';

/** Accepted, though not as the contract words it. */
export const submitAccepted: FaultRow[] = [
	row('submit: the id alone', { idOnly: true }, 'SUCCESS'),
	row('submit: an id of 200 characters', { idLength: 200 }, 'SUCCESS'),
	row('submit: an id longer than custom data', { idLength: 300 }, 'SUCCESS'),
	row('submit: an id with / + = ? % # &', { oddId: true }, 'SUCCESS'),
	row('submit: JSON labelled as text', { submit: 'wrongContentType' }, 'SUCCESS'),
	row('submit: in chunks', { submit: 'noLength' }, 'SUCCESS'),
	row('submit: ended by closing', { submit: 'silentCut' }, 'SUCCESS'),
	row('submit: slow', { submit: { delayMs: 300 } }, 'SUCCESS'),
	row(
		'submit: a number as id, unknown ever after',
		{ submit: 'wrongTypes' },
		failing(/can no longer be followed: the service does not know this task \(task 12345\)/, {
			task_id: '12345',
		}),
		{ paid: 0 },
	),
	row(
		'submit: an id that no URL can hold',
		{ submit: { status: 200, json: { id: 'task_\ud800' } } },
		failing(/can no longer be followed: the service does not know this task \(task task_\ud800\)/, {
			task_id: 'task_\ud800',
		}),
		{ paid: 0 },
	),
];
