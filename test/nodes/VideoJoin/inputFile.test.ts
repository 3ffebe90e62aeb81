import { openClip } from '../../../nodes/VideoJoin/film/readClip';
import { findInputFile } from '../../../nodes/shared/n8n/inputFile';
import { makeRun } from '../../support/makeRun';
import { bodyOf } from '../shared/download/support/body';

const CLIP = { id: 'filesystem-v2:1', data: 'filesystem-v2', mimeType: 'video/mp4', fileName: 'b' };

it('hears Stop while it looks for the index of a clip', async () => {
	const stop = new AbortController();
	let read = 0;
	const endless = function* () {
		yield Buffer.concat([Buffer.from([0x40, 0, 0, 0]), Buffer.from('mdat')]);
		for (; read < 1000; read++) {
			if (read === 10) stop.abort();
			yield Buffer.alloc(1000);
		}
	};
	const helpers = {
		getBinaryMetadata: async () => ({ fileSize: 2 ** 30 }),
		getBinaryStream: async () => bodyOf(endless(), false),
	};
	const run = makeRun({ stop: stop.signal, more: { helpers } });
	await expect(openClip(await findInputFile(run, CLIP, 'Clip 2'))).rejects.toThrow('abort');
	expect(read).toBeLessThan(20);
});

it('names a clip whose file n8n no longer has', async () => {
	const helpers = { getBinaryMetadata: async () => await Promise.reject(new Error('Not found')) };
	const run = makeRun({ more: { helpers } });
	const message = "Clip 2 (b) cannot be read from n8n's storage: Not found";
	for (const [isOfTask, description] of [
		[false, 'Run the node that made it once more.'],
		[true, 'Video Download brings it again by its task ID, free.'],
	] as const) {
		const gone = { message, description };
		await expect(findInputFile(run, CLIP, 'Clip 2', isOfTask)).rejects.toMatchObject(gone);
	}
});
