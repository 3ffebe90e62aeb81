import { handAt } from './byHand';
import { hasNoPicture, type Family } from './family';

/** ByteDance's Jimeng, through Volcengine's visual API. */
export const jimeng: Family = {
	label: 'Jimeng',
	matches: /jimeng/i,
	owners: ['jimeng'],
	settings: () => ({
		aspectRatio: {
			at: 'metadata.aspect_ratio',
			values: ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'],
		},
		// The gateway renders 5 seconds for any other number.
		duration: { at: 'duration', values: [5, 10], byDefault: 5 },
		seed: { at: 'metadata.seed' },
	}),
	twins: [
		['duration', 'seconds', 'metadata.frames'],
		['image', 'images', 'metadata.binary_data_base64', 'metadata.image_urls'],
	],
	pictures: {
		// Web addresses are not sent, because all pictures of a request must have the same form.
		form: 'base64',
		lastFrame: true,
		write: ({ first, last }) => (last ? { images: [first!, last] } : { image: first }),
	},
	// A `req_key` by hand decides how to render; without it, the number of pictures does.
	objection(video) {
		const [key] = handAt(video.byHand, 'metadata.req_key');
		const isFor = (words: RegExp) => words.test(String(key?.value));
		const losesLast = video.pictures.last !== undefined && isFor(/_i2v_first_(?!tail)/i);
		const lost = isFor(/_t2v_/i) && !hasNoPicture(video) ? 'image' : losesLast && 'last frame';
		return (
			lost &&
			`"${key.path}" by hand would make a video without the ${lost}. Remove "${key.path}", or the ${lost}.`
		);
	},
};
