import { toObjects } from '../lib/json';
import { hasReferences, LENGTH_AT, type Family } from './family';
import { toContent } from './seedance';

/**
 * MiniMax's H3, which some call Hailuo 3: platform.minimax.io/docs. Gateways have it since autumn 2026; it
 * reads other fields than Hailuo.
 */
export const h3: Family = {
	label: 'MiniMax H3',
	matches: /(minimax[-_ /]?h|hailuo[-_ /]?[h0]?)3(?!\d)/i,
	ownNames: /^minimax-h3$/,
	owners: ['minimax'],
	settings: () => ({
		aspectRatio: { at: 'metadata.ratio' },
		duration: { at: LENGTH_AT, or: ['metadata.duration'], byDefault: 5 },
		resolution: {
			at: ['metadata.resolution', 'size'],
			letters: 'capital',
			byDefault: '768P',
		},
	}),
	checked: '2026-11, plugin hailuo 1.3.6',
	versions: [
		{
			...{ label: '', name: /(minimax[-/]?h|hailuo[-/]?[h0]?)3(?!\d|-max)/, model: 'MiniMax-H3' },
			...{ duration: { min: 4, max: 15 }, resolution: ['768P', '2K'] },
			aspectRatio: ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16', 'adaptive'],
			recent: ['aspectRatio', 'firstFrame', 'lastFrame', 'references'],
		},
	],
	pictures: {
		at: [
			...['image', 'images', 'input_reference', 'metadata.first_frame_image', 'metadata.content'],
			...['metadata.reference_video', 'metadata.reference_audio'],
		],
		opensUrls: true,
		lastFrame: 'alone',
		references: { references: 9, videos: 3, sounds: 3 },
		write(pictures) {
			const { first, last } = pictures;
			// The gateway adds the prompt to `content` itself.
			if (hasReferences(pictures)) return { metadata: { content: toContent(pictures) } };
			return {
				metadata: {
					...(first && { first_frame_image: first }),
					...(last && { last_frame_image: last }),
				},
			};
		},
	},
	models: [
		[/\bt2v/, 'noImage', 'another model'],
		[/\br2v/, 'needsReference', 'another model'],
	],
	cautions: (at) => [
		!['adaptive', undefined].includes(at('metadata.ratio') as string) &&
			hasMedia(at) &&
			at('metadata.content') === undefined &&
			'MiniMax H3 may take the shape from the first frame, whatever Aspect Ratio says',
		at('metadata.last_frame_image') !== undefined &&
			at('metadata.first_frame_image') === undefined &&
			'Not all pages know a last frame without a first one for MiniMax H3',
	],
	objection(at) {
		const content = toObjects(at('metadata.content'));
		if (content.length > 0 && content.every(({ type }) => type === 'audio_url')) {
			return 'MiniMax H3 takes a reference sound only beside a reference image or video. Add one to Images.';
		}
		return (
			at('metadata.ratio') === 'adaptive' &&
			!hasMedia(at) &&
			'MiniMax H3 takes the Aspect Ratio adaptive only with an image. Choose another one, or set First Frame.'
		);
	},
};

const hasMedia = (at: (path: string) => unknown) =>
	[...h3.pictures.at, 'metadata.last_frame_image'].some((path) => at(path) !== undefined);
