
import { videoJoinFields } from '../../../nodes/VideoJoin/fields';
import { MAX_HELD_FRAMES } from '../../../nodes/VideoJoin/film/held';
import { planFilm } from '../../../nodes/VideoJoin/film/planFilm';
import { layOut } from '../../../nodes/VideoJoin/film/writeFilm';
import { planGroup } from '../../../nodes/VideoJoin/planGroup';
import { giveWay } from '../../../nodes/shared/lib/time';
import { box, fullBox, u32 } from '../../../nodes/shared/mp4/boxes';
import { createReader } from '../../../nodes/shared/n8n/reader';
import { makeRun } from '../../support/makeRun';
import { bytesOf, madeClip } from './film/support/madeClip';

// What all clips of an execution take together, from files that somebody has made in order to harm.

jest.mock('../../../nodes/shared/lib/time', () => ({
	...jest.requireActual('../../../nodes/shared/lib/time'),
	giveWay: jest.fn(),
}));

const PICTURES = 10;
const picture = { duration: 25, delay: 0, bytes: 50, isKey: true };
let good: Buffer;
beforeAll(async () => {
	const pictures = Array<typeof picture>(PICTURES).fill(picture);
	good = await bytesOf(layOut(planFilm([madeClip({ timescale: 600, pictures, quality: 0 })])));
});

/** A clip whose index is behind its pictures, with some more boxes in it, and fragments behind. */
function clipWith(fragments: Buffer[], ...more: Buffer[]): Buffer {
	const moov = good.subarray(good.indexOf('moov') + 4, good.indexOf('mdat') - 4);
	const front = Buffer.from(good);
	front.write('free', front.indexOf('moov'));
	const mvex = box('mvex', fullBox('trex', 0, u32(1, 1, 0, 0, 0x10000)));
	return Buffer.concat([front, box('moov', moov, mvex, ...more), ...fragments]);
}

/** A clip of a few kB that names so many pictures without bytes. */
function empty(frames: number): Buffer {
	const tfhd = fullBox('tfhd', 0x20000, u32(1));
	return clipWith([box('moof', box('traf', tfhd, fullBox('trun', 0, u32(frames))))]);
}

/** Plans a film of clips; `framesBefore` are those of the films before it. */
async function plan(clips: Buffer[], framesBefore = 0) {
	jest.mocked(giveWay).mockClear();
	const items = clips.map((bytes) => ({
		json: {},
		binary: { data: { data: bytes.toString('base64'), mimeType: 'video/mp4', fileName: 'a.mp4' } },
	}));
	const run = makeRun({
		fields: videoJoinFields,
		parameters: items.map(() => ({ binaryPropertyName: 'data', fileName: '', options: {} })),
		more: {
			getInputData: () => items,
			helpers: { assertBinaryData: (_itemIndex: number, file: object) => file },
		},
	});
	const group = items.map((_, itemIndex) => ({ itemIndex, read: createReader(run, itemIndex) }));
	return await planGroup(run, group, framesBefore);
}

const times = (count: number, clip: Buffer) => Array<Buffer>(count).fill(clip);
const turns = () => jest.mocked(giveWay).mock.calls.length;
const ADVICE = 'Leave it out, or join the clips in several executions.';

it('refuses the clip with which all have too many frames, and reads none after it', async () => {
	expect(empty(499_000).length).toBeLessThan(3000);
	const refused = await plan(times(260, empty(499_000)));
	expect(refused).toMatchObject({
		itemIndex: 2,
		failure: {
			message:
				'Clip 3 (a.mp4) is too much for one execution: with all that was read before, it has more than 1000000 frames',
			description: ADVICE,
			next: 'changeRequest',
		},
	});
	// Each clip is opened, and three are read.
	expect(turns()).toBe(260 + 3);
});

it('counts the frames of the films before it', async () => {
	const left = MAX_HELD_FRAMES - PICTURES;
	expect(await plan([good], left)).toMatchObject({ frames: MAX_HELD_FRAMES });
	expect(await plan([good], left + 1)).toMatchObject({ itemIndex: 0 });
});

it('counts the silence beside a picture that lasts for hours', async () => {
	const [seconds, rate] = [3600, 48_000];
	const clip = madeClip({
		timescale: 1,
		pictures: [{ ...picture, duration: seconds }],
		sound: { from: 0, frames: 2, timescale: rate, gapAt: 2, gapSeconds: 0 },
		quality: 0,
	});
	const film = await bytesOf(layOut(planFilm([clip])));
	const slots = Math.ceil((seconds * rate) / 1024) + 1;
	expect(await plan([film])).toMatchObject({ frames: 1 + slots + slots });
});

const message =
	'is too much for one execution: with all that was read before, it has indexes of more than 64 MB';

it.each<[string, () => Buffer, number]>([
	['large', () => clipWith([], box('free', Buffer.alloc(15 * 1024 ** 2))), 5],
	// A buffer takes more memory than an empty box has bytes.
	['in many fragments', () => clipWith(times(19_000, box('moof'))), 14],
])('refuses the clip with which all have too large indexes: %s', async (_what, clip, last) => {
	expect(await plan(times(20, clip()))).toMatchObject({
		itemIndex: last - 1,
		failure: { message: `Clip ${last} (a.mp4) ${message}`, description: ADVICE },
	});
	expect(turns()).toBe(last);
});

it('joins 100 clips, and lets n8n do other work before each', async () => {
	const planned = await plan(times(100, good));
	expect(planned).toMatchObject({ frames: 100 * PICTURES });
	expect(turns()).toBe(2 * 100);
});
