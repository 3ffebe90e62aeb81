import type { IDataObject } from 'n8n-workflow';

import { byId, MODEL, toInput, useStage, videoGenerate } from '../../support/stage';

const stage = useStage();

describe('Video Generate', () => {
	it('sends no option whose expression gave nothing', async () => {
		const { engine, credentials, sandbox } = stage;
		const nothing = '={{ null }}';
		const inSight = { aspectRatio: nothing, resolution: '={{ "" }}', duration: '={{ $json.no }}' };
		const options = { additionalFields: nothing, seed: '={{ $json.seed }}' };
		await engine.run({
			node: videoGenerate({ ...inSight, options }),
			items: toInput({ prompt: 'A boat' }),
			credentials,
		});
		expect(sandbox.submissions()[0].body).toEqual({ model: MODEL, prompt: 'A boat' });
	});

	it('spells as the family that somebody chose, or that the service tells', async () => {
		const { engine, credentials, sandbox } = stage;
		sandbox.set({ models: { video: ['house-model'] }, owners: { 'house-model': 'kling' } });
		const run = async (model: string, options: IDataObject) =>
			await engine.run({
				node: videoGenerate({ model: byId(model), aspectRatio: '9:16', options }),
				items: toInput({ prompt: 'A boat' }),
				credentials,
			});
		await run('house-model', {});
		await run('other-model', { modelFamily: 'Seedance' });
		const bodies = sandbox.submissions().map(({ body }) => body as IDataObject);
		expect(bodies.map(({ metadata }) => metadata)).toEqual([
			{ aspect_ratio: '9:16' },
			{ ratio: '9:16' },
		]);
	});

	const PICTURE = { imageSource: 'url', image: 'https://example.com/a.png' };
	it.each<[string, string, RegExp, IDataObject?]>([
		[
			'metadata and a choice',
			'{"metadata":{"aspectRatio":"16:9"}}',
			/^Aspect Ratio and "metadata\.aspectRatio" by hand contradict each other \[item 0\]/,
			{ aspectRatio: '16:9' },
		],
		[
			'another spelling of a choice',
			'{"seconds":"4"}',
			/^Duration and "seconds" by hand/,
			{ duration: 8 },
		],
		['another prompt', '{"prompt":"Another"}', /^Prompt and "prompt" by hand/],
		[
			'another model in metadata of an unknown model',
			'{"metadata":{"model":"another"}}',
			/^Model and "metadata\.model" by hand/,
			{ model: byId('house-model') },
		],
	])('%s: refused before it is paid for', async (_name, additionalFields, message, more = {}) => {
		const { engine, credentials, sandbox } = stage;
		const options = { additionalFields };
		const { outputs } = await engine.run({
			node: videoGenerate({ options, ...more }, { onError: 'continueRegularOutput' }),
			items: toInput({ prompt: 'A boat' }),
			credentials,
		});
		const { error } = outputs()[0][0].json as { error: IDataObject };
		expect(error).toMatchObject({
			message: expect.stringMatching(message) as string,
			description: expect.stringContaining('Nothing was submitted.') as string,
			next: 'changeRequest',
		});
		expect(sandbox.submissions()).toEqual([]);
	});

	const byExpression = (written: string) => ({
		role: 'lastFrame',
		...PICTURE,
		imageSource: written,
	});
	it.each<[string, IDataObject, string]>([
		['First Frame', { ...PICTURE, imageSource: '={{ $json.not }}' }, 'First Frame is empty'],
		['Wait', { wait: '={{ $json.not }}' }, 'is empty'],
		[
			'Image Source of a row',
			{ ...PICTURE, options: { images: { image: [byExpression('={{ null }}')] } } },
			'Images, row 1: Image Source is empty',
		],
	])('%s by an expression that gives nothing is refused: %p', async (_name, set, message) => {
		const options = { modelFamily: 'Seedance', ...(set.options as IDataObject) };
		const { engine, credentials, sandbox } = stage;
		const { outputs } = await engine.run({
			node: videoGenerate({ ...set, options }, { onError: 'continueRegularOutput' }),
			items: toInput({ prompt: 'A boat' }),
			credentials,
		});
		const { error } = outputs()[0][0].json as { error: IDataObject };
		expect(error.message).toContain(message);
		expect(sandbox.submissions()).toEqual([]);
	});
});
