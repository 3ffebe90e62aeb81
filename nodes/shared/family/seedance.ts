import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';
import { inMetadata, type Family, type Wishes, type WrittenPictures } from './family';
import { findAt, isFilled } from './namesByHand';

const RESOLUTIONS = ['480p', '720p', '1080p', '4k'];
const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'];

/** ByteDance's Seedance, by Volcengine Ark. */
export const seedance: Family = {
	label: 'Seedance',
	matches: /seedance/i,
	owners: ['doubaovideo', 'volcengine'],
	settings: (model) => ({
		aspectRatio: inMetadata('ratio', RATIOS),
		cameraFixed: inMetadata('camera_fixed'),
		// The gateway reads `seconds`; the estimate of newer ones reads `duration`.
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
	twins: { duration: ['metadata.frames', 'seconds'], seconds: ['metadata.duration'] },
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

function objectionOf({ pictures, metadata, prompt }: Wishes): string | undefined {
	const content = findAt(metadata, 'content');
	if (content.length === 0) return undefined;
	if (pictures.first !== undefined || pictures.references.length > 0) {
		return 'content in Metadata (JSON) would replace the picture. Put the picture into content, or remove content.';
	}
	return content.some(({ value }) => hasOtherText(value, prompt))
		? 'A text of content in Metadata (JSON) would be replaced by Prompt. Write it into Prompt.'
		: undefined;
}

/** The gateway leaves texts out, and puts the prompt there. */
const hasOtherText = (content: unknown, prompt?: string): boolean =>
	Array.isArray(content) &&
	content.some(
		(one) =>
			isObject(one) && findAt(one, 'text').some(({ value }) => isFilled(value) && value !== prompt),
	);

/** Pictures with roles. The gateway reads them from here alone, and adds the prompt itself. */
function toContent({ first, last, references }: WrittenPictures): IDataObject[] {
	const item = (role: string, url: string) => ({ type: 'image_url', image_url: { url }, role });
	return [
		...(first === undefined ? [] : [item('first_frame', first)]),
		...(last === undefined ? [] : [item('last_frame', last)]),
		...references.map((url) => item('reference_image', url)),
	];
}
