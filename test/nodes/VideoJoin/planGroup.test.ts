import { videoJoinFields } from '../../../nodes/VideoJoin/fields';
import { MAX_HELD_FRAMES } from '../../../nodes/VideoJoin/film/held';
import { planFilm } from '../../../nodes/VideoJoin/film/planFilm';
import { layOut } from '../../../nodes/VideoJoin/film/writeFilm';
import { planGroup } from '../../../nodes/VideoJoin/planGroup';
import { giveWay } from '../../../nodes/shared/lib/time';
import { box } from '../../../nodes/shared/mp4/boxes';
import { createReader } from '../../../nodes/shared/n8n/reader';
import { makeRun } from '../../support/makeRun';
import { withEmptyFrames, withFragments } from './film/support/fragments';
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

const clipWith = (fragments: Buffer[], ...more: Buffer[]) =>
	withFragments(good, fragments, ...more);
const empty = (frames: number) => withEmptyFrames(good, frames);

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
				'Clip 3 (a.mp4) exceeds a limit of Video Join: with the clips before it, there are more than 1000000 frames',
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
	'exceeds a limit of Video Join: with the clips before it, there are indexes of more than 64 MB';

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

/** Makes an MP4 without pictures. */
async function makeM4a(): Promise<Buffer> {
	const sound = { from: 0, frames: 40, timescale: 48_000, gapAt: 40, gapSeconds: 0 };
	const shape = {
		timescale: 600,
		pictures: Array<typeof picture>(20).fill(picture),
		sound,
		quality: 0,
	};
	const m4a = await bytesOf(layOut(planFilm([madeClip(shape)])));
	m4a.write('meta', m4a.indexOf('vide'));
	return m4a;
}

it('counts the frames of a sound that are heard, and those that its index names', async () => {
	// 20 of 41 begin within the film.
	expect(await plan([good, await makeM4a()])).toMatchObject({ frames: PICTURES + 21 + 41 });
});

it('counts the index of a sound', async () => {
	const large = clipWith([], box('free', Buffer.alloc(15 * 1024 ** 2)));
	const sound = Buffer.from(large);
	sound.write('soun', sound.lastIndexOf('vide'));
	expect(await plan([...times(4, large), sound])).toMatchObject({
		itemIndex: 4,
		failure: { message: `Clip 5 (a.mp4) ${message}` },
	});
});
