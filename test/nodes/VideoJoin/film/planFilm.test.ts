import * as fc from 'fast-check';

import { type Film, planFilm } from '../../../../nodes/VideoJoin/film/planFilm';
import type { Clip } from '../../../../nodes/VideoJoin/film/readClip';
import { TIMESCALE } from '../../../../nodes/VideoJoin/film/samples';
import { layOut } from '../../../../nodes/VideoJoin/film/writeFilm';
import { createMp4Check } from '../../../../nodes/shared/mp4/mp4Check';
import { bytesOf, madeClip, openAndRead, RATE, type Shape, toFile } from './support/madeClip';

const FRAME = 1024;

const shapes = fc.array(
	fc.record<Shape>({
		timescale: fc.constantFrom(1, 24, 600, 1000, 12_800, 15_360, 30_000, 90_000, 999_983, 2 ** 31),
		pictures: fc.array(
			fc.record({
				duration: fc.integer({ min: 1, max: 3000 }),
				delay: fc.integer({ min: -3000, max: 3000 }),
				bytes: fc.integer({ min: 1, max: 60 }),
				isKey: fc.boolean(),
			}),
			{ minLength: 1, maxLength: 20 },
		),
		sound: fc.option(
			fc.record({
				from: fc.double({ min: -0.2, max: 1, noNaN: true }),
				frames: fc.integer({ min: 0, max: 60 }),
				timescale: fc.constantFrom(RATE, 1000),
				gapAt: fc.integer({ min: 0, max: 60 }),
				gapSeconds: fc.constantFrom(0, 0.01, 0.03, 0.5),
			}),
			{ nil: undefined },
		),
		quality: fc.integer({ min: 0, max: 1 }),
		isBackwards: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 6 },
);

/** Frames of the slowest time scale last for hours; what is tested is arithmetic, and not size. */
const isShort = (clips: Clip[]) =>
	clips.every(({ video: { samples, timescale } }) =>
		[...samples.times, ...samples.delays].every((time) => Math.abs(time) / timescale < 100),
	);

const hasGap = ({ audio }: Clip) =>
	audio!.timescale !== RATE ||
	audio!.samples.times.some((time, i, times) => i > 0 && time - times[i - 1] !== FRAME);

const firstShown = ({ samples }: Clip['video']) =>
	Math.min(...samples.delays.map((delay, i) => samples.times[i] + delay));

const isSteady = ({ audio }: Clip) =>
	audio!.samples.times.every(
		(time, i) => Math.abs(time / audio!.timescale - (i * FRAME) / RATE) < 0.001,
	);

function expectPictures(film: Film) {
	const unit = 1 / TIMESCALE;
	let picture = 0;
	let start = 0;
	film.clips.forEach(({ video }, k) => {
		const { samples, timescale } = video;
		expect(Math.abs(film.starts[k] * unit - start)).toBeLessThanOrEqual(unit * (k + 1));
		for (let i = 0; i < samples.sizes.length; i++, picture++) {
			const wanted = (samples.times[i] + samples.delays[i] - firstShown(video)) / timescale;
			const shown = film.times[picture] + film.delays[picture] - film.delay - film.starts[k];
			expect(Math.abs(shown * unit - wanted)).toBeLessThanOrEqual(unit);
			expect(film.delays[picture]).toBeGreaterThanOrEqual(0);
			expect(film.times[picture + 1]).toBeGreaterThanOrEqual(film.times[picture]);
		}
		const shown = samples.delays.map((delay, i) => samples.times[i + 1] + delay);
		start += Math.max(samples.times.at(-1)!, Math.max(...shown) - firstShown(video)) / timescale;
	});
	expect(picture).toBe(film.delays.length);
}

function expectSound({ clips, sound, starts }: Film) {
	expect(sound !== undefined).toBe(clips.some(({ audio }) => audio));
	if (!sound) return;
	const count = sound.frames.flat().length;
	expect((count - 1) * FRAME).toBeGreaterThanOrEqual(
		Math.floor((starts.at(-1)! / TIMESCALE) * RATE),
	);
	let slot = 0;
	clips.forEach(({ video, audio }, k) => {
		const frames = sound.frames[k];
		let last: { frame: number; i: number } | undefined;
		frames.forEach((frame, i) => {
			if (frame === undefined) return;
			// Without a gap nothing is left out and nothing filled in, though times may be rounded.
			if (last && isSteady(clips[k])) expect([frame - last.frame, i - last.i]).toEqual([1, 1]);
			else if (last) expect(frame).toBeGreaterThan(last.frame);
			last = { frame, i };
			const own = audio!.samples.times[frame] / audio!.timescale + audio!.shift;
			const wanted = starts[k] / TIMESCALE + own - firstShown(video) / video.timescale;
			const heard = ((slot + i - 1) * FRAME) / RATE;
			// Half a frame (10.7 ms), however many clips come before, and some more behind a gap.
			expect(Math.abs(heard - wanted) * 1000).toBeLessThan(hasGap(clips[k]) ? 16.1 : 10.7);
		});
		slot += frames.length;
	});
}

/** Its sound begins in the middle of two places, and the times of its frames are rounded. */
const BETWEEN_PLACES: Shape = {
	timescale: 24,
	pictures: Array(20).fill({ duration: 1, delay: 0, bytes: 1, isKey: true }),
	sound: { from: (1.5 * FRAME) / RATE, frames: 30, timescale: 1000, gapAt: 30, gapSeconds: 0 },
	quality: 0,
};

it('holds pictures and sound of any clips together', () => {
	fc.assert(
		fc.property(shapes, (all) => {
			const clips = all.map(madeClip);
			fc.pre(isShort(clips));
			const film = planFilm(clips);
			expectPictures(film);
			expectSound(film);
		}),
		{ examples: [[[BETWEEN_PLACES]]] },
	);
});

it('a clip brings all its sound, in its order', () => {
	const frames = 16;
	const clip = madeClip({ ...BETWEEN_PLACES, sound: { ...BETWEEN_PLACES.sound!, frames } });
	const heard = planFilm([clip]).sound!.frames[0].filter((frame) => frame !== undefined);
	expect(heard).toEqual(Array.from({ length: frames }, (_, frame) => frame));
});

it.each([
	[24, 1],
	[25, 1],
	[30_000, 1_001],
	[60, 1],
])('a rate of %i/%i is kept, with no picture longer than another', (timescale, duration) => {
	const picture = { duration, delay: 0, bytes: 1, isKey: true };
	const pictures = Array<typeof picture>(4).fill(picture);
	const { times } = planFilm([madeClip({ timescale, pictures, sound: undefined, quality: 0 })]);
	const length = (TIMESCALE * duration) / timescale;
	expect(times).toEqual([0, 1, 2, 3, 4].map((n) => n * length));
});

/** The bytes of each sample, as the index says where it is. */
const samplesOf = (bytes: Buffer, { offsets, sizes }: Clip['video']['samples']) =>
	offsets.map((at, i) => bytes.subarray(at, at + sizes[i]).toString('hex'));

it('writes a file that holds each picture and each frame of sound as it was', async () => {
	await fc.assert(
		fc.asyncProperty(shapes, async (all) => {
			const clips = all.map(madeClip);
			fc.pre(isShort(clips));
			const film = planFilm(clips);
			// A film without duration is refused.
			fc.pre(film.starts.at(-1)! > 0);
			const file = layOut(film);
			const bytes = await bytesOf(file);
			const check = createMp4Check();
			check.feed(bytes);
			expect([check.isWhole(), bytes.length]).toEqual([true, file.sizeBytes]);
			const read = await openAndRead(toFile(bytes));
			const wanted: string[] = [];
			const heard: string[] = [];
			for (const [k, clip] of clips.entries()) {
				const whole = await bytesOf(clip.file);
				const { samples, format } = clip.video;
				const sets = format.parameterSets.toString('hex');
				samplesOf(whole, samples).forEach((one, i) =>
					wanted.push(film.repeatsSets && samples.isKey[i] ? sets + one : one),
				);
				if (!film.sound) continue;
				const own = clip.audio ? samplesOf(whole, clip.audio.samples) : [];
				const silence = film.sound.format.silence.toString('hex');
				heard.push(...film.sound.frames[k].map((i) => (i === undefined ? silence : own[i])));
			}
			expect(samplesOf(bytes, read.video.samples)).toEqual(wanted);
			// A last picture without a time of its own is given one.
			expect(read.video.samples.times.slice(0, -1)).toEqual(film.times.slice(0, -1));
			expect(read.video.samples.delays).toEqual(film.delays);
			expect(read.audio ? samplesOf(bytes, read.audio.samples) : []).toEqual(heard);
		}),
	);
});
