import type { IDataObject } from 'n8n-workflow';

import { readDownload } from '../../../nodes/VideoDownload/downloadVideos';
import { videoDownloadFields } from '../../../nodes/VideoDownload/fields';
import { createReader } from '../../../nodes/shared/item/reader';
import { makeRun } from '../../support/makeRun';

function read(parameters: IDataObject) {
	const run = makeRun({ fields: videoDownloadFields, parameters: [parameters] });
	const job = readDownload(createReader(run, 0), run);
	if ('json' in job) throw new Error('The item was passed on');
	return job;
}

it('an address of its own is asked, and nothing else is', () => {
	const job = read({ source: 'url', resultUrl: 'https://a.example/v.mp4' });
	expect(job).toMatchObject({ url: 'https://a.example/v.mp4', task_id: undefined });
	expect(() => read({ source: 'url', resultUrl: 'file:///v.mp4' })).toThrow('not an http or https');
});
