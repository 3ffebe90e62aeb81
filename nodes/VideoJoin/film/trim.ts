import type { CodedPicture } from './codec';
import { firstShown, type Samples, type Track } from './samples';

/** A part of a picture, at 24 per second: no second of hidden ones is shown for it. */
const MAX_LOST_SECONDS = 1 / 24;
/** QuickTime counts 600 in a second. */
const ROUNDING_SECONDS = 1 / 600;

/**
 * Lets a track that was cut without encoding (`ffmpeg -ss -c copy`) begin at the last key frame up to
 * its cut. Before it, the file has all pictures since the key frame that ffmpeg found in front of the
 * cut, and its edit list hides those in between. Nothing but a decoder could show them from there.
 *
 * Pictures that are decoded behind that key frame and shown before it (x265 makes such by default) need
 * what is dropped, so they are dropped as well.
 */
export function beginAtCut(track: Track<CodedPicture>): Track<CodedPicture> {
	const { samples, timescale, cut } = track;
	if (cut === undefined || cut <= firstShown(samples)) return track;
	const shown = samples.delays.map((delay, i) => samples.times[i] + delay);
	const from = cut - ROUNDING_SECONDS * timescale;
	const whole = shown.reduce((least, one) => (one < from ? least : Math.min(least, one)), Infinity);
	const latest = Math.min(whole, cut + MAX_LOST_SECONDS * timescale);
	const begin = shown.map((one, i) => samples.isKey[i] && one <= latest).lastIndexOf(true);
	if (begin < 0) return track;
	const kept = shown.flatMap((one, i) => (i >= begin && one >= shown[begin] ? [i] : []));
	return { ...track, samples: keep(samples, kept) };
}

/** Returns some of the samples, shown when they were. Each takes its own time to decode, up to the end. */
function keep(samples: Samples, kept: number[]): Samples {
	const { offsets, sizes, times, delays, isKey } = samples;
	const newTimes = [times[sizes.length]];
	for (const i of [...kept].reverse()) {
		newTimes.push(newTimes[newTimes.length - 1] - (times[i + 1] - times[i]));
	}
	newTimes.reverse();
	return {
		offsets: kept.map((i) => offsets[i]),
		sizes: kept.map((i) => sizes[i]),
		times: newTimes,
		delays: kept.map((i, at) => times[i] + delays[i] - newTimes[at]),
		isKey: kept.map((i) => isKey[i]),
	};
}

/** Nobody sees less. */
const MIN_EARLY_SECONDS = 0.02;

/** Returns how many seconds before its cut a track begins; 0 if it was not cut, or by as good as none. */
export function secondsBeforeCut({ samples, timescale, cut }: Track<unknown>): number {
	const seconds = cut === undefined ? 0 : (cut - firstShown(samples)) / timescale;
	return seconds > MIN_EARLY_SECONDS ? seconds : 0;
}
