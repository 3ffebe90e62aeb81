import { LENGTH_AT, PICTURE_AT, toOneImage, type Family } from './family';

const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', '5:2'];
const V1 = /grok-imagine-(1-0-)?video$/;

const hasImage = (at: (path: string) => unknown) =>
	PICTURE_AT.some((path) => at(path) !== undefined);

/**
 * xAI's Grok Imagine: docs.x.ai/developers/models. Gateways have it since autumn 2026; older ones refuse
 * its models.
 */
export const grok: Family = {
	label: 'Grok Imagine',
	matches: /grok[\w.-]*(imagine|video)/i,
	ownNames: /^grok-imagine-video(-1-5(-lite)?)?$/,
	owners: ['xai'],
	settings: () => ({
		aspectRatio: { at: 'metadata.aspect_ratio', or: ['size'] },
		duration: { at: LENGTH_AT, or: ['metadata.duration'], byDefault: 8 },
		generateAudio: { at: 'metadata.generate_audio' },
		resolution: { at: 'metadata.resolution', or: ['size'], byDefault: '480p' },
	}),
	checked: '2026-11, plugin xai 1.0.1, docs.x.ai',
	versions: [
		{
			...{ label: '1.5 Lite', name: /1-5-lite/, model: 'grok-imagine-video-1.5-lite' },
			...{ duration: { min: 1, max: 15 }, aspectRatio: RATIOS, references: {} },
			resolution: ['480p', '720p', '1080p'],
		},
		{
			...{
				label: '1.5',
				name: /grok-imagine[-/](video[-/])?v?1-5(?!.*preview)/,
				model: 'grok-imagine-video-1.5',
			},
			...{ duration: { min: 1, max: 15 }, aspectRatio: RATIOS },
			...{ resolution: ['480p', '720p', '1080p'], mixesFrame: 'both' },
		},
		{
			...{ label: '1.0', name: V1, model: 'grok-imagine-video' },
			...{ duration: { min: 1, max: 15 }, aspectRatio: RATIOS, resolution: ['480p', '720p'] },
			references: { references: 7 },
		},
	],
	pictures: {
		at: [...PICTURE_AT, ...['reference_images', 'keyframes'].map((name) => `metadata.${name}`)],
		opensUrls: true,
		lastFrame: 'alone',
		references: { references: 7, sounds: 3 },
		write: ({ first, last, references, sounds = [] }, route) => ({
			...toOneImage(first, route),
			...((last !== undefined || references.length + sounds.length > 0) && {
				metadata: {
					...(last && { last_frame: last }),
					...(references.length > 0 && { reference_images: references }),
					...(sounds.length > 0 && { reference_audios: sounds.map((url) => ({ url })) }),
				},
			}),
		}),
	},
	models: [
		[/grok-imagine-(1-0-)?video$|1-5-lite/, 'noLastFrame', 'grok-imagine-video-1.5'],
		[/\br2v/, 'needsReference', 'another model'],
	],
	cautions: (at) => [
		['21:9', '5:2'].includes(String(at('metadata.aspect_ratio'))) &&
			'The first gateways with Grok Imagine refuse the Aspect Ratios 21:9 and 5:2, which xAI documents',
		hasImage(at) &&
			at('metadata.aspect_ratio') !== undefined &&
			'Grok Imagine may take the shape from the first frame, whatever Aspect Ratio says',
		at('metadata.resolution') === '1080p' &&
			at('metadata.last_frame') !== undefined &&
			'Not all pages know 1080p with a last frame for Grok Imagine 1.5',
		/"url"/.test(JSON.stringify(at('metadata.reference_audios') ?? '')) &&
			'xAI documents preset voices, as [{"voice_id": "eve"}] in metadata.reference_audios, and may not take sounds by address',
	],
	objection(at, name) {
		const references = at('metadata.reference_images') ?? at('metadata.reference_audios');
		if (references === undefined) return false;
		if (Number(at('duration')) > 10 && V1.test(name)) {
			return 'Grok Imagine 1.0 renders at most 10 seconds from references. Change Duration, or choose grok-imagine-video-1.5.';
		}
		return (
			at('metadata.resolution') === '1080p' &&
			'Grok Imagine renders references in 480p and 720p only. Change Resolution.'
		);
	},
};
