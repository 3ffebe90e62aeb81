import { lowerFirst } from '../lib/text';
import type { Picture, Sound } from './codec';
import { refuse, type Source } from './source';

/** What all clips of a film have in common, in words that can be compared and shown. */
export interface Traits {
	source: Source;
	looks: string[];
	/** Empty if a clip has no sound. */
	sounds: string[];
}

export function toLooks({ type, width, height, colour }: Picture, shape: Buffer): string[] {
	const [a, b, c, d] = [0, 4, 12, 16].map((at) => shape.readInt32BE(at));
	const degrees = Math.round(Math.atan2(b, a) * (180 / Math.PI));
	// Width and height have 16 bits behind the point.
	const shown = [36, 40].map((at) => Math.round(shape.readUInt32BE(at) / 65_536));
	return [
		`${width} x ${height} pixels`,
		`the video codec ${type.startsWith('avc') ? 'H.264' : 'H.265'} (${type})`,
		`the colour format ${colour}`,
		`a rotation of ${(degrees + 360) % 360} degrees${a * d < b * c ? ', mirrored' : ''}`,
		`a shown size of ${shown.join(' x ')}`,
	];
}

export const toSounds = ({ rate, channels }: Sound) => [
	`sound with ${rate} Hz`,
	channels === 1 ? 'mono sound' : 'stereo sound',
];

const SAME_SETTINGS =
	'Render all clips with the same Model, Aspect Ratio and Resolution, or make a film of each kind with Group By.';
const WITHOUT_SOUND = 'Set the option Sound to Remove to join the clips without their sound.';

/** Refuses a clip that does not fit to the clips before it. */
export function checkFit(clip: Traits, before: Traits[]): void {
	const heard = before.find(({ sounds }) => sounds.length > 0);
	compare(clip, before[0], 'looks', SAME_SETTINGS);
	compare(clip, heard, 'sounds', WITHOUT_SOUND);
}

function compare(
	clip: Traits,
	other: Traits | undefined,
	kind: 'looks' | 'sounds',
	advice: string,
) {
	if (!other) return;
	const i = clip[kind].findIndex((trait, n) => trait !== other[kind][n]);
	if (i < 0) return;
	const theirs = `${lowerFirst(other.source.label)} has ${other[kind][i]}`;
	refuse(`has ${clip[kind][i]}, but ${theirs}`, advice);
}
