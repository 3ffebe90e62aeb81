import type { IDataObject } from 'n8n-workflow';

import { byId, MODEL, toInput, useStage, videoGenerate } from '../../support/stage';

const stage = useStage();

describe('Video Generate', () => {
	it('sends model and prompt and nothing that was not set', async () => {
		const { engine, credentials, sandbox } = stage;
		await engine.run({
			node: videoGenerate(),
			items: toInput({ prompt: 'A boat' }),
			credentials,
		});
		expect(sandbox.submissions().map(({ body }) => body as unknown)).toEqual([
			{ model: MODEL, prompt: 'A boat' },
		]);
	});

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

	it('puts the options where the family of the model reads them', async () => {
		const { engine, credentials, sandbox } = stage;
		const options = { aspectRatio: '9:16', generateAudio: false, seed: 7, resolution: '720p' };
		for (const model of [MODEL, 'doubao-seedance-1-5-pro-251215']) {
			await engine.run({
				node: videoGenerate({
					model: byId(model),
					options: { ...options, size: '720 x 1280', metadata: '{"custom": 1, "seed": 1}' },
				}),
				items: toInput({ prompt: 'A boat' }),
				credentials,
			});
		}
		const [veo, seedance] = sandbox.submissions().map(({ body }) => body as IDataObject);
		expect(veo).toMatchObject({
			size: '720x1280',
			metadata: { ...options, custom: 1 },
		});
		expect(seedance.metadata).toEqual({
			ratio: '9:16',
			generate_audio: false,
			seed: 7,
			resolution: '720p',
			custom: 1,
		});
	});

	it('never lets extra fields replace what was set', async () => {
		const { engine, credentials, sandbox } = stage;
		await engine.run({
			node: videoGenerate({
				options: {
					duration: 8,
					aspectRatio: '1:1',
					extraFields:
						'{"prompt":"x","duration":1,"mode":"pro","metadata":{"a":1,"aspectRatio":"x"}}',
				},
			}),
			items: toInput({ prompt: 'A boat' }),
			credentials,
		});
		expect(sandbox.submissions()[0].body).toEqual({
			model: MODEL,
			prompt: 'A boat',
			duration: 8,
			mode: 'pro',
			metadata: { a: 1, aspectRatio: '1:1' },
		});
	});
});
