import {
	FAMILIES,
	familyNamed,
	findRow,
	isForeign,
	ROWS,
} from '../../../../nodes/shared/models/families/families';
import { versionOf } from '../../../../nodes/shared/models/families/versions';
import { SIDE_BY_SIDE, withVendor } from '../../../../nodes/shared/models/families/ways';
import { toPlainName } from '../../../../nodes/shared/models/names';

/** Names that deployments list, with what they are; no version: the name is not known. */
const NAMES: Record<string, string[]> = {
	'Veo 3.1': ['veo-3.1-fast-generate-001', 'google/veo3.1', 'veo_3_1-fast', 'models:veo3.1-pro'],
	'Veo 3.1 Lite': ['veo-3.1-lite-generate-001', 'veo3.1-lite'],
	'Veo 3.0': ['veo3', 'google/veo-3', 'veo-3.0-fast-generate-001'],
	Veo: ['veo', 'veo-4.0-generate'],
	'Seedance 2.5': ['doubao-seedance-2-5-260628', 'seedance_v2.5', 'cdance2.5-0807'],
	'Seedance 2.5 Flash': ['dreamina-seedance-2-5-flash-261115'],
	'Seedance 2.0': ['doubao-seedance-2-0-260128', 'seedance-2-720p', 'bytedance/seedance-2'],
	'Seedance 2.0 Fast and Mini': ['dreamina-seedance-2-0-fast', 'jimeng-video-seedance-2.0-fast'],
	'Seedance 1.0': ['bytedance/seedance-1-pro', 'bytedance/v1-pro-text-to-video'],
	'Seedance 1.0 Lite i2v': ['bytedance/v1-lite-image-to-video'],
	'MiniMax H3': ['MiniMax-H3', 'minimax_h3-1080p', 'minimax/hailuo-3', 'hailuo-h3-t2v'],
	'Grok Imagine 1.5': ['xai/grok-imagine-video/v1.5/image-to-video'],
	'Grok Imagine 1.5 Lite': ['grok-imagine-video-1.5-lite'],
	'Grok Imagine': ['xai/grok-video-3-pro'],
	'Kling v1 and v2': ['kling-v1-6', 'klingai/v2.1-master-text-to-video', 'kling-video-v2.6'],
	'Kling 3.0 and v3': ['kling-3.0', 'klingai/kling-v3', 'kling_3.0', 'kling-video-v3'],
	'Kling 3.0 Turbo': ['kling-3.0-turbo', 'kling-v3-turbo'],
	Kling: ['kling-video-o1', 'kling-v3-omni', 'kling-image2video'],
	'Vidu Q2': ['viduq2', 'viduq2-pro'],
	'Vidu Q3': ['viduq3', 'Vidu Q3', 'vip_viduq3', 'vidu/q3-mix'],
	'Vidu Q3 Pro and Turbo': ['viduq3-pro', 'vidu/text-to-video-q3-pro'],
	'Vidu Q1': ['vidu/reference-to-video-q1'],
	'Hailuo 2.3': ['MiniMax-Hailuo-2.3', 'hailuo/2-3-image-to-video-pro'],
	'Hailuo 01': ['T2V-01', 'S2V-01'],
	Hailuo: ['minimax/video-01'],
	'Wan 3.0': ['wan3.0-video-720p', 'wan-3-prime', 'wan/3-0-video'],
	'Wan 2.7': ['aliyun-wan2.7-t2v'],
	'Wan 2.6': ['alibaba/wan-v2.6-i2v-flash', 'fal-ai/wan/v2.6/text-to-video'],
	'Wan 2.2': ['wan2.2-kf2v-flash'],
	'Wan 2.1': ['wanx2.1-i2v-plus'],
	Wan: ['wan3.5-video', 'wanx2.1-vace-plus'],
	'Jimeng S2.0': ['jimeng_vgfm_t2v_l20'],
	'of no family': [
		...['kling-image-o1', 'kolors-virtual-try-on', 'viduq2-image', 'MiniMax-M2', 'wan2.6-image'],
		...['wan2.5-t2i-preview', 'grok-4', 'grok-imagine-image', 'gpt-5', 'pixverse-v5', 'swan2.0'],
		...['kvidu2', 'veomax', 'sora-2', '', 'google/gemini-omni-1.1-flash', 'happyhorse-1.1-t2v'],
	],
};

it.each(Object.entries(NAMES).flatMap(([is, names]) => names.map((name) => [name, is])))(
	'%s is %s',
	(name, is) => {
		const row = findRow(name);
		const version = row && versionOf(row, toPlainName(name));
		expect(row ? [row.label, version?.label].join(' ').trim() : 'of no family').toBe(is);
	},
);

/** The rows of families with more than one, by a field of theirs. */
it.each([
	['kling-4.0', 'generateAudio', 'metadata.audio'],
	['kling-v3', 'generateAudio', 'metadata.sound'],
	['wan2.9-t2v', 'aspectRatio', undefined],
	['wan2.6-i2v', 'resolution', 'size'],
	['wan3.0-t2v', 'aspectRatio', 'metadata.parameters.ratio'],
	['hailuo-h3-multi', 'aspectRatio', 'metadata.ratio'],
] as const)('the row of %s writes %s at %s', (model, setting, path) => {
	expect(findRow(model)?.fields[setting]?.at[0]).toBe(path);
});

it.each<[model: string, owner: string, label: string | undefined, chosen?: string]>([
	['house-model', 'Google Gemini', 'Veo'],
	['veo-3', 'kling', 'Kling'],
	['MiniMax-H3', 'minimax', 'MiniMax H3'],
	// Asked by another API.
	['gemini-omni-flash-preview', 'google gemini', undefined],
	// A gateway behind the gateway says nothing of the family.
	['kling-v1', 'openai', 'Kling'],
	['house-model', 'custom', undefined],
	['veo-3', 'vidu', 'Kling', 'Kling'],
])('of %s, the owner %s is believed before the name: %s', (model, owner, label, chosen = '') => {
	expect(findRow(model, owner, chosen)?.label).toBe(label);
});

it.each([
	['doubao-seedance-1-5-pro-251215', true],
	['doubao-seedance-2-0-fast-260128', true],
	['dreamina-seedance-2-5-flash-261115', true],
	['doubao-seedance-1-0-pro-250528', false],
	['veo-3.1', false],
	['kling-v2-6', false],
])('%s takes HEIC: %s', (model, takes) => {
	for (const row of [findRow(model)!, withVendor(SIDE_BY_SIDE, findRow(model))]) {
		expect(row.pictures.heic?.test(model) ?? false).toBe(takes);
	}
});

it("Google's own channel takes no last frame, whatever the name says", () => {
	expect(findRow('veo3.1-fast-fl', 'openai')?.pictures.takes).toContain('last');
	expect(findRow('veo3.1-fast-fl', 'vertex-ai')?.pictures.takes).toEqual(['first']);
});

it.each([
	['openai', true],
	['ali', true],
	['kling', false],
	['custom', false],
	[undefined, false],
])('the channel of a Kling model with the owner %s is foreign: %s', (owner, is) => {
	expect(isForeign(findRow('kling-v1')!, owner)).toBe(is);
});

it('each family has a row for names that tell nothing, and no two rows match all the same', () => {
	for (const label of FAMILIES) expect(familyNamed(label)?.label).toBe(label);
	expect(familyNamed('Other')).toBeUndefined();
	expect(new Set(ROWS.map(({ matches }) => String(matches))).size).toBe(ROWS.length);
});
