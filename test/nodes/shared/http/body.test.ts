import { randomBytes } from 'node:crypto';

import { toJsonBody } from '../../../../nodes/shared/http/body';

describe('a request with files in base64', () => {
	const file = (size: number, before = '') => ({ bytes: randomBytes(size), before });

	it.each([0, 1, 2, 3, 49_151, 49_152, 49_153, 200_000])(
		'is the JSON that holds a file of %i bytes as a text',
		(size) => {
			const [uri, bare] = [file(size, 'data:image/png;base64,'), file(size)];
			const request = {
				prompt: 'Ünïcode "quoted" \u2028 🎬 and one',
				image: 'one',
				more: [{ url: 'two' }, 'one', 7, null],
			};
			const { bytes, contentType } = toJsonBody(
				request,
				new Map([
					['one', uri],
					['two', bare],
				]),
			);
			const one = `data:image/png;base64,${uri.bytes.toString('base64')}`;
			const two = bare.bytes.toString('base64');
			expect(bytes.toString()).toBe(
				JSON.stringify({ ...request, image: one, more: [{ url: two }, one, 7, null] }),
			);
			expect(contentType).toBe('application/json');
		},
	);

	it('without files is its JSON', () => {
		expect(toJsonBody({ a: [1, 'ü'] }, new Map()).bytes.toString()).toBe('{"a":[1,"ü"]}');
	});
});
