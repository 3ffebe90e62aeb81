import {
	type Choice,
	isChoice,
	type Pictures,
	REFERENCES,
	type References,
	type SettingName,
	type Value,
} from './row';

/** What a version takes, where it is known. */
interface Lists extends Partial<Record<Choice, readonly Value[]>> {
	/** When the row was last compared with what. */
	checked: string;
	/** What the vendor takes if nothing is sent, where it is known. */
	byDefault?: Partial<Record<Choice, Value>>;
	/** How many references of each kind it takes. */
	references?: References;
}

/** What is known of one version of a family, for the lists of the form and the page on models. */
export interface Version extends Lists {
	/** As people call it, after the label of the family. */
	label: string;
	/** Matches the plain names of its models (`toPlainName`). */
	name: RegExp;
	/** One of them, as its vendor writes it. */
	model: string;
}

const upTo = (first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_one, i) => first + i);
/** The model chooses the length. */
const AUTO = -1;

const TO_720P = ['480p', '720p'];
const TO_1080P = [...TO_720P, '1080p'];
const FIVE_RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4'];

const GROK: Lists = {
	checked: '2026-11, plugin xai 1.0.1, docs.x.ai',
	aspectRatio: [...FIVE_RATIOS, '3:2', '2:3', '21:9', '5:2'],
	duration: upTo(1, 15),
	resolution: TO_1080P,
	byDefault: { duration: 8, resolution: '480p' },
	references: { references: 7, sounds: 3 },
};
const GROK_LITE: Lists = { ...GROK, references: undefined };
const GROK_1: Lists = { ...GROK, resolution: TO_720P, references: { references: 7 } };
const H3: Lists = {
	checked: '2026-11, plugin hailuo 1.3.6',
	aspectRatio: ['21:9', ...FIVE_RATIOS, 'adaptive'],
	duration: upTo(4, 15),
	resolution: ['768p', '2k'],
	byDefault: { duration: 5, resolution: '768p' },
	references: { references: 9, videos: 3, sounds: 3 },
};
const HAILUO: Lists = {
	checked: '2026-11, plugin hailuo 1.3.6',
	duration: [6, 10],
	resolution: ['768p', '1080p'],
	byDefault: { duration: 6, resolution: '768p' },
};
const HAILUO_02: Lists = { ...HAILUO, resolution: ['512p', '768p', '1080p'] };
const HAILUO_01: Lists = {
	...HAILUO,
	duration: [6],
	resolution: ['720p'],
	byDefault: { duration: 6, resolution: '720p' },
	references: { references: 1 },
};
const JIMENG: Lists = {
	checked: '2026-11, plugin jimeng 1.0.2',
	aspectRatio: [...FIVE_RATIOS, '21:9'],
	duration: [5, 10],
	byDefault: { duration: 5 },
};
const JIMENG_S2: Lists = { ...JIMENG, duration: [5] };
const KLING: Lists = {
	checked: '2026-11, gateway of August 2026',
	aspectRatio: ['16:9', '9:16', '1:1'],
	duration: [5, 10],
	// The gateway sends it for anything but six exact sizes in pixels.
	byDefault: { aspectRatio: '1:1', duration: 5 },
};
const KLING_3: Lists = {
	checked: '2026-11, plugin kling 1.2.0',
	aspectRatio: KLING.aspectRatio,
	duration: upTo(3, 15),
	resolution: ['720p', '1080p', '4k'],
	byDefault: { duration: 5, resolution: '720p' },
};
const KLING_TURBO: Lists = { ...KLING_3, resolution: ['720p', '1080p'] };
const SEEDANCE: Lists = {
	checked: '2026-11, plugin doubao 1.1.0',
	aspectRatio: [...FIVE_RATIOS, '21:9', 'adaptive'],
	resolution: TO_1080P,
	byDefault: { duration: 5 },
};
const SEEDANCE_1: Lists = { ...SEEDANCE, duration: upTo(2, 12) };
const LITE: Lists = { ...SEEDANCE_1, references: { references: 4 } };
const SEEDANCE_1_5: Lists = { ...SEEDANCE, duration: [AUTO, ...upTo(4, 12)] };
const SEEDANCE_2: Lists = {
	...SEEDANCE,
	duration: [AUTO, ...upTo(4, 15)],
	resolution: [...TO_1080P, '4k'],
	references: { references: 9, videos: 3, sounds: 3 },
};
const FAST: Lists = { ...SEEDANCE_2, resolution: TO_720P };
/** It chooses the length if none is set, as resellers have measured. */
const SEEDANCE_2_5: Lists = {
	...SEEDANCE,
	checked: '2026-11, plugin doubao 1.3.0',
	duration: [AUTO, ...upTo(4, 30)],
	byDefault: {},
	references: { references: 30, videos: 10, sounds: 10 },
};
const FLASH: Lists = {
	...SEEDANCE_2_5,
	checked: '2026-11, pages of resellers',
	resolution: TO_720P,
};
const VEO: Lists = {
	checked: '2026-11, plugin google 1.0.3',
	aspectRatio: ['16:9', '9:16'],
	duration: [4, 6, 8],
	resolution: ['720p', '1080p'],
	byDefault: { aspectRatio: '16:9', duration: 8, resolution: '720p' },
};
const VEO_3_1: Lists = { ...VEO, resolution: ['720p', '1080p', '4k'] };
const VEO_2: Lists = {
	...VEO,
	checked: 'before 2026-11, ai.google.dev',
	duration: upTo(5, 8),
	resolution: ['720p'],
};
const VIDU: Lists = {
	checked: '2026-11, plugin vidu 1.1.0',
	aspectRatio: FIVE_RATIOS,
	duration: upTo(1, 10),
	resolution: ['360p', '540p', '720p', '1080p'],
	byDefault: { aspectRatio: '16:9', duration: 5 },
	references: { references: 7 },
};
const VIDU_Q3: Lists = { ...VIDU, duration: upTo(1, 16) };
const VIDU_PRO: Lists = { ...VIDU_Q3, resolution: ['540p', '720p', '1080p'] };
/** Gateways may ask 1.5 and 2.0 for 5 seconds, which they do not render, so no length is called the default. */
const VIDU_1: Lists = {
	...VIDU,
	aspectRatio: ['16:9', '9:16', '1:1'],
	duration: [4, 8],
	resolution: ['360p', '720p', '1080p'],
	byDefault: { aspectRatio: '16:9' },
};
const VIDU_Q1: Lists = { ...VIDU_1, duration: [5], resolution: ['1080p'] };
const WAN: Lists = {
	checked: '2026-11, plugin alibaba 1.5.0',
	aspectRatio: FIVE_RATIOS,
	duration: [5],
	resolution: TO_1080P,
	byDefault: { duration: 5, resolution: '1080p' },
};
const WAN_2_1: Lists = {
	...WAN,
	resolution: TO_720P,
	byDefault: { duration: 5, resolution: '720p' },
};
/** Flash renders 720p by default. */
const WAN_2_2: Lists = { ...WAN, byDefault: { duration: 5, resolution: '720p or 1080p' } };
const WAN_2_5: Lists = { ...WAN, duration: [5, 10] };
const WAN_2_6: Lists = { ...WAN, duration: upTo(2, 15), resolution: ['720p', '1080p'] };
const WAN_US: Lists = { ...WAN_2_6, duration: [5, 10, 15] };
const WAN_2_6_R2V: Lists = {
	...WAN_2_6,
	duration: upTo(2, 10),
	references: { references: 5, videos: 3 },
};
/** Older gateways ask for 720p where they do not know the model. */
const WAN_2_7: Lists = { ...WAN_2_6, byDefault: WAN_2_2.byDefault };
const WAN_R2V: Lists = { ...WAN_2_7, references: { references: 5, videos: 5 } };
const WAN_3: Lists = {
	...WAN_2_7,
	aspectRatio: [...FIVE_RATIOS, 'adaptive'],
	duration: [AUTO, ...upTo(2, 30)],
	resolution: TO_1080P,
	references: { references: 10, videos: 5, sounds: 5 },
};

