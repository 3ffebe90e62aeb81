import type { Family } from './family';
import { grok } from './grok';
import { h3 } from './h3';
import { hailuo } from './hailuo';
import { jimeng } from './jimeng';
import { kling } from './kling';
import { seedance } from './seedance';
import { veo } from './veo';
import { vidu } from './vidu';
import { wan } from './wan';

/** In the order of their labels. */
export const FAMILIES: readonly Family[] = [
	...[grok, hailuo, jimeng, kling],
	...[h3, seedance, veo, vidu, wan],
];

/** Matches what vendors of videos name otherwise: models of images, of sound, and tools. */
const NO_VIDEO = /t2i|i2i|image(?![-_ ]?(to|2))|kolors|(^|[-_])tts|try-?on/i;

/** On the channels of Veo and Wan, too, but asked by another API. */
const OTHER_API = /gemini-omni|happyhorse/i;

/** Other vendors' models that Alibaba hosts. */
const HOSTED = /kling|vidu/i;

/** Owners whose channels pass a model on to another gateway, which reads what OpenAI's form has. */
export const PASS_ON = ['openai', 'sora'];

/**
 * Returns the family of a model. The service's word counts before the name, because a deployment
 * may name its models as it likes. Of the families of one owner, the name tells which.
 *
 * @param owner `owned_by` in the service's list of models
 * @param chosen the label of the family that a person has chosen, which counts before both
 */
export function findFamily(model: string, owner?: string, chosen?: string): Family | undefined {
	const word = owner?.toLowerCase();
	const owned = FAMILIES.filter(({ owners }) => word !== undefined && owners.includes(word));
	const family = familyNamed(chosen) ?? familyOf(model, owned);
	if (!family || word === undefined) return family;
	if (owned.includes(family)) return { ...family, channel: 'own', owner: word };
	// Nobody knows what Alibaba's channel makes of other fields than Wan's.
	if (owned.includes(wan)) {
		return { ...family, versions: [], price: undefined, channel: 'other', owner: word };
	}
	return { ...family, channel: PASS_ON.includes(word) ? 'other' : undefined, owner: word };
}

function familyOf(model: string, owned: Family[]): Family | undefined {
	if (OTHER_API.test(model)) return undefined;
	const byName = NO_VIDEO.test(model) ? [] : FAMILIES.filter(({ matches }) => matches.test(model));
	const isHosted = owned.includes(wan) && HOSTED.test(model);
	return owned.find((one) => byName.includes(one)) ?? (isHosted ? byName : owned)[0] ?? byName[0];
}

export const familyNamed = (label?: string): Family | undefined =>
	FAMILIES.find((family) => family.label === label);
