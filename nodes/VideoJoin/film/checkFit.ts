import { lowerFirst } from '../../shared/lib/text';
import { refuseClip } from './clipFile';
import { REMOVE_SOUND } from './codec';
import type { Clip } from './readClip';

const SAME_SETTINGS =
	'Render all clips with the same Model, Aspect Ratio and Resolution, or make a film of each kind with Group By.';

/** Refuses a clip that does not fit to the clips before it. */
export function checkFit(clip: Clip, before: Clip[]): void {
	const [first] = before;
	if (first) compare(clip, first, lookOf, SAME_SETTINGS);
	const heard = clip.audio && before.find(({ audio }) => audio);
	if (heard) compare(clip, heard, soundOf, REMOVE_SOUND);
}

function compare(
	clip: Clip,
	other: Clip,
	traitsOf: (clip: Clip) => string[],
	advice: string,
): void {
	const traits = traitsOf(other);
	const odd = traitsOf(clip).findIndex((trait, i) => trait !== traits[i]);
	if (odd < 0) return;
	const but = `${lowerFirst(other.file.label)} has ${traits[odd]}`;
	refuseClip(`${clip.file.label} has ${traitsOf(clip)[odd]}, but ${but}`, advice);
}

function lookOf({ video: { format, shape } }: Clip): string[] {
	const { type, width, height, colour } = format;
	const degrees = Math.atan2(shape.readInt32BE(4), shape.readInt32BE(0)) * (180 / Math.PI);
	// Width and height have 16 bits behind the point.
	const shown = [36, 40].map((at) => Math.round(shape.readUInt32BE(at) / 65_536));
	return [
		`${width} x ${height} pixels`,
		`the video codec ${type.startsWith('avc') ? 'H.264' : 'H.265'} (${type})`,
		`the colour format ${colour}`,
		`a rotation of ${Math.round(degrees + 360) % 360} degrees`,
		`a shown size of ${shown.join(' x ')}`,
	];
}

const soundOf = ({ audio }: Clip) => [
	`sound with ${audio!.format.rate} Hz`,
	audio!.format.channels === 1 ? 'mono sound' : 'stereo sound',
];
