import {
	byId,
	MODEL,
	plannedRows,
	toInput,
	useStage,
	videoGenerate,
	videoStatus,
} from '../../support/stage';

const stage = useStage();
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

it('renders one video and gives the documented fields', async () => {
	const result = await stage.run(videoGenerate(), toInput({ prompt: 'A boat' }));
	const [[item]] = result.outputs();
	const [{ task_id }] = stage.sandbox.tasks();
	expect(item).toEqual({
		json: {
			prompt: 'A boat',
			status: 'SUCCESS',
			billed: 'yes',
			progress: 100,
			model: MODEL,
			result_url: `${stage.sandbox.url}/v1/videos/${task_id}/content`,
			submitted_at: expect.stringMatching(TIME),
			finished_at: expect.stringMatching(TIME),
			poll_count: expect.any(Number),
			reused: false,
			task_id,
		},
		pairedItem: { item: 0 },
	});
	// The columns of n8n's table.
	expect(Object.keys(item.json)).toEqual([
		...['prompt', 'status', 'billed', 'progress', 'model', 'result_url'],
		...['submitted_at', 'finished_at', 'poll_count', 'reused', 'task_id'],
	]);
	expect(result.customData).toEqual({ video_task_ids: task_id });
});

it('gives the address of the last frame, which Video Status tells, too', async () => {
	const model = byId('doubao-seedance-1-5-pro-251215');
	const node = videoGenerate({ model, options: { returnLastFrame: true } });
	const [items] = (await stage.run(node, plannedRows({}, { lastFrameUrl: 'none' }))).outputs();
	const address = expect.stringMatching(/\/files\/landscape\.png\?task=/) as string;
	expect(items.map(({ json }) => json.last_frame_url)).toEqual([address, undefined]);
	const [[looked]] = (await stage.run(videoStatus(), items.slice(0, 1))).outputs();
	expect(looked.json.last_frame_url).toEqual(address);
});
