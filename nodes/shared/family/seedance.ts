import { toObjects, toText } from '../lib/json';
import { PICTURE, type Family } from './family';

const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'];

/** ByteDance's Seedance, through Volcengine Ark. */
export const seedance: Family = {
	label: 'Seedance',
	matches: /seedance|(^|[/.:])cdance[\d.]/i,
	owners: ['doubaovideo', 'volcengine'],
	settings: () => ({
		aspectRatio: { at: 'metadata.ratio' },
		// The gateway reads the length from `seconds`; newer ones estimate the price from `duration`.
		duration: {
			at: ['duration', 'seconds', 'metadata.duration'],
			or: ['metadata.frames'],
			byDefault: 5,
		},
		generateAudio: { at: 'metadata.generate_audio' },
		resolution: { at: 'metadata.resolution' },
		returnLastFrame: { at: 'metadata.return_last_frame' },
		seed: { at: 'metadata.seed', min: -1, max: 2 ** 32 - 1 },
	}),
	// volcengine.com/docs/82379/1520757
	versions: [
		{
			...{ label: '2.5', name: /dance[-_]?v?2[-._]5/i },
			duration: { min: 4, max: 30 },
			aspectRatio: RATIOS,
			resolution: ['480p', '720p', '1080p'],
			references: 30,
		},
		{
			...{ label: '2.0 Fast and Mini', name: /dance[-_]?v?2[-._]0.*(fast|mini)/i },
			duration: { min: 4, max: 15 },
			aspectRatio: RATIOS,
			resolution: ['480p', '720p'],
			references: 9,
		},
		{
			...{ label: '2.0', name: /dance[-_]?v?2[-._]0/i },
			duration: { min: 4, max: 15 },
			aspectRatio: RATIOS,
			resolution: ['480p', '720p', '1080p', '4k'],
			references: 9,
		},
		{
			...{ label: '1.0 and 1.5', name: /dance[-_]?v?1[-._][05]/i },
			duration: { min: 2, max: 12 },
			aspectRatio: RATIOS,
			resolution: ['480p', '720p', '1080p'],
			references: 9,
		},
	],
	pictures: {
		at: [...PICTURE, 'metadata.content'],
		opensUrls: true,
		lastFrame: true,
		references: 30,
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
