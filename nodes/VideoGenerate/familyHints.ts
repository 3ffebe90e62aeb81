import type { NodeHint } from 'n8n-workflow';

import type { Family, FamilyOption } from '../shared/family/family';
import { FAMILIES } from '../shared/family/modelFamily';
import { familyFields } from './familyFields';
import { KINDS_OF_MODELS } from './familyValues';

const NAMES = FAMILIES.map(({ label, matches }) => `[${String(matches)}, "${label}"]`).join(', ');

/**
 * The family of the chosen model, as far as an expression can tell: by Model Family or by the name.
 * What the service says of its models is only known in a run.
 */
const FAMILY = `(($parameter.options?.modelFamily || "auto") !== "auto" ? $parameter.options.modelFamily : [${NAMES}].find(([name]) => name.test($parameter.model?.value ?? $parameter.model))?.[1])`;

const labelsOf = (lacks: (family: Family) => boolean) =>
	JSON.stringify(FAMILIES.filter(lacks).map(({ label }) => label));

const toHint = (what: string, isSet: string, lacks: (family: Family) => boolean): NodeHint => ({
	message: `The chosen model's family has no ${what}: the item would fail before it is submitted.`,
	displayCondition: `={{ ${isSet} && ${labelsOf(lacks)}.includes(${FAMILY}) }}`,
	type: 'warning',
	whenToDisplay: 'always',
	location: 'outputPane',
});

const hasNo = (option: FamilyOption) => (family: Family) =>
	KINDS_OF_MODELS.every((model) => {
		const setting = family.settings(model)[option];
		return !setting || !('write' in setting);
	});

const hasRole = (role: string) =>
	`($parameter.furtherImages?.image ?? []).some((image) => (image.role ?? "lastFrame") === "${role}")`;

/** Also beside an earlier result: what was set, and the chosen model's family does not have. */
export const familyHints: NodeHint[] = [
	...familyFields
		.filter(({ name }) => name !== 'modelFamily' && FAMILIES.some(hasNo(name as FamilyOption)))
		.map(({ displayName, name }) =>
			toHint(
				displayName,
				`![undefined, null, ""].includes($parameter.options?.${name})`,
				hasNo(name as FamilyOption),
			),
		),
	toHint('Last Frame', hasRole('lastFrame'), ({ pictures }) => !pictures.lastFrame),
	toHint('Reference Images', hasRole('reference'), ({ pictures }) => pictures.references === 0),
];
