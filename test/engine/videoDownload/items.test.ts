import type { IDataObject } from 'n8n-workflow';

import { hurry } from '../../support/clock';
import { toInput, useStage, videoDownload, videoGenerate } from '../../support/stage';

const stage = useStage();

async function rendered(): Promise<IDataObject> {
	const result = await stage.engine.run({
		node: videoGenerate(),
		items: toInput({ prompt: 'A boat' }),
		credentials: stage.credentials,
	});
	return result.outputs()[0][0].json;
}

const download = async (
	json: IDataObject,
	parameters: IDataObject = {},
	onError: 'stopWorkflow' | 'continueErrorOutput' = 'stopWorkflow',
) =>
	await stage.engine.run({
		node: videoDownload(parameters, { onError }),
		items: toInput(json),
		credentials: stage.credentials,
		binaryMode: 'filesystem',
	});

describe('Video Download', () => {
	it('downloads the file of a task', async () => {
		const task = await rendered();
		const [[item]] = (await download(task)).outputs();
		expect(item.json).toEqual({
			task_id: task.task_id,
			file_name: `${task.task_id}.mp4`,
			mime_type: 'video/mp4',
			size_bytes: expect.any(Number),
		});
		const bytes = await stage.engine.readBinary(item.binary!.data);
		expect(bytes).toHaveLength(item.json.size_bytes as number);
		expect(item.pairedItem).toEqual({ item: 0 });
	});

	it('takes a URL, a file name and a binary field', async () => {
		const task = await rendered();
		const result = await download(task, {
			source: 'url',
			binaryProperty: 'film',
			options: { fileName: '../../etc/ad.mp4' },
		});
		const [[item]] = result.outputs();
		expect(item.json.file_name).toBe('_.._etc_ad.mp4');
		expect(Object.keys(item.binary!)).toEqual(['film']);
	});

	it('says of a task that the service does not know that it does not, without further tries', async () => {
		const haste = hurry(100);
		const task_id = 'task_of_another_account';
		const result = await download({ task_id }, {}, 'continueErrorOutput');
		haste.restore();
		expect(result.outputs()[1][0].json.error).toMatchObject({
			message: expect.stringMatching(/not be downloaded: the service does not know this task/),
			description: 'Check the task ID, and that the credential is the one it was submitted with.',
			task_id,
			retryable: false,
			next: 'changeRequest',
		});
		expect(stage.sandbox.count({ path: /\/content$/ })).toBe(1);
	});

	it('names the parameter that is empty', async () => {
		const result = await download({});
		expect(result.error?.message).toBe('Task ID is empty [item 0]');
	});
});
