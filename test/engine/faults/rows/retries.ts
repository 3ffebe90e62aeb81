import type { Plan } from '../../../../sandbox/service';
import { failing, row, type End, type FaultRow } from '../row';

const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const times = (fault: string, count: number) => Array.from({ length: count }, () => fault);

const retried = (what: string, plan: Plan, end: End, more?: Partial<FaultRow>) =>
	row(`retry: ${what}`, plan, end, { settings, ...more });

/** Retry On Fail at each stage. What is paid for is picked up, whatever the first try died of. */
export const retries: FaultRow[] = [
	retried('a poll is refused until the second try', { poll: times('unauthorized', 5) }, 'SUCCESS'),
	retried('a poll is refused until the third try', { poll: times('forbidden', 10) }, 'SUCCESS'),
	retried(
		'a task is unknown in all tries',
		{ poll: { always: 'notExist' } },
		failing(/does not know this task/),
		{ looks: 18 },
	),
	retried('a render outlasts the first try', { renderMs: 450 }, 'SUCCESS', {
		parameters: { options: { maxWait: 0.005 } },
	}),
	retried('a download fails until the second try', { content: times('html502', 12) }, 'SUCCESS', {
		parameters: { downloadVideo: true },
		hurry: 200,
	}),
	retried('a submit is refused until the second try', { submit: 'forbidden' }, 'SUCCESS', {
		posts: 2,
	}),
	retried(
		'a submit is refused in all tries',
		{ submit: { always: 'forbidden' } },
		failing(/not submitted: the account is out of credit/),
		{
			posts: 3,
			paid: 0,
		},
	),
	retried(
		'an unclear submit is not repeated in the same run',
		{ submit: 'acceptThen500' },
		failing(/may or may not have been accepted/),
	),
	retried(
		'SUCCESS without a video',
		{ outcome: 'filtered' },
		failing(/gives no link to the video/),
	),
	{
		fault: 'retry: the first item fails twice, the others are not paid for again',
		plans: [{ poll: times('unauthorized', 10) }, {}, { renderMs: 300 }],
		ends: ['SUCCESS', 'SUCCESS', 'SUCCESS'],
		settings,
	},
];
