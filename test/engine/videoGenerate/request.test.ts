import type { IDataObject } from 'n8n-workflow';

import { byId, MODEL, toInput, useStage, videoGenerate } from '../../support/stage';

const stage = useStage();

describe('Video Generate', () => {
	it('sends no option whose expression gave nothing', async () => {
		const { engine, credentials, sandbox } = stage;
		const nothing = '={{ null }}';
		const options = {
			aspectRatio: nothing,
			metadata: nothing,
			seed: '={{ $json.seed }}',
			size: '={{ "" }}',
			watermark: nothing,
		};
		await engine.run({
			node: videoGenerate({ options }),
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
				node: videoGenerate({ model: byId(model), options }),
				items: toInput({ prompt: 'A boat' }),
				credentials,
			});
		await run('house-model', { aspectRatio: '9:16' });
		await run('other-model', { aspectRatio: '9:16', modelFamily: 'Seedance' });
		const bodies = sandbox.submissions().map(({ body }) => body as IDataObject);
		expect(bodies.map(({ metadata }) => metadata)).toEqual([
			{ aspect_ratio: '9:16' },
			{ ratio: '9:16' },
		]);
	});

	const PICTURE = { imageSource: 'url', image: 'https://example.com/a.png' };
	it.each<[string, IDataObject, RegExp, IDataObject?]>([
		[
			'Metadata and an option',
			{ aspectRatio: '16:9', metadata: '{"aspectRatio":"16:9"}' },
			/^Aspect Ratio and "metadata\.aspectRatio" by hand contradict each other \[item 0\]/,
		],
		[
			'another spelling of an option',
			{ duration: 8, extraFields: '{"seconds":"4"}' },
			/^Duration \(Seconds\) and "seconds" by hand/,
		],
		['another prompt', { extraFields: '{"prompt":"Another"}' }, /^Prompt and "prompt" by hand/],
		[
			'another model in Metadata of an unknown model',
			{ metadata: '{"model":"another"}' },
			/^Model and "metadata\.model" by hand/,
			{ model: byId('house-model') },
		],
	])('%s: refused before it is paid for', async (_name, options, message, more = {}) => {
		const { engine, credentials, sandbox } = stage;
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
		['Image Source', { ...PICTURE, imageSource: '={{ $json.not }}' }, 'Image Source is empty'],
		['Wait', { wait: '={{ $json.not }}' }, 'is empty'],
		[
			'Image Source of a row',
			{ ...PICTURE, furtherImages: { image: [byExpression('={{ null }}')] } },
			'Further Images, row 1: Image Source is empty',
		],
	])('%s by an expression that gives nothing is refused: %p', async (_name, set, message) => {
		const { engine, credentials, sandbox } = stage;
		const { outputs } = await engine.run({
			node: videoGenerate(
				{ options: { modelFamily: 'Seedance' }, ...set },
				{ onError: 'continueRegularOutput' },
			),
			items: toInput({ prompt: 'A boat' }),
			credentials,
		});
		const { error } = outputs()[0][0].json as { error: IDataObject };
		expect(error.message).toContain(message);
		expect(sandbox.submissions()).toEqual([]);
	});
});
