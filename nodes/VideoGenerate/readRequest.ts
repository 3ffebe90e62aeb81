import type { IDataObject } from 'n8n-workflow';

import type { Reader } from '../shared/item/reader';
import { toVendorFields, VENDOR_OPTIONS } from '../shared/service/modelFamily';
import type { SubmitRequest } from '../shared/service/videoApi';
import { readImage } from './readImage';

/**
 * The request body for one item. Only what the person set is in it: the documented fields `model`,
 * `prompt`, `image`; `duration` and `size`, which deployments read at the top level; the vendor's
 * options inside `metadata`.
 */
export async function readRequest(read: Reader): Promise<SubmitRequest> {
	const model = read.text('model');
	const prompt = read.text('prompt');
	const image = await readImage(read);
	const extra = read.options.object('extraFields');
	const metadata = {
		...read.toObject(extra.metadata, `metadata in ${read.options.label('extraFields')}`),
		...read.options.object('metadata'),
		...readVendorFields(read, model),
	};
	return {
		...extra,
		...readTopLevelFields(read),
		...(Object.keys(metadata).length > 0 && { metadata }),
		...(image !== undefined && { image }),
		model,
		prompt,
	};
}

function readTopLevelFields({ options, refuse }: Reader): IDataObject {
	const duration = options.number('duration', { min: 1, whole: true });
	const size = options.optionalText('size').trim();
	if (size !== '' && !/^\d+\s*[xX*]\s*\d+$/.test(size)) {
		refuse('Size must be width x height in pixels, such as 1280x720');
	}
	return {
		...(duration !== undefined && { duration }),
		...(size !== '' && { size: size.replace(/\s*[xX*]\s*/, 'x') }),
	};
}

function readVendorFields({ options, refuse }: Reader, model: string): IDataObject {
	const set = VENDOR_OPTIONS.filter((name) => options.isSet(name));
	const values = Object.fromEntries(set.map((name) => [name, options.given(name)]));
	const { family, fields, unknown } = toVendorFields(model, values);
	if (unknown.length === 0) return fields;
	const labels = unknown.map(options.label).join(', ');
	return refuse(
		family
			? `${family} models have no field for: ${labels}`
			: `The model "${model}" belongs to no family whose field names are known, so these options cannot be sent: ${labels}`,
		"Remove these options, or send them through Metadata (JSON) in the vendor's own spelling. Nothing was submitted.",
	);
}
