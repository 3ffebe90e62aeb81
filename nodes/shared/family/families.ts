import type { Family } from './family';
import { hailuo } from './hailuo';
import { jimeng } from './jimeng';
import { kling } from './kling';
import { seedance } from './seedance';
import { veo } from './veo';
import { vidu } from './vidu';
import { wan } from './wan';

/** In the order of their labels. */
export const FAMILIES: readonly Family[] = [hailuo, jimeng, kling, seedance, veo, vidu, wan];

/**
 * Returns the family of a model. The service's word counts before the name, because a deployment
 * may name its models as it likes.
 *
 * @param owner `owned_by` in the service's list of models
 */
export const findFamily = (model: string, owner?: string): Family | undefined =>
	FAMILIES.find(({ owners }) => owner !== undefined && owners.includes(owner.toLowerCase())) ??
	FAMILIES.find(({ matches }) => matches.test(model));

export const familyNamed = (label: string): Family | undefined =>
	FAMILIES.find((family) => family.label === label);
