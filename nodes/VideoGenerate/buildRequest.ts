import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isSet, jsonObjectOption, requireText, throwInput } from '../shared/item/parameters';
import { toVendorFields, type VendorOption } from '../shared/service/modelFamily';
import type { SubmitRequest } from '../shared/service/videoApi';
import { readImage } from './readImage';

const VENDOR_OPTIONS: Record<VendorOption, string> = {
	aspectRatio: 'Aspect Ratio',
	cameraFixed: 'Camera Fixed',
	generateAudio: 'Generate Audio',
	negativePrompt: 'Negative Prompt',
	personGeneration: 'Person Generation',
	resolution: 'Resolution',
	seed: 'Seed',
	watermark: 'Watermark',
};

/**
 * The request body for one item. Only what the person set is in it: the documented fields `model`,
 * `prompt`, `image`; `duration` and `size`, which deployments read at the top level; the vendor's
 * options inside `metadata`.
 */
export async function buildRequest(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<SubmitRequest> {
	const model = requireText(context, itemIndex, 'model', 'Model');
	const prompt = requireText(context, itemIndex, 'prompt', 'Prompt');
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const image = await readImage(context, itemIndex);
	const metadata = {
		...jsonObjectOption(context, itemIndex, options.metadata, 'Metadata'),
		...vendorFields(context, itemIndex, model, options),
	};
	const extra = jsonObjectOption(context, itemIndex, options.extraFields, 'Extra Fields');
	const allMetadata = {
		...jsonObjectOption(context, itemIndex, extra.metadata, 'metadata in Extra Fields'),
		...metadata,
	};
	return {
		...extra,
		...topLevelFields(context, itemIndex, options),
		...(Object.keys(allMetadata).length > 0 && { metadata: allMetadata }),
		...(image !== undefined && { image }),
		model,
		prompt,
	};
}

function topLevelFields(
	context: IExecuteFunctions,
	itemIndex: number,
	{ duration, size }: IDataObject,
): IDataObject {
	const fields: IDataObject = {};
	if (isSet(duration)) {
		const seconds = Number(duration);
		if (!Number.isInteger(seconds) || seconds < 1) {
			throwInput(context, itemIndex, 'Duration must be a whole number of seconds, 1 or more');
		}
		fields.duration = seconds;
	}
	if (isSet(size)) {
		const pixels = String(size).trim();
		if (!/^\d+\s*[xX*]\s*\d+$/.test(pixels)) {
			throwInput(context, itemIndex, 'Size must be width x height in pixels, such as 1280x720');
		}
		fields.size = pixels.replace(/\s*[xX*]\s*/, 'x');
	}
	return fields;
}

function vendorFields(
	context: IExecuteFunctions,
	itemIndex: number,
	model: string,
	options: IDataObject,
): IDataObject {
	const names = Object.keys(VENDOR_OPTIONS) as VendorOption[];
	const set = names.filter((name) => isSet(options[name])).map((name) => [name, options[name]]);
	const { family, fields, unknown } = toVendorFields(model, Object.fromEntries(set));
	if (unknown.length === 0) return fields;
	const labels = unknown.map((name) => VENDOR_OPTIONS[name]).join(', ');
	return throwInput(
		context,
		itemIndex,
		family
			? `${family} models have no field for: ${labels}`
			: `The model "${model}" is of no family whose field names are known, so these cannot be sent: ${labels}`,
		"Remove the option, or send it in the vendor's own spelling through Metadata (JSON). Nothing was submitted.",
	);
}
