import { FAMILIES, familyNamed, findFamily } from '../../../../nodes/shared/family/families';

/** Names that deployments list, by family. */
const NAMES: Array<[label: string | undefined, names: string[]]> = [
	['Veo', ['veo-3.1-fast-generate-001', 'veo-2.0-generate-001', 'google/veo-3', 'VEO-3.1', 'veo']],
	[
		'Veo',
		['veo3', 'veo3.1-fast', 'google/veo3.1', 'veo_3_1-fast', 'veo_3_1-4K', 'models:veo3-pro'],
	],
	['Seedance', ['doubao-seedance-1-5-pro-251215', 'dreamina-seedance-2-0-fast', 'Seedance-2.0']],
	['Seedance', ['seedance_v2.5', 'seedance-720p-seedance-2.5-c63', 'cdance2.5-0807']],
	['Seedance', ['jimeng-video-seedance-2.0-fast', 'bytedance/seedance-1-pro']],
	['MiniMax H3', ['MiniMax-H3', 'minimax_h3-1080p', 'minimax/MiniMax-H3-Max']],
	['MiniMax H3', ['minimax/h3', 'minimax/hailuo-3', 'MiniMax-Hailuo-03', 'hailuo-h3-t2v']],
	['Grok Imagine', ['grok-imagine-video', 'grok-imagine-video-1.5-lite', 'xai/grok-video-3-pro']],
	['Kling', ['kling-v1-6', 'kling-v2-master', 'klingai/kling-v3', 'kling-3.0-turbo']],
	['Vidu', ['viduq2', 'vidu2.0', 'vidu1.5', 'viduq3-pro', 'vidu', 'Vidu Q3', 'vip_viduq3']],
	[
		'Hailuo',
		[
			'MiniMax-Hailuo-2.3',
			'minimax/video-01',
			'MiniMax-Hailuo-02',
			'T2V-01',
			'I2V-01-Director',
			'S2V-01',
		],
	],
	[
		'Wan',
		[
			'wan3.0-video-720p',
			'wan-3.0-video',
			'alibaba/wan-v2.6-i2v-flash',
			'wan2.5-t2v-preview',
			'wan2.2-i2v-flash',
			'wanx2.1-i2v-plus',
			'wan2.2-kf2v-flash',
			'wan/2-6-text-to-video',
			'fal-ai/wan/v2.6/text-to-video',
			'aliyun-wan2.7-t2v',
		],
	],
	['Jimeng', ['jimeng_vgfm_t2v_l20', 'jimeng_v30_pro']],
	[undefined, ['kolors/kling-image', 'kling-image-o1', 'kolors-virtual-try-on', 'viduq2-image']],
	['Kling', ['kling-image2video', 'kling-v3-image-to-video', 'kl-video-v2-6']],
	['Vidu', ['vd-video-q3-turbo']],
	['Seedance', ['bytedance/v1-pro-text-to-video', 'bytedance/v1-lite-image-to-video']],
	[undefined, ['MiniMax-M2', 'wan2.6-image', 'wan2.5-t2i-preview', 'grok-4', 'grok-imagine-image']],
	[
		undefined,
		[
			'gpt-5',
			'pixverse-v5',
			'wander-1',
			'swan2.0',
			'kvidu2',
			'veomax',
			'my-video-model',
			'sora-2',
			'',
		],
	],
	[undefined, ['gemini-omni-flash-preview', 'google/gemini-omni-1.1-flash']],
];

describe('findFamily', () => {
	it.each(NAMES.flatMap(([label, names]) => names.map((name) => [name, label])))(
		'%s is %s',
		(name, label) => {
			expect(findFamily(name!)?.label).toBe(label);
		},
	);

	it('believes the service before the name', () => {
		const owners = FAMILIES.flatMap(({ label, owners }) => owners.map((one) => [one, label]));
		expect(owners.length).toBeGreaterThan(7);
		for (const [owner, label] of owners) {
			if (label === 'MiniMax H3') continue;
			expect(findFamily('veo-3', owner)?.label).toBe(label);
			expect(findFamily('house-model', owner.toUpperCase())?.label).toBe(label);
		}
	});

	it('but takes no model for the family of its channel that is asked by another API', () => {
		expect(findFamily('gemini-omni-flash-preview', 'google gemini')).toBeUndefined();
		expect(findFamily('happyhorse-1.1-t2v', 'ali')).toBeUndefined();
	});

	it("nor another vendor's model that Alibaba hosts for Wan", () => {
		expect(findFamily('kling-v2-1', 'ali')?.label).toBe('Kling');
		expect(findFamily('vidu/viduq3-turbo_text2video', 'ali')?.label).toBe('Vidu');
	});

	it('of the families of one owner, takes the one of the name', () => {
		expect(findFamily('MiniMax-H3', 'minimax')?.label).toBe('MiniMax H3');
		expect(findFamily('MiniMax-Hailuo-02', 'minimax')?.label).toBe('Hailuo');
	});

	it('a gateway behind the gateway says nothing of the family', () => {
		for (const owner of ['openai', 'custom', '', undefined]) {
			expect(findFamily('kling-v1', owner)?.label).toBe('Kling');
			expect(findFamily('house-model', owner)).toBeUndefined();
		}
	});
});

it('each family is found by its label', () => {
	for (const family of FAMILIES) expect(familyNamed(family.label)).toBe(family);
	expect(familyNamed('Other')).toBeUndefined();
});
