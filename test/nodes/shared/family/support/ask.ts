import type { IDataObject } from 'n8n-workflow';

import { flatten } from '../../../../../nodes/shared/family/byHand';
import { familyNamed } from '../../../../../nodes/shared/family/families';
import type { VideoSpec } from '../../../../../nodes/shared/family/family';
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

/** Everything that may be asked for, with the fields by hand as they are written. */
export type Asked = Partial<Omit<VideoSpec, 'byHand'>> & { byHand?: object };

/** The fields of the request, or why there are none; an option's label is `<name>`. */
export function askFamily(label: string, model: string, asked: Asked): IDataObject | string {
	const { byHand = {}, ...wishes } = asked;
	const video = {
		...{ options: {}, pictures: { references: [] }, prompt: 'A boat' },
		...wishes,
		byHand: flatten(byHand as IDataObject),
	};
	const refuse = (message: string, advice: string) => {
		throw new Error(`${message}. ${advice}`);
	};
	try {
		const labels = { label: (option: string) => `<${option}>`, refuse };
		return toFields(familyNamed(label), model, video, labels);
	} catch (error) {
		return (error as Error).message;
	}
}
