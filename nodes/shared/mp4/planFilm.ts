import type { Clip, Track } from './readClip';
import type { Picture, Sound } from './codec';
import { MAX_SAMPLES } from './samples';
import { refuse } from './source';

/** All clips on one line of time. */
export interface Film {
	clips: Clip[];
	/** Units per second of the film's times. */
	timescale: number;
	/** Where each clip begins, and as the last entry where the film ends. */
	starts: number[];
	/** The same delay between decoding and showing a picture for all clips. */
	delay: number;
	/** Times and delays of all pictures, in the order of the film; a last entry is the film's end. */
	times: number[];
	delays: number[];
	/** Each key frame needs its clip's settings before it, because those of the clips differ. */
	repeatsSettings: boolean;
	/** Absent if no clip has sound. */
	sound?: SoundPlan;
}

/**
 * The sound on a grid of slots, each one frame long. Players play frames back to back, whatever the
 * times of a file say, so a hole has to be filled with silence. Slot 0 is before the film's start:
 * decoding a frame of AAC takes the frame before it.
 */
interface SoundPlan {
	format: Sound & { silence: Buffer };
	/** The first slot of each clip, and as the last entry the number of slots. */
	slots: number[];
	/** For each clip, which of its frames is in each of its slots; `undefined` for silence. */
	frames: Array<Array<number | undefined>>;
}

const FRAME = 1024;
const MAX_TIMESCALE = 1_000_000;
/** Exact for 24, 25, 30 and 60 pictures a second, and the 32 bits of a time last for 13 hours. */
const COMMON_TIMESCALE = 90_000;
const MAX_TIME = 2 ** 32 - 1;

/** Plans a film of clips that fit. */
export function planFilm(clips: Clip[]): Film {
	const seconds = clips.reduce((sum, { video }) => sum + lengthOf(video) / video.timescale, 0);
	const pictures = clips.reduce((sum, { video }) => sum + video.samples.sizes.length, 0);
	const rate = clips.find(({ audio }) => audio)?.audio!.format.rate ?? 0;
	const exact = clips.reduce(
		(scale, { video }) => (scale > MAX_TIMESCALE ? scale : toMultiple(scale, video.timescale)),
		1,
	);
	const fits = exact <= MAX_TIMESCALE && seconds * exact < MAX_TIME;
	const timescale = fits ? exact : COMMON_TIMESCALE;
	if (pictures + (seconds * rate) / FRAME > MAX_SAMPLES || seconds * timescale >= MAX_TIME) {
		const advice = `A film has at most ${MAX_SAMPLES} frames of picture and sound, which is over an hour. Make several with Group By.`;
		refuse(clips[0].source, 'and the clips after it are too long for one film', advice);
	}
	const starts = [0];
	const times: number[] = [];
	const delays: number[] = [];
	for (const { video } of clips) {
		const start = starts[starts.length - 1];
		const { samples } = video;
		const toFilm = (time: number) => Math.round((time * timescale) / video.timescale);
		const shownFirst = firstShown(video);
		for (let i = 0; i < samples.sizes.length; i++) {
			const time = toFilm(samples.times[i] - samples.times[0]);
			times.push(start + time);
			delays.push(toFilm(samples.times[i] + samples.delays[i] - shownFirst) - time);
		}
		starts.push(start + Math.max(1, toFilm(lengthOf(video))));
	}
	times.push(starts[starts.length - 1]);
	const delay = delays.reduce((most, one) => Math.max(most, -one), 0);
	const [first] = clips;
	return {
		clips,
		timescale,
		starts,
		delay,
		times,
		delays: delays.map((one) => one + delay),
		repeatsSettings: clips.some(
			({ video }) => video.format.settings !== first.video.format.settings,
		),
		sound: planSound(
			clips,
			starts.map((start) => start / timescale),
		),
	};
}

const toMultiple = (a: number, b: number) => (a / toDivisor(a, b)) * b;
const toDivisor = (a: number, b: number): number => (b === 0 ? a : toDivisor(b, a % b));

const lengthOf = ({ samples: { times } }: Track<Picture>) => times[times.length - 1] - times[0];

function firstShown({ samples }: Track<Picture>): number {
	let first = Infinity;
	samples.delays.forEach((delay, i) => (first = Math.min(first, samples.times[i] + delay)));
	return first;
}

/** Off its place by more than this, a frame begins a new row; rounding alone moves it by 0.5. */
const MAX_DRIFT = 0.75;

function planSound(clips: Clip[], starts: number[]): SoundPlan | undefined {
	const format = clips.find(({ audio }) => audio)?.audio!.format;
	if (!format?.silence) return undefined;
	const { silence, rate } = format;
	const slots = starts.map((start) => Math.round((start * rate) / FRAME));
	// The last clip's sound goes on to its end.
	slots[clips.length] = Math.ceil((starts[clips.length] * rate) / FRAME) + 1;
	const frames = clips.map(({ video, audio }, k) => {
		const filled = new Array<number | undefined>(slots[k + 1] - slots[k]).fill(undefined);
		if (!audio) return filled;
		const pictureShift = firstShown(video) / video.timescale + video.shift;
		const { samples, timescale, shift } = audio;
		let next: number | undefined;
		for (let frame = 0; frame < samples.sizes.length; frame++) {
			const seconds = samples.times[frame] / timescale + shift - pictureShift;
			const ideal = ((starts[k] + seconds) * rate) / FRAME + 1;
			const isNext = next !== undefined && Math.abs(ideal - next) <= MAX_DRIFT;
			const slot: number = isNext ? next! : Math.round(ideal);
			if (next !== undefined && slot < next) continue;
			next = slot + 1;
			if (slot >= slots[k] && slot < slots[k + 1]) filled[slot - slots[k]] = frame;
		}
		return filled;
	});
	return { format: { ...format, silence }, slots, frames };
}
