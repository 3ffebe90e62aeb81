import {
	FAMILY_OPTIONS,
	type FamilyOption,
	type Value,
	type Wishes,
} from '../shared/family/family';
import type { Reader } from '../shared/item/reader';

/** What was set of the options that families of models spell in their own ways. */
export function readFamilyOptions({ options }: Reader): Wishes['options'] {
	const set = FAMILY_OPTIONS.filter((name) => options.isSet(name));
	return Object.fromEntries(set.map((name) => [name, readOption(options, name)]));
}

function readOption(options: Reader, name: FamilyOption): Value | undefined {
	switch (name) {
		case 'duration':
			return options.number(name, { min: 1, whole: true });
		case 'seed':
			return options.number(name, { whole: true });
		case 'size':
			return readSize(options);
	}
	return options.given(name);
}

/** Width x height, as most families write it. */
function readSize(options: Reader): string {
	const given = options.text('size');
	const [, width, height] = /^(\d{1,9})\s{0,9}[xX*]\s{0,9}(\d{1,9})$/.exec(given) ?? [];
	return height === undefined
		? options.refuse(
				'Size must be width x height in pixels, such as 1280x720',
				`It is "${given.slice(0, 50)}". For a word such as 720p, set Resolution. Nothing was submitted.`,
			)
		: `${width}x${height}`;
}
