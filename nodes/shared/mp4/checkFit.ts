import { lowerFirst } from '../lib/text';
import type { Clip } from './readClip';
import { refuse } from './source';

const SAME_SETTINGS =
	'Render all clips with the same Model, Aspect Ratio and Resolution, or make a film of each kind with Group By.';
const WITHOUT_SOUND = 'Set the option Sound to Remove to join the clips without their sound.';

/** What all clips of a film have in common, in words that can be compared and shown. */
const PICTURE_FACTS: Array<(clip: Clip) => string> = [
	({ video: { format } }) => `${format.width} x ${format.height} pixels`,
	({ video: { format } }) => `the video codec ${toCodec(format.format)}`,
	({ video: { format } }) => `the colour format ${format.colour}`,
	({ matrix }) => `a rotation of ${toDegrees(matrix)} degrees`,
	({ shownSize }) => `a shown size of ${toPixels(shownSize, 0)} x ${toPixels(shownSize, 4)}`,
];
const SOUND_FACTS: Array<(clip: Clip) => string> = [
	({ audio }) => `sound with ${audio!.format.rate} Hz`,
	({ audio }) => (audio!.format.channels === 1 ? 'mono sound' : 'stereo sound'),
];

/**
 * Refuses a clip that does not fit to the clips before it.
 *
 * @param heard the first clip with sound, if there is one
 */
export function checkFit(clip: Clip, first: Clip, heard: Clip | undefined): void {
	compare(clip, first, PICTURE_FACTS, SAME_SETTINGS);
	const { format } = clip.video;
	if (format.settings !== first.video.format.settings) {
		if (!format.takesParameterSets || !first.video.format.takesParameterSets) {
			const what = `was encoded with other settings than ${lowerFirst(first.source.label)}`;
			refuse(clip.source, what, 'Render all clips with the same model, or encode them anew.');
		}
	}
	if (!clip.audio || !heard) return;
	const { silence, format: name } = clip.audio.format;
	if (!silence) {
		refuse(
			clip.source,
			`has sound that cannot be joined: ${name}`,
			`Only AAC-LC in mono or stereo can be kept in step. ${WITHOUT_SOUND}`,
		);
	}
	compare(clip, heard, SOUND_FACTS, WITHOUT_SOUND);
}

function compare(clip: Clip, first: Clip, facts: Array<(clip: Clip) => string>, advice: string) {
	for (const fact of facts) {
		const [mine, theirs] = [fact(clip), fact(first)];
		if (mine === theirs) continue;
		refuse(clip.source, `has ${mine}, but ${lowerFirst(first.source.label)} has ${theirs}`, advice);
	}
}

const CODECS: Record<string, string> = {
	avc1: 'H.264 (avc1)',
	avc3: 'H.264 (avc3)',
	hvc1: 'H.265 (hvc1)',
	hev1: 'H.265 (hev1)',
	av01: 'AV1 (av01)',
	vp09: 'VP9 (vp09)',
};
const toCodec = (format: string) => CODECS[format] ?? format;

function toDegrees(matrix: Buffer): number {
	const degrees = Math.atan2(matrix.readInt32BE(4), matrix.readInt32BE(0)) * (180 / Math.PI);
	return (Math.round(degrees) + 360) % 360;
}

/** Widths and heights of `tkhd` are fixed-point numbers with 16 bits behind the point. */
const toPixels = (size: Buffer, at: number) => Math.round(size.readUInt32BE(at) / 65_536);
