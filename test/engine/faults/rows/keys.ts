import { failing, row, type FaultRow } from '../row';

const notSubmitted = (reason: string) =>
	failing(new RegExp(`^The video was not submitted: ${reason}`));
const lost = (reason: string) =>
	failing(new RegExp(`^The task can no longer be followed: ${reason}.* \\(task [^ ]+\\)`));

/** The same budget under another key in each mode, as the sandbox counts tasks by key. */
const budget = (tasks: number) => (mode: number) => `sandbox-budget-${'0'.repeat(mode)}${tasks}`;

const rejected: Array<[string, string]> = [
	['sandbox-disabled', 'the service refuses the API key'],
	['sandbox-expired', 'the service refuses the API key'],
	['sandbox-no-quota', 'the account is out of credit'],
	['sandbox-banned', 'the service does not allow this'],
	['sandbox-model-forbidden', 'the service does not allow this'],
];

export const keys: FaultRow[] = [
	...rejected.map(([key, reason]) =>
		row(`key: ${key}`, {}, notSubmitted(reason), { apiKey: () => key, paid: 0 }),
	),
	row('key: used up by the very task it polls', {}, lost('the service refuses the API key'), {
		apiKey: budget(1),
		looks: 5,
	}),
	row('key: not allowed to poll', {}, lost('the service does not allow this'), {
		apiKey: () => 'sandbox-poll-forbidden',
		looks: 5,
	}),
	{
		fault: 'key: used up in the middle of a batch',
		plans: [{}, {}, {}, {}],
		ends: [
			lost('the service refuses the API key'),
			lost('the service refuses the API key'),
			notSubmitted('the service refuses the API key'),
			notSubmitted('the service refuses the API key'),
		],
		apiKey: budget(2),
		parameters: { options: { concurrency: 1, pollInterval: 0.1 } },
		paid: 2,
	},
];
