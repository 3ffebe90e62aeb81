import type { IDataObject } from 'n8n-workflow';

import { MODEL, planned, toInput, useStage, videoGenerate } from '../../support/stage';

const stage = useStage();

describe('Video Generate', () => {
	it('renders one video and gives the documented fields', async () => {
		const { engine, credentials, sandbox } = stage;
		const result = await engine.run({
			node: videoGenerate(),
			items: toInput({ prompt: 'A boat' }),
			credentials,
		});
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
		const { engine, credentials, sandbox } = stage;
		const rows = [90, 10, 50, 5, 30].map((renderMs, i) => ({
			prompt: planned(`video ${i}`, { renderMs }),
			seed: i + 1,
		}));
		const result = await engine.run({
			node: videoGenerate({ options: { seed: '={{ $json.seed }}' } }),
			items: toInput(...rows),
			credentials,
		});
		const [items] = result.outputs();
		const prompts = new Map(sandbox.tasks().map((task) => [task.task_id, task.prompt]));
		expect(items.map(({ json }) => prompts.get(json.task_id as string))).toEqual(
			rows.map(({ prompt }) => prompt),
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
		const sent = sandbox.submissions().map(({ body }) => (body as IDataObject).metadata);
		expect(sent).toHaveLength(5);
		expect(sent).toEqual(expect.arrayContaining([1, 2, 3, 4, 5].map((seed) => ({ seed }))));
		expect(sandbox.tasks()).toHaveLength(rows.length);
	});

	it('returns at once without waiting', async () => {
		const { engine, credentials, sandbox } = stage;
		const result = await engine.run({
			node: videoGenerate({ wait: 'none' }),
			items: toInput({ prompt: 'A boat' }),
			credentials,
		});
		const [[{ json }]] = result.outputs();
		expect(json).toMatchObject({ status: 'queued', progress: 0, poll_count: 0 });
		expect(sandbox.polls()).toHaveLength(0);
	});

	it('names the file by File Name, else by its task', async () => {
		const { engine, credentials } = stage;
		const options = { fileName: '={{ $json.file }}' };
		const result = await engine.run({
			node: videoGenerate({ downloadVideo: true, options }),
			items: toInput({ prompt: 'A boat', file: 'boat.mp4' }, { prompt: 'A tree' }),
			credentials,
		});
		const [boat, tree] = result.outputs()[0];
		expect(boat.binary?.data.fileName).toBe('boat.mp4');
		expect(tree.binary?.data.fileName).toBe(`${tree.json.task_id as string}.mp4`);
	});

	it('adds the raw answer with Raw Response', async () => {
		const { engine, credentials } = stage;
		const result = await engine.run({
			node: videoGenerate({ options: { rawResponse: true } }),
			items: toInput({ prompt: 'A boat' }),
			credentials,
		});
		const [[{ json }]] = result.outputs();
		expect(json.response).toMatchObject({ code: 'success', data: { task_id: json.task_id } });
	});

	it('lists models, and the documented ones where the service lists none', async () => {
		const { engine, credentials, sandbox } = stage;
		const listed = await engine.listSearch(videoGenerate(), 'searchVideoModels', {
			credentials,
			filter: 'seed',
		});
		expect(listed.results.length).toBeGreaterThan(0);
		expect(listed.results.every(({ value }) => /seed/.test(String(value)))).toBe(true);
		sandbox.set({ listings: false });
		const documented = await engine.listSearch(videoGenerate(), 'searchVideoModels', {
			credentials,
		});
		sandbox.set({ listings: true });
		expect(documented.results.map(({ value }) => value)).toContain(MODEL);
	});
});
