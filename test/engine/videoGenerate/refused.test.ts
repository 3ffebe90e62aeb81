import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { byId, planned, toInput, useStage, videoGenerate } from '../../support/stage';

const stage = useStage();

describe('what only the service knows', () => {
	const submitOnce = async (
		parameters: IDataObject,
		credentials: ICredentialDataDecryptedObject = {},
	) =>
		await stage.engine.run({
			node: videoGenerate(parameters),
			items: toInput({ prompt: 'A boat' }),
			credentials: {
				...stage.credentials,
				videoGenerationApi: { ...stage.credentials.videoGenerationApi, ...credentials },
			},
		});

	it('a model that it does not have', async () => {
		const { error } = await submitOnce({ model: byId('veo-9') });
		expect(error?.message).toMatch(
			/^The video was not submitted: the service does not have this model/,
		);
		expect(error?.description).toContain('Choose another Model');
		expect(stage.sandbox.submissions()).toHaveLength(1);
		expect(stage.sandbox.tasks()).toHaveLength(0);
	});

	it('a wrong key', async () => {
		const { error } = await submitOnce({}, { apiKey: 'wrong-key-12345' });
		expect(error?.message).toMatch(/refuses the API key/);
		expect(JSON.stringify(error)).not.toContain('wrong-key-12345');
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it.each([
		['a key in its place', 'sk-not-an-address', /Base URL in the credential is not a web address/],
		['nobody there', 'http://127.0.0.1:9', /Nothing answers at the Base URL/i],
	])(
		'a base URL with %s',
		async (_name, baseUrl, says) => {
			const { error } = await submitOnce({ options: { maxWait: 0.01 } }, { baseUrl });
			expect(error?.message).toMatch(says);
		},
		15_000,
	);

	it('an unclear one behind a refused one is told, too', async () => {
		const { error } = await stage.engine.run({
			node: videoGenerate(),
			items: toInput(
				{ prompt: planned('x', { submit: ['forbidden'] }) },
				{ prompt: planned('y', { submit: 'acceptThen500' }) },
			),
			credentials: stage.credentials,
		});
		expect(error?.message).toMatch(/was not submitted.* \[item 0\]/);
		expect(error?.description).toMatch(
			/Also unclear, and perhaps billed: \[item 1\]\..* usage page/,
		);
	});

	it('SUCCESS without a video', async () => {
		const { engine, credentials, sandbox } = stage;
		const result = await engine.run({
			node: videoGenerate(),
			items: toInput({ prompt: planned('x', { outcome: 'filtered' }) }),
			credentials,
		});
		expect(result.error?.message).toMatch(/reports SUCCESS but gives no link to the video/);
		expect(result.error?.message).toContain(sandbox.tasks()[0].task_id);
	});
});
