import type { IDataObject } from 'n8n-workflow';

import type { Family, Wishes } from '../shared/family/family';
import { findContradictedWord } from '../shared/family/commonTwins';
import { findContradiction, findOtherPicture } from '../shared/family/contradiction';
import { contradict, merge, toFields } from '../shared/family/toFields';
import { findTwiceByHand } from '../shared/family/twiceByHand';
import type { Reader } from '../shared/item/reader';
import type { SubmitRequest } from '../shared/service/videoApi';
import type { Lookups } from './lookups';
import { readFamilyOptions } from './readFamilyOptions';
import { readPictures, writePictures } from './readPictures';

/** Of a model's name in words, in characters. */
const MAX_NAME_CHARS = 200;

/**
 * The request body for one item, checked before any money is spent. Only what the person set is in
 * it, spelled as the family of the model reads it: what would be dropped or turned into something
 * else on the way is refused. Of an unknown family nothing is known but the documented fields.
 */
export async function readRequest(
	read: Reader,
	lookups: Lookups,
): Promise<{ request: SubmitRequest; family?: Family }> {
	const model = read.text('model');
	const prompt = read.text('prompt');
	const extra = read.options.object('extraFields');
	const metadata = readMetadata(read, extra);
	const options = readFamilyOptions(read);
	const given = await readPictures(read);
	const isPlain = Object.keys(options).length === 0 && given.length === 0;
	const family = await lookups.familyOf(model, {
		chosen: read.options.choice('modelFamily'),
		ask: !isPlain,
	});
	const allowPrivate = read.options.boolean('allowPrivateAddresses');
	const load = async (url: string) => await lookups.loadPicture(url, allowPrivate);
	const pictures = await writePictures(given, family, load);
	const wishes = { options, pictures, metadata, extra, prompt };
	const fields = family
		? readFields(read, model, family, wishes)
		: readDocumented(read, model, wishes);
	const typed = Object.keys(metadata).length > 0 ? { ...extra, metadata } : extra;
	return { request: { ...merge(typed, fields), model, prompt }, family };
}

/** Both places are one object; what they say of the same thing must be the same. */
function readMetadata(read: Reader, extra: IDataObject): IDataObject {
	const { label, object } = read.options;
	const ofExtra = read.toObject(extra.metadata, `metadata in ${label('extraFields')}`);
	const metadata = object('metadata');
	const path = findContradiction(metadata, ofExtra);
	if (path === undefined) return merge(ofExtra, metadata);
	const { message, advice } = contradict(label('metadata'), `metadata.${path}`).refusal;
	return read.refuse(message, advice);
}

function readFields(read: Reader, model: string, family: Family, wishes: Wishes): IDataObject {
	const result = toFields(family, model, wishes, read.options.label);
	return 'fields' in result
		? result.fields
		: read.refuse(result.refusal.message, result.refusal.advice);
}

/** For a model of which nothing is known. */
function readDocumented(read: Reader, model: string, wishes: Wishes): IDataObject {
	const { options, pictures, extra = {} } = wishes;
	const labels = Object.keys(options).map(read.options.label);
	const written = pictures.first === undefined ? {} : { image: pictures.first };
	const picture = findOtherPicture(written, pictures, { byHand: extra });
	const twice = findTwiceByHand({ ...extra, metadata: wishes.metadata });
	const other =
		findContradictedWord(model, wishes) ??
		(picture && { label: 'The image', path: picture }) ??
		(twice && { label: `"${twice[0]}"`, path: twice[1] });
	if (other) {
		const { message, advice } = contradict(other.label, other.path).refusal;
		return read.refuse(message, advice);
	}
	if (labels.length === 0) return written;
	return read.refuse(
		`The model "${model.slice(0, MAX_NAME_CHARS)}" belongs to no family whose field names are known, so these options cannot be sent: ${labels.join(', ')}`,
		"Set Model Family, or send them through Metadata (JSON) or Extra Fields (JSON) in the vendor's own spelling. Nothing was submitted.",
	);
}
