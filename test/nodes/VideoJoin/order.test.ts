import fc from 'fast-check';

import { orderOf, type SortValue } from '../../../nodes/VideoJoin/joinVideos';
import { runs } from '../../support/runs';

const sort = (places: SortValue[]) => [...places].sort(orderOf(places));

describe('the order of the clips of a film', () => {
	it.each<[string, SortValue[]]>([
		['texts that look like numbers', ['1.1', '1.2', '1.9', '1.10', '2']],
		['numbers', [-1, 0.5, 1.09, 1.1, 1.2, 10, 1e21]],
		['texts that are whole numbers', ['-10', '-1', '2', '10']],
		['numbers and texts', [1, '1.2', 1.9, '1.10', 2, 'shot 9', 'shot 10']],
		['what is the same to a reader', ['shot 01', 'shot 1']],
	])('%s', (_what, places) => {
		expect(sort([...places].reverse())).toEqual(places);
	});

	it('does not depend on the order of the items', () => {
		const place = fc.oneof(
			fc.integer(),
			fc.double({ noNaN: true, noDefaultInfinity: true }),
			fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
			fc.stringMatching(/^(shot )?[0-9]{1,3}[.-]?[0-9]{0,2}$/),
			fc.string({ unit: 'grapheme' }),
		);
		const both = fc
			.array(place, { maxLength: 8 })
			.chain((places) =>
				fc.tuple(fc.constant(places), fc.shuffledSubarray(places, { minLength: places.length })),
			);
		fc.assert(
			fc.property(both, ([places, shuffled]) => {
				expect(sort(shuffled).map(String)).toEqual(sort(places).map(String));
			}),
			{ numRuns: runs(2_000) },
		);
	});
});
