import type { IDataObject } from 'n8n-workflow';

import { videoDownloadFields } from '../../../nodes/VideoDownload/fields';
import { readJob } from '../../../nodes/VideoDownload/readJob';
import { createReader } from '../../../nodes/shared/item/reader';
import { makeRun } from '../../support/makeRun';

function read(parameters: IDataObject) {
	const run = makeRun({ fields: videoDownloadFields, parameters: [parameters] });
	return { job: readJob(createReader(run, 0), run), run };
}

it('nothing set is what the editor shows, and no limit of size', () => {
	const { job, run } = read({ taskId: 'task_1' });
	expect(job).toEqual({
		itemIndex: 0,
		task_id: 'task_1',
		binaryProperty: 'data',
		fileName: undefined,
		maxSizeBytes: undefined,
		allowPrivate: false,
		timeoutMs: 120_000,
		retries: 5,
	});
	expect(run.taskIds.get(0)).toBe('task_1');
});

it('sizes are in MiB, tries in whole numbers', () => {
	const options = { maxSize: 2, timeout: 7, retries: '3.9' };
	const { job } = read({ taskId: 'task_1', options });
	expect(job).toMatchObject({ maxSizeBytes: 2 * 1024 * 1024, timeoutMs: 7_000, retries: 3 });
});

it('an address of its own is asked, and nothing else is', () => {
	const { job } = read({ source: 'url', resultUrl: 'https://a.example/v.mp4' });
	expect(job).toMatchObject({ url: 'https://a.example/v.mp4', task_id: undefined });
	expect(() => read({ source: 'url', resultUrl: 'file:///v.mp4' })).toThrow('not an http or https');
});
