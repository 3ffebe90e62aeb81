import { toObjects, toText } from '../lib/json';
import { PICTURE, type Family } from './family';

/** ByteDance's Seedance, through Volcengine Ark. */
export const seedance: Family = {
	label: 'Seedance',
	matches: /seedance/i,
	owners: ['doubaovideo', 'volcengine'],
	settings: (model) => ({
		aspectRatio: {
			at: 'metadata.ratio',
			values: ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'],
		},
		// The gateway reads the length from `seconds`; newer ones estimate the price from `duration`.
		duration: {
			at: ['duration', 'seconds', 'metadata.duration'],
			or: ['metadata.frames'],
			min: 2,
			max: 15,
			byDefault: 5,
		},
		generateAudio: { at: 'metadata.generate_audio' },
		resolution: {
			at: 'metadata.resolution',
			values: ['480p', '720p', '1080p', ...(/seedance-1/i.test(model) ? [] : ['4k'])],
		},
		returnLastFrame: { at: 'metadata.return_last_frame' },
		seed: { at: 'metadata.seed', min: -1, max: 2 ** 32 - 1 },
	}),
	pictures: {
		at: [...PICTURE, 'metadata.content'],
		opensUrls: true,
		lastFrame: true,
		references: 9,
		write({ first, last, references }) {
			if (last === undefined && references.length === 0) return { image: first };
			// Only in `metadata.content` does the gateway read roles; it adds the prompt there itself.
			const roles = [
				['first_frame', first],
				['last_frame', last],
			];
			const all = [...roles, ...references.map((url) => ['reference_image', url])];
			const content = all
				.filter(([, url]) => url !== undefined)
				.map(([role, url]) => ({ type: 'image_url', image_url: { url }, role }));
			return { metadata: { content } };
		},
	},
	objection: (at) =>
		toObjects(at('metadata.content')).some(
			({ text }) => toText(text) !== undefined && text !== at('prompt'),
		) &&
		'A text of metadata.content in Additional Fields (JSON) would be replaced by Prompt. Write it into Prompt.',
};
