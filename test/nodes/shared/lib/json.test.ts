import { withoutFiles } from '../../../../nodes/shared/lib/json';

it('an answer keeps everything but its files', () => {
	const input = { image: 'A'.repeat(100_001), prompt: 'a' };
	expect(withoutFiles({ id: 'a', inputs: [input] })).toEqual({
		id: 'a',
		inputs: [{ image: '[left out: a file]', prompt: 'a' }],
	});
});
