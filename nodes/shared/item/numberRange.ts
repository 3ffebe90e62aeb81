/** What a number may be; a text that says a number is one. */
export interface NumberRange {
	above?: number;
	min?: number;
	max?: number;
	whole?: boolean;
}

/** Whether a number is in the range. */
export const fits = (number: number, { above, min, max, whole }: NumberRange) =>
	number > (above ?? -Infinity) &&
	number >= (min ?? -Infinity) &&
	number <= (max ?? Infinity) &&
	(!whole || Number.isInteger(number));

/** The range in words, as an error message goes on. */
export function describeRange({ above, min, max, whole }: NumberRange): string {
	const kind = whole ? 'a whole number' : 'a number';
	if (above !== undefined) return `${kind} greater than ${above}`;
	if (min === undefined) return kind;
	return max === undefined ? `${kind}, ${min} or more` : `${kind}, from ${min} to ${max}`;
}
