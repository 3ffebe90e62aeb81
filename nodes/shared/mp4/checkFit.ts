import { lowerFirst } from '../lib/text';
import type { Clip } from './readClip';
import { refuse } from './source';

const SAME_SETTINGS =
	'Render all clips with the same Model, Aspect Ratio and Resolution, or make a film of each kind with Group By.';
const WITHOUT_SOUND = 'Set the option Sound to Remove to join the clips without their sound.';

/** Refuses a clip that does not fit to the clips before it. */
export function checkFit(clip: Clip, before: Clip[]): void {
	compare(clip, before[0], 'looks', SAME_SETTINGS);
	if (clip.audio)
		compare(
			clip,
			before.find(({ audio }) => audio),
			'sounds',
			WITHOUT_SOUND,
		);
}

function compare(clip: Clip, other: Clip | undefined, facts: 'looks' | 'sounds', advice: string) {
	const different = clip[facts].findIndex((fact, i) => other && fact !== other[facts][i]);
	if (different < 0 || !other) return;
	const theirs = `${lowerFirst(other.source.label)} has ${other[facts][different]}`;
	refuse(`has ${clip[facts][different]}, but ${theirs}`, advice);
}
