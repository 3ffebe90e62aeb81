import type { Family, PictureRules, WrittenPictures } from '../shared/family/family';
import type { Reader } from '../shared/item/reader';
import type { LoadedPicture } from './loadPicture';
import { readImage, type Picture, type PictureData } from './readImage';

type Role = 'firstFrame' | 'lastFrame' | 'reference';

interface GivenPicture {
	role: Role;
	picture: Picture;
	/** Of its row, so that a refusal names it. */
	read: Reader;
}

/** Of a family of which nothing is known: the documented image, as the person gave it. */
const DOCUMENTED: Omit<PictureRules, 'write'> = {
	opensUrls: true,
	form: 'typed',
	lastFrame: false,
	references: 0,
};

const UNKNOWN = 'Models of an unknown family';
const CHECK_ADDRESS =
	'Check the address. The model opens none, so the node loads the image; a Binary Field works as well.';
const NOTHING_SENT = 'Nothing was submitted.';

/** The documented image and the further ones, each checked on its own. */
export async function readPictures(read: Reader): Promise<GivenPicture[]> {
	const first = await readImage(read);
	const given: GivenPicture[] = first ? [{ role: 'firstFrame', picture: first, read }] : [];
	for (const row of read.rows('furtherImages')) {
		const picture = await readImage(row);
		if (picture) given.push({ role: row.choice('role') as Role, picture, read: row });
	}
	return given;
}

/** The pictures as the family reads them; refused where it has no place for them. */
export async function writePictures(
	given: GivenPicture[],
	family: Family | undefined,
	load: (url: string) => Promise<LoadedPicture>,
): Promise<WrittenPictures> {
	const rules = family?.pictures ?? DOCUMENTED;
	checkRoles(given, family ? `${family.label} models` : UNKNOWN, rules);
	const written: WrittenPictures = { references: [] };
	for (const one of given) {
		const text = await write(one, rules, load);
		if (one.role === 'reference') written.references.push(text);
		else if (one.role === 'lastFrame') written.last = text;
		else written.first = text;
	}
	return written;
}

function checkRoles(given: GivenPicture[], who: string, rules: Omit<PictureRules, 'write'>) {
	const of = (wanted: Role) => given.filter(({ role }) => role === wanted);
	const [secondLast] = of('lastFrame').slice(rules.lastFrame ? 1 : 0);
	if (secondLast) {
		secondLast.read.refuse(
			rules.lastFrame ? 'There can be only one last frame' : `${who} take no last frame`,
			`${who === UNKNOWN ? 'Set Model Family, or remove' : 'Remove'} this row. ${NOTHING_SENT}`,
		);
	}
	const [tooMany] = of('reference').slice(rules.references);
	if (tooMany) {
		tooMany.read.refuse(
			rules.references === 0
				? `${who} take no reference images`
				: `${who} take at most ${rules.references} reference image${rules.references === 1 ? '' : 's'}`,
			`${who === UNKNOWN ? 'Set Model Family, or remove' : 'Remove'} this row. ${NOTHING_SENT}`,
		);
	}
	const [last] = of('lastFrame');
	if (last && of('firstFrame').length === 0) {
		last.read.refuse(
			'A last frame needs a first one',
			`Set Image Source to the image that the video starts from. ${NOTHING_SENT}`,
		);
	}
	const [reference] = of('reference');
	if (reference && given.some(({ role }) => role !== 'reference')) {
		reference.read.refuse(
			'Reference images and frames exclude each other',
			`Set Image Source to None and remove the last frame, or remove this row. ${NOTHING_SENT}`,
		);
	}
}

async function write(
	{ picture, read }: GivenPicture,
	{ opensUrls, form }: Omit<PictureRules, 'write'>,
	load: (url: string) => Promise<LoadedPicture>,
): Promise<string> {
	if ('url' in picture && opensUrls) return picture.url;
	const { typed, mimeType, base64 } =
		'url' in picture ? toPicture(await load(picture.url), read) : picture;
	if (form === 'typed') return typed;
	return form === 'base64' ? base64 : `data:${mimeType};base64,${base64}`;
}

/** The model opens no addresses, so the node does. */
function toPicture(loaded: LoadedPicture, read: Reader): PictureData {
	if ('picture' in loaded) return loaded.picture;
	return read.refuse(
		`Image URL cannot be loaded: ${loaded.whyNot}`,
		`${loaded.advice ?? CHECK_ADDRESS} ${NOTHING_SENT}`,
	);
}
