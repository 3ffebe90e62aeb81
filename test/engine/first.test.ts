import { plannedRows, useStage, videoGenerate } from '../support/stage';

const stage = useStage();

it('pays for what is rendered, and not for what the service refuses', async () => {
	const { outputs } = await stage.run(
		videoGenerate({}, { onError: 'continueErrorOutput' }),
		plannedRows({ renderMs: 10 }, { submit: 'modelNotFound' }),
	);
	const [done, failed] = outputs();
	expect(done).toMatchObject([{ json: { status: 'SUCCESS', billed: 'yes' } }]);
	expect(failed).toMatchObject([{ json: { prompt: expect.stringMatching('video 1') } }]);
	expect(stage.sandbox.tasks()).toHaveLength(1);
});
