import type { Value } from './settings';
import type { Field } from './takes';

type Range = Pick<Field, 'type' | 'only' | 'min' | 'max'>;

const toComparable = (value: Value) => String(value).trim().toLowerCase();

/** Returns a value as a field takes it; `undefined` if the field takes no such value. */
export function fit({ only, type, min = -Infinity, max = Infinity }: Range, value: Value) {
	const word = toComparable(value);
	if (only) {
		const others = OTHER_WORDS.get(word) ?? [];
		const ways: Array<(one: Value) => boolean> = [
			(one) => one === value,
			(one) => toComparable(one) === word,
			(one) => isSameQuantity(toComparable(one), word),
			(one) => others.includes(toComparable(one)),
		];
		return ways.map((isIt) => only.find(isIt)).find((one) => one !== undefined);
	}
	// kie takes no "5" for a 5, and no 5 for a "5".
	if (type === 'string') return String(value);
	if (type !== 'integer' && type !== 'number')
		return Number(value) < min || Number(value) > max ? undefined : value;
	const number = Number(QUANTITY.exec(word)?.[1]);
	return number >= min && number <= max ? number : undefined;
}

/** A number, perhaps with its unit: 8, 8s or 720p; neither a ratio nor a size. */
const QUANTITY = /^(-?\d+(?:\.\d+)?)([a-z]*)$/;

function isSameQuantity(one: string, other: string): boolean {
	const [left, right] = [QUANTITY.exec(one), QUANTITY.exec(other)];
	if (!left || !right || Number(left[1]) !== Number(right[1])) return false;
	return left[2] === right[2] || !left[2] || !right[2];
}

/**
 * What some models call a value (Replicate and kie, 2026-08). A duration of -1 lets the model choose. fal names
 * its sizes: square_hd has 1024 pixels, and square 512 (fal.ai/docs, 2026-11).
 */
const OTHER_WORDS = new Map([
	['-1', ['auto']],
	['720p', ['std', 'standard']],
	['1080p', ['pro']],
	['1:1', ['square_hd', 'square']],
	['4:3', ['landscape_4_3']],
	['3:4', ['portrait_4_3']],
	['16:9', ['landscape_16_9']],
	['9:16', ['portrait_16_9']],
]);

/** Returns in words what a field takes. */
export function toWanted({ only, min, max }: Range): string {
	if (only) return findRow(only) ?? `one of: ${only.join(', ')}`;
	if (min === undefined && max === undefined) return 'a number';
	if (max === undefined) return `${min} or more`;
	return min === undefined ? `${max} or less` : `from ${min} to ${max}`;
}

/** Returns all that a list has, in few words. */
export const sayAll = (only: readonly Value[]): string => findRow(only) ?? only.join(', ');

/** Fewer are said as quickly one by one. */
const MIN_ROW = 4;

/** Returns words such as "from 3 to 10 seconds" for whole numbers in a row; `undefined` for other lists. */
function findRow(only: readonly Value[]): string | undefined {
	const unit = String(only[0]).endsWith('s') ? 's' : '';
	const first = parseInt(String(only[0]), 10);
	const isRow = only.every((one, i) => String(one) === `${first + i}${unit}`);
	if (!isRow || only.length < MIN_ROW) return undefined;
	const range = `from ${first} to ${first + only.length - 1}`;
	return unit ? `${range} seconds` : `a whole number, ${range}`;
}
