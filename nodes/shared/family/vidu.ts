import { PICTURE, SEED_ABOVE_ZERO, type Family, type Setting } from './family';

/** Returns the lengths that the vendor lists; newer models accept more. */
function lengthsOf(model: string): Setting {
	if (/q1/i.test(model)) return { values: [5] };
	if (/vidu(1\.5|2\.0)/i.test(model)) return { values: [4, 8] };
	return { min: 1, max: /q2/i.test(model) ? 10 : 16 };
}

export const vidu: Family = {
	label: 'Vidu',
	matches: /(^|\/)vidu/i,
	owners: ['vidu'],
	settings: (model) => ({
		aspectRatio: { instead: 'Vidu takes it from the image, or renders 16:9.' },
		duration: {
			at: 'duration',
			or: ['seconds', 'metadata.duration'],
			...lengthsOf(model),
			byDefault: 5,
		},
		// The gateway reads `size` as a resolution.
		resolution: {
			at: 'size',
			or: ['metadata.resolution'],
			values: ['360p', '540p', '720p', '1080p'],
			byDefault: '1080p',
		},
		seed: { at: 'metadata.seed', ...SEED_ABOVE_ZERO },
	}),
	pictures: {
		at: [...PICTURE, 'metadata.images'],
		opensUrls: true,
		lastFrame: true,
		references: 7,
		// Two pictures count as the first and the last frame, unless `action` says otherwise.
		write({ first, last, references }) {
			if (references.length > 0) {
				return { images: references, metadata: { action: 'referenceGenerate' } };
			}
			return last ? { images: [first!, last] } : { image: first };
		},
	},
};
