/** What Sort By finds in an item. */
export type SortValue = number | string;

const { compare } = new Intl.Collator('en', { numeric: true });

/**
 * Returns the one comparison for all clips of a film: of numbers, if all are numbers, and otherwise of
 * texts, in which each row of digits counts as a number ("shot 10" after "shot 9", "1.10" after "1.9").
 * Clips come in the same order in whatever order the items come, except those with the same value.
 */
export function orderOf(values: SortValue[]): (a: SortValue, b: SortValue) => number {
	if (values.every((value) => typeof value === 'number')) return (a, b) => Number(a) - Number(b);
	return (a, b) => compare(`${a}`, `${b}`) || byCharacters(`${a}`, `${b}`);
}

/** Tells apart what is the same to a reader, such as "shot 1" and "shot 01". */
const byCharacters = (a: string, b: string) => Number(a > b) - Number(a < b);
