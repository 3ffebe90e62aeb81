import { refuseClip } from './clipFile';
import type { Clip, Index } from './readClip';

/** What the clips of an execution take of n8n's memory until their films are stored. */
export interface Held {
	/** Those of the clips, of the sound, and of the silence between. */
	frames: number;
	indexBytes: number;
}

/** About two hours of films with sound at 30 frames per second; with all their tables, some 120 MB. */
export const MAX_HELD_FRAMES = 1_000_000;
const MAX_HELD_INDEX_BYTES = 64 * 1024 * 1024;
/** What Node.js needs for a buffer, however short. */
const BUFFER_BYTES = 256;

/**
 * Counts what a file adds, and refuses it above the limits of all clips: a clip of 1 kB may name 500,000
 * frames, and a form takes any number of files (CVE-2026-53423 is of the same kind).
 *
 * @param label names the file at the beginning of a message
 */
export function hold(held: Held, label: string, { frames, indexBytes }: Partial<Held>) {
	held.frames += frames ?? 0;
	held.indexBytes += indexBytes ?? 0;
	const isOver = held.frames > MAX_HELD_FRAMES;
	if (!isOver && held.indexBytes <= MAX_HELD_INDEX_BYTES) return;
	const what = isOver
		? `more than ${MAX_HELD_FRAMES} frames`
		: `indexes of more than ${MAX_HELD_INDEX_BYTES / 1024 ** 2} MB`;
	const words = `${label} exceeds a limit of Video Join: with the clips before it, there are ${what}`;
	refuseClip(words, 'Leave it out, or join the clips in several executions.');
}

export const indexBytesOf = ({ moov, fragments }: Index) =>
	fragments.reduce((sum, { moof }) => sum + moof.length + BUFFER_BYTES, moov.length);

export const framesOf = ({ video, audio }: Clip) =>
	video.samples.sizes.length + (audio?.samples.sizes.length ?? 0);
