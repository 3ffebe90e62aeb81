import type { IDataObject } from 'n8n-workflow';

import { readDownload } from '../../../nodes/VideoDownload/downloadVideos';
import { videoDownloadFields } from '../../../nodes/VideoDownload/fields';
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT_MS } from '../../../nodes/shared/download/readVideo';
import { createReader } from '../../../nodes/shared/item/reader';
import { makeRun } from '../../support/makeRun';

function read(parameters: IDataObject, forAgent = false) {
	const run = { ...makeRun({ fields: videoDownloadFields, parameters: [parameters] }), forAgent };
	const job = readDownload(createReader(run, 0), run);
	if ('json' in job) throw new Error('The item was passed on');
	return { job, run };
}

it('nothing set is what the editor shows, and no limit of size', () => {
	const { job, run } = read({ taskId: 'task_1' });
	const wishes = {
		binaryProperty: 'data',
		timeoutMs: DEFAULT_TIMEOUT_MS,
		retries: DEFAULT_RETRIES,
	};
	expect(job).toEqual({ itemIndex: 0, task_id: 'task_1', ...wishes });
	expect(run.taskIds.get(0)).toBe('task_1');
});

it('sizes are in MiB, tries in whole numbers', () => {
	const options = { maxSize: 2, timeout: 7, retries: '3.9' };
	const { job } = read({ taskId: 'task_1', options });
	expect(job).toMatchObject({ maxSizeBytes: 2 * 1024 * 1024, timeoutMs: 7_000, retries: 3 });
});

it.each([
	[{}, false, undefined],
	[{}, true, 24],
	[{ link: 0 }, true, 0],
	[{ link: '2' }, false, 2],
])('the option Link of %j for an agent (%s) is %j hours', (options, forAgent, hours) => {
	expect(read({ taskId: 'task_1', options }, forAgent).job.linkHours).toBe(hours);
});

it('an address of its own is asked, and nothing else is', () => {
	const { job } = read({ source: 'url', resultUrl: 'https://a.example/v.mp4' });
	expect(job).toMatchObject({ url: 'https://a.example/v.mp4', task_id: undefined });
	expect(() => read({ source: 'url', resultUrl: 'file:///v.mp4' })).toThrow('not an http or https');
});
