import { toPlainName } from '../names';
import { type Family, isFamily, type Takes } from '../takes';
import { grok } from './grok';
import { jimeng } from './jimeng';
import { kling, kling3 } from './kling';
import { h3, hailuo } from './minimax';
import { seedance } from './seedance';
import { veo, veoOfResellers } from './veo';
import { vidu } from './vidu';
import { wan, wan26ByReferences, wanByImage, wanByText } from './wan';

/** The first that matches a name counts; the last of a family stands for names that tell nothing. */
export const ROWS: readonly Family[] = [
	...[grok, h3, hailuo, jimeng, kling3, kling, seedance, veoOfResellers, veo, vidu],
	...[wan26ByReferences, wanByText, wanByImage, wan],
];

/** The families, in the order of their labels. */
export const FAMILIES: readonly string[] = [...new Set(ROWS.map(({ label }) => label))].sort();

/** Returns the row of a family that stands for names that tell nothing. */
export const familyNamed = (label?: string): Family | undefined =>
	ROWS.filter((row) => row.label === label).at(-1);

/** Matches what vendors of videos name otherwise: models of images, of sound, and tools. */
const NO_VIDEO = /t2i|i2i|image(?!-?(to|2))|kolors|(^|-)tts|try-?on/;

/** On the channels of Veo and Wan, too, but asked by another API. */
const OTHER_API = /gemini-omni|happyhorse/;

/**
 * Returns the row of a model. The service's word counts before the name, because a deployment may name
 * its models as it likes. Of the rows of one owner, the name tells which.
 *
 * @param owner `owned_by` in the service's list of models
 * @param chosen the family that a person has chosen, which counts before both
 */
export function findRow(model: string, owner?: string, chosen?: string): Family | undefined {
	const name = toPlainName(model);
	const byChoice = familyNamed(chosen);
	if (byChoice) {
		const { label } = byChoice;
		return ROWS.find((row) => row.label === label && row.matches.test(name)) ?? byChoice;
	}
	if (OTHER_API.test(name)) return undefined;
	const byName = NO_VIDEO.test(name) ? [] : ROWS.filter(({ matches }) => matches.test(name));
	const owned = ownedBy(owner);
	return owned.find((row) => byName.includes(row)) ?? owned.at(-1) ?? byName[0];
}

function ownedBy(owner?: string): Family[] {
	const word = owner?.toLowerCase() ?? '';
	return ROWS.filter(({ owners }) => owners?.includes(word));
}

/** Owners whose channels pass a model on to another gateway, which reads what OpenAI's form has. */
const PASS_ON = ['openai', 'sora'];

/** Returns whether the channel of a model is another vendor's, which may not read what the row writes. */
export const isForeign = (takes: Takes, owner = ''): boolean => {
	const word = owner.toLowerCase();
	if (!isFamily(takes) || takes.owners?.includes(word)) return false;
	return PASS_ON.includes(word) || ownedBy(word).length > 0;
};
