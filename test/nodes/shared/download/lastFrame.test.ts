import type { IHttpRequestOptions } from 'n8n-workflow';

import { addLastFrame } from '../../../../nodes/shared/download/loadPicture';
import { makeRun } from '../../../support/makeRun';
import { bodyOf } from './support/body';

it('a picture that n8n cannot store costs the video nothing, and the run knows why', async () => {
	const asked: string[] = [];
	const helpers = {
		async httpRequest({ url }: IHttpRequestOptions) {
			asked.push(url);
			const body = bodyOf([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')], false);
			return { statusCode: 200, headers: { 'content-type': 'image/png' }, body };
		},
		async prepareBinaryData() {
			throw new Error('ENOSPC: no space left on device');
		},
	};
	const run = makeRun({ more: { helpers } });
	const connection = await run.connect();
	const last_frame_url = 'https://files.example.net/last.png';
	const task = { task_id: 'task_1', status: 'SUCCESS' as const, progress: 100, last_frame_url };
	const options = { itemIndex: 2, binaryProperty: 'data', asksLastFrame: true };
	expect(await addLastFrame(task, 'a.mp4', options as never, run, connection)).toEqual({});
	expect([...run.noLastFrame]).toEqual([[2, 'n8n could not store it.']]);
	expect(asked).toEqual([last_frame_url]);
});
