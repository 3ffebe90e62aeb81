import type { IDataObject } from 'n8n-workflow';

import type { Reader } from '../shared/item/reader';
import { spellFields } from '../shared/text/names';

/** Lists of the body; with anything else in their place nobody could say what is meant. */
const LISTS = ['contents', 'safetySettings', 'tools'];

/**
 * Further fields of the body, in the spelling of the protocol. What is merged with options must have
 * the form for it: `generationConfig` an object, `contents`, `safetySettings` and `tools` lists.
 */
export function readExtraFields({ options }: Reader): IDataObject {
	const label = options.label('extraFields');
	const extra = spellFields(options.object('extraFields')) as IDataObject;
	for (const name of LISTS) {
		const value = extra[name];
		if (value === undefined || value === null || Array.isArray(value)) continue;
		options.refuse(
			`${name} in ${label} must be a list`,
			`Write it as { "${name}": [...] }. Nothing was sent for this item.`,
		);
	}
	if (extra.generationConfig === undefined) return extra;
	const config = options.toObject(extra.generationConfig, `generationConfig in ${label}`);
	return { ...extra, generationConfig: spellFields(config) as IDataObject };
}
