import { toVendorFields } from '../../../../nodes/shared/service/modelFamily';

describe('toVendorFields', () => {
	it('spells for each family, and tells what it has no field for', () => {
		const options = { aspectRatio: '9:16', negativePrompt: 'text' };
		expect(toVendorFields('veo-3.1', options)).toEqual({
			family: 'Veo',
			fields: { aspectRatio: '9:16', negativePrompt: 'text' },
			unknown: [],
		});
		expect(toVendorFields('doubao-seedance-1', options)).toEqual({
			family: 'Seedance',
			fields: { ratio: '9:16' },
			unknown: ['negativePrompt'],
		});
		expect(toVendorFields('other', options).unknown).toEqual(['aspectRatio', 'negativePrompt']);
	});

	it('sends false and zero, which people set on purpose', () => {
		expect(toVendorFields('veo-3.1', { generateAudio: false, seed: 0 }).fields).toEqual({
			generateAudio: false,
			seed: 0,
		});
	});
});
