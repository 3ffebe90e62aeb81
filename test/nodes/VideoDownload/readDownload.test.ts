import type { IDataObject } from 'n8n-workflow';

import { readDownload } from '../../../nodes/VideoDownload/downloadVideos';
import { videoDownloadFields } from '../../../nodes/VideoDownload/fields';
import { createReader } from '../../../nodes/shared/n8n/reader';
import { makeRun } from '../../support/makeRun';

function read(parameters: IDataObject, forAgent = false) {
	const run = { ...makeRun({ fields: videoDownloadFields, parameters: [parameters] }), forAgent };
	const job = readDownload(createReader(run, 0), run);
	if ('json' in job) throw new Error('The item was passed on');
	return { job, run };
}

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
