import { MODEL, toInput, useStage, videoGenerate } from '../../support/stage';

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
				prompt: 'A boat',
				status: 'SUCCESS',
				billed: 'yes',
				progress: 100,
				model: MODEL,
				result_url: `${sandbox.url}/v1/videos/${task.task_id}/content`,
				submitted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
				finished_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
				poll_count: expect.any(Number),
				reused: false,
				task_id: task.task_id,
			},
			pairedItem: { item: 0 },
		});
		// The columns of n8n's table.
		expect(Object.keys(item.json)).toEqual([
			...['prompt', 'status', 'billed', 'progress', 'model', 'result_url'],
			...['submitted_at', 'finished_at', 'poll_count', 'reused', 'task_id'],
		]);
		expect(result.customData).toEqual({ video_task_ids: task.task_id });
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
