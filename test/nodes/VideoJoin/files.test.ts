import type { IBinaryData } from 'n8n-workflow';

import { openSource, storeFilm } from '../../../nodes/VideoJoin/files';
import { box } from '../../../nodes/shared/mp4/boxes';
import { readClip } from '../../../nodes/shared/mp4/readClip';
import { makeRun } from '../../support/makeRun';
import { bodyOf } from '../shared/download/support/body';

const MOOV = box('moov', Buffer.alloc(20));

it.each([
	['is whole', [MOOV, MOOV], 1],
	['ends inside of a box', [MOOV.subarray(0, 20)], 0],
	['has no index', [box('mdat', Buffer.alloc(20))], 0],
	['is shorter than it was laid out', [MOOV, Buffer.alloc(0)], 0],
])('stores a film only if it plays: one that %s', async (_name, pieces, count) => {
	const stored: IBinaryData[] = [];
	const prepareBinaryData = async (content: AsyncIterable<Uint8Array>) => {
		for await (const piece of content) void piece;
		return stored[stored.push({ data: '', mimeType: 'video/mp4' }) - 1];
	};
	const run = makeRun({ more: { helpers: { prepareBinaryData } } });
	const sizeBytes = pieces.length * MOOV.length;
	const film = { sizeBytes, pieces: () => bodyOf(pieces, false) as never };
	const result = await storeFilm(run, film, 'film.mp4');
	expect(stored).toHaveLength(count);
	expect(result).toMatchObject(
		count
			? { binary: stored[0] }
			: { failure: { message: 'The film is not whole, so it was not stored', retryable: false } },
	);
});

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
	const source = await openSource(
		makeRun({ stop: stop.signal, more: { helpers } }),
		CLIP,
		'Clip 2',
	);
	await expect(readClip(source, true)).rejects.toThrow('abort');
	expect(read).toBeLessThan(20);
});

it('names a clip whose file n8n no longer has', async () => {
	const helpers = { getBinaryMetadata: async () => await Promise.reject(new Error('Not found')) };
	await expect(openSource(makeRun({ more: { helpers } }), CLIP, 'Clip 2')).rejects.toMatchObject({
		message: "Clip 2 (b) cannot be read from n8n's storage: Not found",
		description: expect.any(String),
	});
});
