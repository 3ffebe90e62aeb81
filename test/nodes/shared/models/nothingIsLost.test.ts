import fc from 'fast-check';

import { findRow, ROWS } from '../../../../nodes/shared/models/families/families';
import {
	OPENAI,
	PLAIN,
	SIDE_BY_SIDE,
	UNKNOWN_MODEL,
} from '../../../../nodes/shared/models/families/ways';
import { fromSchema } from '../../../../nodes/shared/models/fromSchema';
import type { VideoSpec } from '../../../../nodes/shared/models/place';
import {
	type Reference,
	type ReferenceKind,
	type Role,
	ROLES,
	SETTING_NAMES,
	type SettingName,
	toLabel,
	toRoles,
} from '../../../../nodes/shared/models/settings';
import type { Takes } from '../../../../nodes/shared/models/takes';
import { toRequest } from '../../../../nodes/shared/models/toRequest';
import { address, flag, ofFal, ofKie, oneOf, text, texts, whole } from './support/answers';

// What a person sets is refused, hinted, or changes the request: by the rules of a family, and by a schema.

const SCHEMAS = [
	ofFal('ours/image-to-video', {
		...{ 'prompt*': text, start_image_url: address, end_image_url: address, seed: whole },
		...{ duration: oneOf('5', '10'), aspect_ratio: oneOf('9:16', '1:1'), generate_audio: flag },
		...{ reference_image_urls: texts({ maxItems: 2 }), negative_prompt: text },
	}),
	ofFal('ours/text-to-video', { 'prompt*': text, resolution: oneOf('480p', '1080p') }),
	// One field for both frames, as a list and not.
	ofKie('ours/frames', { prompt: text, image_urls: texts() }),
	ofKie('ours/frame', { prompt: text, image_urls: address, video_urls: texts() }),
];

const MODELS = new Set(ROWS.flatMap(({ versions = [] }) => versions.map(({ model }) => model)));

const SOURCES: Array<[model: string, takes: Takes]> = [
	...[...MODELS].map((model): [string, Takes] => [model, findRow(model)!]),
	...SCHEMAS.map((model): [string, Takes] => [model.id, fromSchema(model)]),
	...[OPENAI, PLAIN, SIDE_BY_SIDE, UNKNOWN_MODEL].map((way): [string, Takes] => ['x', way]),
];

/** None of them is what a row writes for a shape that is half set. */
const VALUES: Record<SettingName, unknown[]> = {
	aspectRatio: ['9:16', '1:1', 'adaptive'],
	duration: [-1, 0, 5, 8, 10],
	generateAudio: [true, false],
	negativePrompt: ['Ugly'],
	resolution: ['480P', '4k', '7p'],
	returnLastFrame: [true, false],
	seed: [0, 7],
};
/** Few at a time: a refusal hides what else would be lost. */
const settings = fc
	.subarray(SETTING_NAMES, { maxLength: 3 })
	.chain((names) =>
		fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...VALUES[name])]))),
	) as fc.Arbitrary<VideoSpec['settings']>;
/** The last frame of a loop is its first one. */
const url = fc.oneof(fc.webUrl(), fc.constant('https://a.example/same.png'));
const reference = fc.record({
	kind: fc.constantFrom<ReferenceKind[]>('image', 'video', 'sound'),
	url,
});
const frame = fc.option(url, { nil: undefined });
const pictures = fc.oneof(
	fc.record({ first: frame, last: frame, references: fc.constant<Reference[]>([]) }),
	fc.record({ references: fc.array(reference, { maxLength: 2 }) }),
	fc.record({ first: frame, last: frame, references: fc.array(reference, { maxLength: 2 }) }),
);
const byHand = fc.constantFrom(
	{},
	{ seed: 9 },
	{ image_urls: [] },
	{ duration: {} },
	{ ratio: '' },
);

/** Returns a video without a setting, or without the pictures of a role. */
function without(video: VideoSpec, one: SettingName | Role): VideoSpec {
	const rest = { ...video.settings };
	delete rest[one as SettingName];
	const references = video.pictures.references.filter((reference) => reference.kind !== one);
	return {
		...video,
		settings: rest,
		pictures: { ...video.pictures, [one]: undefined, references },
	};
}

/** Returns the paths of all texts, numbers and lists in a request. */
const pathsIn = (value: unknown, at: string[] = []): string[][] =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? Object.entries(value).flatMap(([name, one]) => pathsIn(one, [...at, name]))
		: [at];

/** Returns a video with something by hand, or nothing, at the place of one of the fields that the form writes. */
function withByHand(takes: Takes, video: VideoSpec, index: number): VideoSpec {
	const written = toRequest(takes, video);
	const paths =
		'request' in written ? pathsIn(written.request).filter(([name]) => name !== 'model') : [];
	const path = paths.at(index % (paths.length || 1));
	if (!path) return video;
	const byHand = path.reduceRight<unknown>(
		(inner, name) => ({ [name]: inner }),
		index % 3 ? 'By hand' : null,
	);
	return { ...video, byHand: byHand as VideoSpec['byHand'] };
}

it.each(SOURCES)('%s loses nothing in silence', (model, takes) => {
	type Set = Pick<VideoSpec, 'settings' | 'pictures' | 'byHand'> & { index?: number };
	const check = ({ index, ...set }: Set) => {
		const typed: VideoSpec = { model, prompt: 'A boat', ...set };
		const video = index === undefined ? typed : withByHand(takes, typed, index);
		const written = toRequest(takes, video);
		if ('refusal' in written) return;
		const roles = toRoles(video.pictures).map(([role]) => role);
		const names = SETTING_NAMES.filter((name) => name in video.settings);
		for (const one of [...roles, ...names]) {
			const label = one in ROLES ? ROLES[one as Role].label : toLabel(one as SettingName);
			const isHinted = written.notes.some((note) => note.includes(label));
			const rest = { request: undefined, ...toRequest(takes, without(video, one)) };
			if (!isHinted) expect(rest.request).not.toEqual(written.request);
		}
	};
	const index = fc.option(fc.nat(60), { nil: undefined });
	const sets = fc.record({ settings, pictures, byHand, index });
	fc.assert(fc.property(sets, check), { numRuns: 200 });
});
