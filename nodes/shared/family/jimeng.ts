import { inMetadata, type Family, type Wishes } from './family';
import { findAt, isFilled } from './namesByHand';

const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'];

const PICTURES = ['metadata.binary_data_base64', 'metadata.image_urls'];
const BY_HAND = ['image', 'images', ...PICTURES];

/** The gateway tells the way of rendering from the number of pictures, unless `req_key` says it. */
function objectionOf({ pictures, metadata, extra }: Wishes): string | undefined {
	const [key] = findAt(metadata, 'req_key');
	const byHand = BY_HAND.flatMap((path) => findAt({ ...extra, metadata }, path));
	const says = (words: RegExp) => words.test(String(key?.value));
	const lost =
		says(/_t2v_/i) && (pictures.first !== undefined || byHand.some(({ value }) => isFilled(value)))
			? 'image'
			: pictures.last !== undefined && says(/_i2v_first_(?!tail)/i)
				? 'last frame'
				: undefined;
	return (
		lost &&
		`"${key.path}" in Metadata (JSON) would make a video without the ${lost}. Remove "${key.path}", or the ${lost}.`
	);
}

/** ByteDance's Jimeng, by Volcengine's visual API. */
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
	twins: {
		duration: ['seconds', 'metadata.frames'],
		image: PICTURES,
		images: PICTURES,
	},
	pictures: {
		// One kind for all pictures of a request, so addresses and files would not go together.
		opensUrls: false,
		form: 'base64',
		lastFrame: true,
		references: 0,
		write: ({ first, last }) =>
			last === undefined ? { image: first } : { images: [first, last] as string[] },
	},
	objection: objectionOf,
};
