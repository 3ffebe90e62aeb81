import { refuseClip } from './clipFile';
import type { Sound } from './codec';
import type { Clip } from './readClip';
import { firstShown, MAX_SAMPLES, TIMESCALE, type Track } from './samples';

/** All clips on one line of time. */
export interface Film {
	clips: Clip[];
	/** Where each clip begins, and as the last entry where the film ends. */
	starts: number[];
	/** The same delay between decoding and showing a picture for all clips. */
	delay: number;
	/** Times and delays of all pictures, in the order of the film; a last entry is the film's end. */
	times: number[];
	delays: number[];
	/** Each key frame needs its clip's parameter sets before it, because those of the clips differ. */
	repeatsSets: boolean;
	/** Absent if no clip has sound. */
	sound?: SoundGrid;
}

/**
 * The sound on a grid of slots, each one frame long: players play frames back to back, so a hole has
 * to be filled with silence. Slot 0 is before the film's start: AAC needs a frame to decode the next.
 */
export interface SoundGrid {
	format: Sound;
	/** For each clip, which of its frames is in each of its slots; `undefined` for silence. */
	frames: Array<Array<number | undefined>>;
}

/** Samples of sound in a frame of AAC. */
export const FRAME = 1024;
export const toSeconds = (time: number) => time / TIMESCALE;
const MAX_SECONDS = 12 * 3_600;

/** @param clips fit to each other (`checkFit`) */
export function planFilm(clips: Clip[]): Film {
	const format = clips.find(({ audio }) => audio)?.audio?.format;
	checkLength(clips, format?.rate);
	const [starts, times, delays]: number[][] = [[0], [], []];
	for (const { video } of clips) {
		const start = starts[starts.length - 1];
		const { samples, timescale } = video;
		const toFilm = (time: number) => Math.round((time * TIMESCALE) / timescale);
		const first = firstShown(samples);
		samples.delays.forEach((delay, i) => {
			const time = toFilm(samples.times[i] - samples.times[0]);
			times.push(start + time);
			delays.push(toFilm(samples.times[i] + delay - first) - time);
		});
		starts.push(start + toFilm(lengthOf(video)));
	}
	times.push(starts[clips.length]);
	const delay = delays.reduce((most, one) => Math.max(most, -one), 0);
	const [{ video }] = clips;
	const isFirst = (sets: Buffer) => sets.equals(video.format.parameterSets);
	return {
		clips,
		starts,
		delay,
		times,
		delays: delays.map((one) => one + delay),
		repeatsSets: !clips.every((clip) => isFirst(clip.video.format.parameterSets)),
		sound: format && planSound(clips, starts, format),
	};
}

function checkLength(clips: Clip[], soundRate = 0): void {
	const seconds = clips.reduce((sum, { video }) => sum + lengthOf(video) / video.timescale, 0);
	const count = clips.reduce((sum, { video }) => sum + video.samples.sizes.length, 0);
	if (seconds > MAX_SECONDS || count + (seconds * soundRate) / FRAME > MAX_SAMPLES) {
		const advice = `A film has at most ${MAX_SAMPLES} frames of picture and sound, which is over an hour, and 12 hours. Make several with Group By.`;
		refuseClip('The clips are too long for one film', advice);
	}
}

/** How long a clip takes to decode, or to show if that takes longer. */
function lengthOf({ samples }: Track<unknown>): number {
	const { times, delays } = samples;
	const end = delays.reduce((last, delay, i) => Math.max(last, times[i + 1] + delay), -Infinity);
	return Math.max(times[delays.length] - times[0], end - firstShown(samples));
}

/** Off its place by more than this, a frame begins a new row; rounding alone moves it by 0.5. */
const MAX_DRIFT = 0.75;

function planSound(clips: Clip[], starts: number[], format: Sound): SoundGrid {
	const toSlot = (time: number) => ((time / TIMESCALE) * format.rate) / FRAME;
	/** The first slot of each clip, and the number of slots: the last clip's sound goes on to its end. */
	const slots = starts.map((start) => Math.round(toSlot(start)));
	slots[clips.length] = Math.ceil(toSlot(starts[clips.length])) + 1;
	const frames = clips.map(({ video, audio }, k) => {
		const filled = new Array<number | undefined>(slots[k + 1] - slots[k]).fill(undefined);
		if (!audio) return filled;
		const pictureShift = firstShown(video.samples) / video.timescale + video.shift;
		let next = -Infinity;
		audio.samples.offsets.forEach((_, frame) => {
			const seconds = audio.samples.times[frame] / audio.timescale + audio.shift - pictureShift;
			const ideal = toSlot(starts[k] + seconds * TIMESCALE) + 1;
			const slot = Math.abs(ideal - next) <= MAX_DRIFT ? next : Math.round(ideal);
			if (slot < next) return;
			next = slot + 1;
			if (slot >= slots[k] && slot < slots[k + 1]) filled[slot - slots[k]] = frame;
		});
		return filled;
	});
	return { format, frames };
}