const version = (lists: Lists, label: string, model: string, name: RegExp): Version => ({
	...lists,
	label,
	model,
	name,
});

/** The versions of each family, the newest first. The first whose name matches counts. */
export const VERSIONS: Record<string, readonly Version[] | undefined> = {
	'Grok Imagine': [
		version(GROK_LITE, '1.5 Lite', 'grok-imagine-video-1.5-lite', /1-5-lite/),
		version(GROK, '1.5', 'grok-imagine-video-1.5', /grok-imagine.*1-5(?!.*preview)/),
		version(GROK_1, '1.0', 'grok-imagine-video', /grok-imagine-(1-0-)?video$/),
	],
	Hailuo: [
		version(HAILUO, '2.3', 'MiniMax-Hailuo-2.3', /hailuo-?2-3/),
		version(HAILUO_02, '02', 'MiniMax-Hailuo-02', /hailuo-?02/),
		version(HAILUO_01, '01', 'S2V-01', /[tis]2v-01/),
	],
	Jimeng: [
		version(JIMENG, '3.0', 'jimeng_v30', /v30/),
		version(JIMENG_S2, 'S2.0', 'jimeng_vgfm_t2v_l20', /vgfm/),
	],
	Kling: [
		version(KLING_TURBO, '3.0 Turbo', 'kling-3.0-turbo', /kling-?(3-0|v3(-0)?)-turbo/),
		version(KLING_3, '3.0 and v3', 'kling-3.0', /kling-?(3-0|v3)(?!.*omni)/),
		version(KLING, 'v1 and v2', 'kling-v1-6', /kling-?v?[12]/),
	],
	'MiniMax H3': [version(H3, '', 'MiniMax-H3', /(minimax[-/]?h|hailuo[-/]?[h0]?)3(?!\d|-max)/)],
	Seedance: [
		version(FLASH, '2.5 Flash', 'dreamina-seedance-2-5-flash-261115', /dance-?v?2-5.*flash/),
		version(SEEDANCE_2_5, '2.5', 'doubao-seedance-2-5-260628', /dance-?v?2-5(?![\dks])/),
		version(
			FAST,
			'2.0 Fast and Mini',
			'doubao-seedance-2-0-fast-260128',
			/dance-?v?2(?!-[1-9](?![\dks])).*(fast|mini)/,
		),
		version(SEEDANCE_2, '2.0', 'doubao-seedance-2-0-260128', /dance-?v?2(-0|(?!\d|-\d(?![\dks])))/),
		version(SEEDANCE_1_5, '1.5', 'doubao-seedance-1-5-pro-251215', /dance-?v?1-5/),
		version(
			LITE,
			'1.0 Lite i2v',
			'doubao-seedance-1-0-lite-i2v-250428',
			/dance-?v?1(-0)?-lite(?!-t2v)/,
		),
		version(
			SEEDANCE_1,
			'1.0',
			'doubao-seedance-1-0-pro-250528',
			/dance-?v?1(-0|(?!\d|-\d(?![\dks])))/,
		),
	],
	Veo: [
		version(VEO_3_1, '3.1', 'veo-3.1-generate-001', /veo-?3-1(?!\d|s\b|.*lite)/),
		version(VEO, '3.1 Lite', 'veo-3.1-lite-generate-001', /veo-?3(-1)?-(?!\d).*lite/),
		version(VEO, '3.0', 'veo-3.0-generate-001', /veo-?3(-0)?(?!\d|-\d(?![\dks]))/),
		version(VEO_2, '2.0', 'veo-2.0-generate-001', /veo-?2/),
	],
	Vidu: [
		version(VIDU_PRO, 'Q3 Pro and Turbo', 'viduq3-pro', /vidu-?q3-(pro(?!-fast)|turbo)/),
		version(VIDU_Q3, 'Q3', 'viduq3', /vidu-?q3/),
		version(VIDU, 'Q2', 'viduq2', /vidu-?q2/),
		version(VIDU_Q1, 'Q1', 'viduq1', /vidu-?q1/),
		version(VIDU_1, '1.5 and 2.0', 'vidu2.0', /vidu-?(2-0|1-5)/),
	],
	Wan: [
		version(WAN_3, '3.0', 'wan3.0-video', /wanx?-?3(?![\da-z]|-[1-9](?![\dks]))/),
		version(WAN_R2V, '2.7 r2v', 'wan2.7-r2v', /wan-?2-7-r2v/),
		version(WAN_2_7, '2.7', 'wan2.7-t2v', /wan-?2-7.*[it]2v/),
		version(WAN_2_6_R2V, '2.6 r2v', 'wan2.6-r2v', /wan-?2-6-r2v/),
		version(WAN_US, '2.6 us', 'wan2.6-t2v-us', /wan-?2-6.*-us/),
		version(WAN_2_6, '2.6', 'wan2.6-t2v', /wan-?2-6.*[it]2v/),
		version(WAN_2_5, '2.5', 'wan2.5-t2v-preview', /wan-?2-5.*[it]2v/),
		version(WAN_2_2, '2.2', 'wan2.2-t2v-plus', /wan-?2-2.*(plus|flash)/),
		version(WAN_2_1, '2.1', 'wanx2.1-t2v-turbo', /wanx?-?2-1.*[tif]2v/),
	],
};

export const versionOf = (family: string, plainName: string): Version | undefined =>
	VERSIONS[family]?.find(({ name }) => name.test(plainName));

/** Returns whether a value, in small letters, is in a version's list; other settings have none. */
export function isListed(
	version: Version | undefined,
	setting: SettingName,
	value: Value,
): boolean {
	const list = isChoice(setting) ? version?.[setting] : undefined;
	return list?.includes(value) ?? true;
}

/** Returns whether a version takes so many references. */
export const takesAll = (version: Version | undefined, pictures: Pictures): boolean =>
	(Object.keys(REFERENCES) as Array<keyof typeof REFERENCES>).every(
		(kind) => (pictures[kind]?.length ?? 0) <= (version?.references?.[kind] ?? 0),
	);
