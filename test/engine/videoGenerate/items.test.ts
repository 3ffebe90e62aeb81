import type { IDataObject } from 'n8n-workflow';

import { MODEL, planned, promptsOf, toInput, useStage, videoGenerate } from '../../support/stage';

const stage = useStage();

describe('Video Generate', () => {
	it('renders one video and gives the documented fields', async () => {
		const { sandbox } = stage;
		const result = await stage.run(videoGenerate(), toInput({ prompt: 'A boat' }));
		expect(result.status).toBe('success');
		const [[item]] = result.outputs();
		const [task] = sandbox.tasks();
		expect(item).toEqual({
			json: {
				task_id: task.task_id,
				status: 'SUCCESS',
				progress: 100,
				model: MODEL,
				result_url: `${sandbox.url}/v1/videos/${task.task_id}/content`,
				submitted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
				finished_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
				poll_count: expect.any(Number),
				reused: false,
				billed: 'yes',
			},
			pairedItem: { item: 0 },
		});
		expect(result.customData).toEqual({ video_task_ids: task.task_id });
	});

	it('keeps the order, the pairing and the parameters of many items', async () => {
		const { sandbox } = stage;
		const rows = [90, 10, 50, 5, 30].map((renderMs, i) => ({
			prompt: planned(`video ${i}`, { renderMs }),
			seed: i + 1,
		}));
		const result = await stage.run(
			videoGenerate({ options: { seed: '={{ $json.seed }}' } }),
			toInput(...rows),
		);
		const [items] = result.outputs();
		expect(promptsOf(stage, items)).toEqual(rows.map(({ prompt }) => prompt));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
		const sent = sandbox.submissions().map(({ body }) => (body as IDataObject).metadata);
		expect(sent).toHaveLength(5);
		expect(sent).toEqual(expect.arrayContaining([1, 2, 3, 4, 5].map((seed) => ({ seed }))));
		expect(sandbox.tasks()).toHaveLength(rows.length);
	});

	it('names the file by File Name, else by its task', async () => {
		const options = { fileName: '={{ $json.file }}' };
		const result = await stage.run(
			videoGenerate({ downloadVideo: true, options }),
			toInput({ prompt: 'A boat', file: 'boat.mp4' }, { prompt: 'A tree' }),
		);
		const [boat, tree] = result.outputs()[0];
		expect(boat.binary?.data.fileName).toBe('boat.mp4');
		expect(tree.binary?.data.fileName).toBe(`${tree.json.task_id as string}.mp4`);
	});
});
