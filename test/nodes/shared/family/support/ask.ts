import type { IDataObject } from 'n8n-workflow';

import type { Wishes } from '../../../../../nodes/shared/family/family';
import { familyNamed } from '../../../../../nodes/shared/family/modelFamily';
import { toFields } from '../../../../../nodes/shared/family/toFields';

/** One model of each family whose models are all alike. */
export const MODELS: Readonly<Record<string, string>> = {
	Jimeng: 'jimeng_v30',
	Kling: 'kling-v1-6',
	Seedance: 'doubao-seedance-1-5-pro-251215',
	Sora: 'sora-2',
	Veo: 'veo-3.1-fast-generate-001',
	Vidu: 'viduq2',
};

/** The fields of the request for these wishes, or why there are none; an option's label is `<name>`. */
export function askFamily(
	label: string,
	model: string,
	wishes: Partial<Wishes>,
): IDataObject | string {
	const whole = { options: {}, pictures: { references: [] }, metadata: {}, ...wishes };
	const result = toFields(familyNamed(label)!, model, whole, (option) => `<${option}>`);
	return 'fields' in result ? result.fields : `${result.refusal.message}. ${result.refusal.advice}`;
}
