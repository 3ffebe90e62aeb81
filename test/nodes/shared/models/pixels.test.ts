import { choicesOf, findSize, sizesOf } from '../../../../nodes/shared/models/pixels';
import { readModel } from '../../../../nodes/shared/models/readSchema';
import { runway } from '../../../../nodes/shared/services/runway';

// Sizes in pixels, as Runway's models have them, by the ratios and resolutions in which people choose.

/** The sizes of a model of Runway, in all its ways. */
function sizesAt(model: string) {
	const { inputs } = readModel(model, runway.schema!.find(undefined, model))!;
	return sizesOf(inputs.find(({ name }) => name === 'ratio'))!;
}

it.each([
	['gen4.5', '16:9', undefined, '1280:720'],
	['gen4.5', '4:3', undefined, '1104:832'],
	['gen4.5', '21:9', undefined, '1584:672'],
	['gen4.5', '1:1', '720p', '960:960'],
	['gen4.5', '16:9', '1080p', undefined],
	['gen4.5', '3:2', undefined, undefined],
	['gen4.5', '1584:672', undefined, '1584:672'],
	['veo3.1', '9:16', '1080p', '1080:1920'],
	['veo3.1', '9:16', undefined, '720:1280'],
	['seedance2', '16:9', '480p', '864:496'],
	['seedance2', '16:9', '4k', '3840:2160'],
	['seedance2', '21:9', '480p', '992:432'],
	['seedance2', '4:3', '1080p', '1664:1248'],
	['seedance2_5', '9:16', '480p', '480:854'],
	['gemini_omni_flash_1.1', '16:9', '360p', '640:360'],
	['wan3', '1:1', '480p', '624:624'],
	['wan3', 'auto_720p', undefined, 'auto_720p'],
])('%s: %s in %s is %s', (model, ratio, resolution, size) => {
	expect(findSize(sizesAt(model), ratio, resolution)).toBe(size);
});

it('has the choices of all sizes', () => {
	expect(choicesOf(sizesAt('seedance2'))).toEqual({
		aspectRatio: ['16:9', '9:16', '4:3', '3:4', '1:1', '21:9'],
		resolution: ['480p', '720p', '1080p', '4k'],
	});
	expect(choicesOf(['1280:720', 'auto_720p'])).toEqual({
		aspectRatio: ['16:9', 'auto_720p'],
		resolution: ['720p'],
	});
});

it('no two sizes of a model are the same choice', () => {
	for (const { id } of runway.readList({})) {
		const { inputs } = readModel(id, runway.schema!.find(undefined, id))!;
		const sizes = sizesOf(inputs.find(({ name }) => name === 'ratio')) ?? [];
		const { aspectRatio, resolution } = choicesOf(sizes);
		const found = aspectRatio.flatMap((ratio) =>
			[undefined, ...resolution].flatMap(
				(one) => findSize(sizes, String(ratio), one as string | undefined) ?? [],
			),
		);
		expect([id, sizes.filter((size) => !found.includes(size))]).toEqual([id, []]);
	}
});

it.each([[['16:9', '9:16']], [[]], [['landscape_16_9']], [[720, 1080]]])(
	'%j are no sizes',
	(list) => {
		expect(sizesOf({ list })).toBeUndefined();
	},
);
