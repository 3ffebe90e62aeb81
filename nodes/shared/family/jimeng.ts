import { handAt } from './byHand';
import { hasNoPicture, inMetadata, type Family, type Wishes } from './family';

const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'];

/**
 * Returns why `req_key` by hand would lose a picture. Without `req_key`, the gateway chooses how to
 * render by the number of pictures.
 */
function objectionOf(wishes: Wishes): string | undefined {
	const [key] = handAt(wishes.byHand, 'metadata.req_key');
	const says = (words: RegExp) => words.test(String(key?.value));
	const takesNoLast = wishes.pictures.last !== undefined && says(/_i2v_first_(?!tail)/i);
	const lost =
		says(/_t2v_/i) && !hasNoPicture(wishes) ? 'image' : takesNoLast ? 'last frame' : undefined;
	return (
		lost &&
		`"${key.path}" by hand would make a video without the ${lost}. Remove "${key.path}", or the ${lost}.`
	);
}

/** ByteDance's Jimeng, through Volcengine's visual API. */
export const jimeng: Family = {
	label: 'Jimeng',
	matches: /jimeng/i,
	owners: ['jimeng'],
	settings: () => ({
		aspectRatio: inMetadata('aspect_ratio', RATIOS),
		// The gateway renders 5 seconds for any other number.
		duration: { values: [5, 10], write: (seconds) => ({ duration: seconds }) },
		seed: inMetadata('seed'),
		size: { instead: 'Set Aspect Ratio.' },
	}),
	twins: [
		['duration', 'seconds', 'metadata.frames'],
		['image', 'images', 'metadata.binary_data_base64', 'metadata.image_urls'],
	],
	pictures: {
		// A request carries pictures in one form only, so addresses and files could not be mixed.
		opensUrls: false,
		form: 'base64',
		lastFrame: true,
		references: 0,
		write: ({ first, last }) =>
			last === undefined ? { image: first } : { images: [first, last] as string[] },
	},
	objection: objectionOf,
};
