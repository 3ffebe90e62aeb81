import { REFUSALS } from '../../../sandbox/service/gatewayProfile';
import { CONTINUE, planned, toInput, useStage, videoGenerate } from '../../support/stage';

// Every way in which a real gateway refused a submit, as the nodes take it: nothing was charged, so
// none of them says that something may be.

const stage = useStage({ renderMs: 0 });

it.each(REFUSALS)('$about: $status', async ({ status, json }) => {
	const { outputs } = await stage.run(
		videoGenerate({ wait: 'none' }, CONTINUE),
		toInput({ prompt: planned('A boat', { submit: [{ status, json }] }) }),
	);
	const [{ json: item }] = outputs()[0];
	if (status === 429) {
		// It passes, so it is sent again.
		expect(item).toHaveProperty('task_id');
		expect(stage.sandbox.tasks()).toHaveLength(1);
		return;
	}
	expect(item.error).toMatchObject({
		message: expect.stringMatching(/^The video was not submitted: /) as string,
		http_code: status,
	});
	expect(stage.sandbox.tasks()).toHaveLength(0);
	expect(item.error).not.toMatchObject({ next: 'checkUsage' });
});
