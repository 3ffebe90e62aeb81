import { FAULTS } from '../../sandbox/service/faults';
import { ANSWER_FAULT_CHECKS } from './support/answerFaultChecks';
import { until } from './support/client';
import { meet } from './support/meet';
import type { Place } from './support/replies';
import { WIRE_FAULT_CHECKS } from './support/wireFaultChecks';
import { useSandbox } from './support/stage';

// Every fault answers as its name says, on each address where it can be asked for.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());

const CHECKS = { ...ANSWER_FAULT_CHECKS, ...WIRE_FAULT_CHECKS };

it('is checked here, every one of them', () => {
	expect(Object.keys(CHECKS).sort()).toEqual(Object.keys(FAULTS).sort());
});

it.each(Object.entries(CHECKS))('%s', async (name, [place, check]) => {
	check(await meet(stage, name, place));
});

describe('on a submit', () => {
	/** What lets the ordinary answer through, late or mangled, has created the task. */
	const CREATING =
		/^(accept|slow$|trickle$|wrongContentType$|cutAfter$|silentCut$|stall$|noLength$|.*Bomb$|endless$|drip|octet|range(?!Refused))/;

	it.each(Object.keys(FAULTS))('%s charges as it should', async (name) => {
		await meet(stage, name, 'submit');
		expect(stage.sandbox.tasks()).toHaveLength(CREATING.test(name) ? 1 : 0);
	});

	it.each([
		['html502', 502],
		['rateLimited', 429],
	])('%s with accept creates the task behind its answer', async (fault, status) => {
		expect((await meet(stage, { fault, accept: true }, 'submit')).status).toBe(status);
		expect(stage.sandbox.tasks()).toHaveLength(1);
		expect(stage.sandbox.submissions()[0].taskId).toBe(stage.sandbox.tasks()[0].task_id);
	});
});

describe.each<Place>(['poll', 'content', 'text'])('at %s', (place) => {
	it.each(Object.keys(FAULTS))('%s is no defect of the sandbox', async (name) => {
		const reply = await meet(stage, name, place);
		expect(reply.text).not.toContain('sandbox_defect');
		const after = await stage.client.submit('Still there');
		expect(after.status).toBe(200);
	});
});

it('marks a client that went away before the answer', async () => {
	await meet(stage, 'hang', 'poll');
	await until(() => stage.sandbox.polls()[0].aborted);
	expect(stage.sandbox.polls()[0]).toMatchObject({ aborted: true, status: null });
	await meet(stage, 'slow', 'poll');
	await until(() => stage.sandbox.polls()[1].aborted);
	expect(stage.sandbox.polls()[1]).toMatchObject({ aborted: true, status: null });
});

it.each(['reset', 'cutAfter'])(
	'says of %s that nothing was answered, by our doing',
	async (name) => {
		await meet(stage, name, 'content');
		expect(stage.sandbox.requests.at(-1)).toMatchObject({ aborted: false, status: null });
	},
);
