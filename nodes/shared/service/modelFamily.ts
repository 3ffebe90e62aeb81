import type { IDataObject } from 'n8n-workflow';

/** Options that vendors name in their own way; the rest of the request is the same for all. */
export const VENDOR_OPTIONS = [
	'aspectRatio',
	'cameraFixed',
	'generateAudio',
	'negativePrompt',
	'personGeneration',
	'resolution',
	'seed',
	'watermark',
] as const;

type VendorOption = (typeof VENDOR_OPTIONS)[number];

type FieldNames = Partial<Record<VendorOption, string>>;

interface Family {
	label: string;
	matches: RegExp;
	fields: FieldNames;
}

/**
 * Where each option goes inside `metadata`: the vendor's own spelling. Not documented by the
 * service; deployments hand `metadata` on to the vendor as it is.
 */
const FAMILIES: Family[] = [
	{
		label: 'Veo',
		matches: /^veo-/i,
		fields: {
			aspectRatio: 'aspectRatio',
			generateAudio: 'generateAudio',
			negativePrompt: 'negativePrompt',
			personGeneration: 'personGeneration',
			resolution: 'resolution',
			seed: 'seed',
		},
	},
	{
		label: 'Seedance',
		matches: /seedance/i,
		fields: {
			aspectRatio: 'ratio',
			cameraFixed: 'camera_fixed',
			generateAudio: 'generate_audio',
			resolution: 'resolution',
			seed: 'seed',
			watermark: 'watermark',
		},
	},
];

/** The vendor's fields for the options that were set, and the options it has no field for. */
export function toVendorFields(
	model: string,
	options: Partial<Record<VendorOption, IDataObject[string]>>,
): { family?: string; fields: IDataObject; unknown: VendorOption[] } {
	const family = FAMILIES.find(({ matches }) => matches.test(model));
	const fields: IDataObject = {};
	const unknown: VendorOption[] = [];
	for (const [option, value] of Object.entries(options) as Array<[VendorOption, string]>) {
		const field = family?.fields[option];
		if (field) fields[field] = value;
		else unknown.push(option);
	}
	return { family: family?.label, fields, unknown };
}
