import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';
import { flatten, handAt, isFilled } from './byHand';
import { inMetadata, type Family, type Wishes, type WrittenPictures } from './family';

const RESOLUTIONS = ['480p', '720p', '1080p', '4k'];
const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'];

/** ByteDance's Seedance, through Volcengine Ark. */
export const seedance: Family = {
	label: 'Seedance',
	matches: /seedance/i,
	owners: ['doubaovideo', 'volcengine'],
	settings: (model) => ({
		aspectRatio: inMetadata('ratio', RATIOS),
		cameraFixed: inMetadata('camera_fixed'),
		// The gateway reads `seconds`; newer gateways read `duration` for their estimate.
		duration: {
			min: 2,
			max: 15,
			write: (seconds) => ({
				duration: seconds,
				seconds: String(seconds),
				metadata: { duration: seconds },
			}),
		},
		generateAudio: inMetadata('generate_audio'),
		resolution: inMetadata('resolution', RESOLUTIONS.slice(0, /seedance-1/i.test(model) ? 3 : 4)),
		seed: { ...inMetadata('seed'), min: -1, max: 2 ** 32 - 1 },
		size: { instead: 'Set Resolution and Aspect Ratio.' },
		watermark: inMetadata('watermark'),
	}),
	twins: [
		['duration', 'seconds', 'metadata.duration', 'metadata.frames'],
		['image', 'images', 'metadata.content'],
	],
	pictures: {
		opensUrls: true,
		form: 'dataUri',
		lastFrame: true,
		references: 9,
		write: (pictures) =>
			pictures.last === undefined && pictures.references.length === 0
				? { image: pictures.first }
				: { metadata: { content: toContent(pictures) } },
	},
	objection: objectionOf,
};

/** Returns why a text in `content` would be lost: the gateway replaces such texts by the prompt. */
function objectionOf({ byHand, prompt }: Wishes): string | undefined {
	const parts = handAt(byHand, 'metadata.content').flatMap(({ value }) => value);
	const texts = parts.filter(isObject).flatMap((part) => handAt(flatten(part), 'text'));
	return texts.some(({ value }) => isFilled(value) && value !== prompt)
		? 'A text of content in Metadata (JSON) would be replaced by Prompt. Write it into Prompt.'
		: undefined;
}

/**
 * Returns pictures with roles. The gateway reads roles only from here, and adds the prompt itself.
 */
function toContent({ first, last, references }: WrittenPictures): IDataObject[] {
	const item = (role: string, url: string) => ({ type: 'image_url', image_url: { url }, role });
	return [
		...(first === undefined ? [] : [item('first_frame', first)]),
		...(last === undefined ? [] : [item('last_frame', last)]),
		...references.map((url) => item('reference_image', url)),
	];
}
