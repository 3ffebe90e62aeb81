import type {
	IBinaryData,
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isDeep, isObject, MAX_DEPTH } from '../lib/json';
import type { Run } from './run';

/**
 * The parameters of one item. If a value is not usable, each method names the parameter as the
 * editor does. All methods accept what expressions give, including numbers and booleans as text.
 */
export interface Reader {
	itemIndex: number;
	/** The incoming item; it is never changed. */
	input: INodeExecutionData;
	/** Returns whether a value is set. n8n leaves empty text or null if an expression gave nothing. */
	isSet: (name: string) => boolean;
	/** Returns the value as n8n gives it, or the editor's default if nothing is set. */
	value: (name: string) => unknown;
	/** Returns a trimmed text that is not empty. */
	text: (name: string, label?: string) => string;
	/** Returns a text as it was typed, or '' if it is only white space. */
	optionalText: (name: string) => string;
	boolean: (name: string) => boolean;
	/** Returns `undefined` if nothing is set. */
	number: (name: string, range?: NumberRange) => number | undefined;
	/** Returns the editor's default if nothing is set. */
	numberOrDefault: (name: string, range?: NumberRange) => number;
	/** Returns one of the values that the editor offers; upper and lower case count as the same. */
	choice: (name: string) => string;
	/** Returns a JSON object, given as an object or as text; `{}` if nothing is set. */
	object: (name: string) => IDataObject;
	/** Does the same for a value inside another one. */
	toObject: (value: unknown, label: string) => IDataObject;
	/** Returns the value in the type of its field; `undefined` if nothing is set. */
	given: (name: string) => boolean | number | string | undefined;
	/** Returns a binary field of the incoming item. */
	binary: (property: string, label: string) => IBinaryData;
	bytes: (property: string, label: string) => Promise<Buffer>;
	/** Returns the name that the editor shows. */
	label: (name: string) => string;
	/** Returns a reader for each row of a list. */
	rows: (name: string) => Reader[];
	/** Reads the node's collection of options. */
	options: Reader;
	/** Ends the reading of the item: says which parameter is wrong and what to do. */
	refuse: (message: string, advice?: string) => never;
}

/** The part of a run that a reader needs: nodes below an agent have no run. */
type ReaderSource = Pick<Run, 'fields' | 'items' | 'parameters'> & {
	context: Pick<Run['context'], 'getNodeParameter' | 'getNode' | 'helpers'>;
};

export function createReader(run: ReaderSource, itemIndex: number): Reader {
	const { context, fields, parameters } = run;
	const collection = fields.find(({ type }) => type === 'collection');
	const ofNode = (field: INodeProperties) =>
		context.getNodeParameter(field.name, itemIndex, field.default, {
			extractValue: field.type === 'resourceLocator',
		}) as unknown;
	const set = (collection ? ofNode(collection) : {}) as IDataObject | null;
	const options = readerOf(run, itemIndex, {
		fields: (collection?.options ?? []) as INodeProperties[],
		valueOf: ({ name }) => set?.[name],
		isWritten: () => false,
	});
	const isWritten = (name: string) => isExpression(parameters[name]);
	return { ...readerOf(run, itemIndex, { fields, valueOf: ofNode, isWritten }), options };
}

interface Place {
	fields: INodeProperties[];
	valueOf: (field: INodeProperties) => unknown;
	/** Returns whether a value was written. If so, no default may hide that it gave nothing. */
	isWritten: (name: string) => boolean;
	/** Says which row of a list it is. */
	where?: string;
}

function readerOf(
	run: ReaderSource,
	itemIndex: number,
	{ fields, valueOf, isWritten, where }: Place,
): Reader {
	const refuse = (text: string, description?: string): never => {
		const message = where === undefined ? text : `${where}: ${text}`;
		const options = { description, itemIndex };
		const error = new NodeOperationError(run.context.getNode(), message, options);
		// n8n replaces a message that contains a word such as ENOTFOUND.
		error.message = message;
		throw error;
	};
	const fieldOf = (name: string) =>
		fields.find((field) => field.name === name) ?? refuse(`The node has no field "${name}"`);
	const label = (name: string) => fieldOf(name).displayName;
	// Reads each value once: an expression such as a random number gives another value each time.
	const known = new Map<string, unknown>();
	const raw = (name: string) => {
		if (!known.has(name)) known.set(name, valueOf(fieldOf(name)));
		return known.get(name);
	};
	const value = (name: string) => (isSet(raw(name)) ? raw(name) : fieldOf(name).default);
	const plainText = (name: string, shown: string): string =>
		toPlainText(raw(name)) ?? refuse(`${shown} must be text`, NOT_TEXT);
	const toRange = (name: string, given: unknown, range: NumberRange): number => {
		const number = toNumber(given);
		return number !== undefined && fits(number, range)
			? number
			: refuse(`${label(name)} must be ${describeRange(range)}`, toAdvice(given));
	};
	const toObject = (given: unknown, shown: string): IDataObject => {
		if (!isSet(given)) return {};
		let parsed = given;
		try {
			if (typeof given === 'string') parsed = JSON.parse(given);
		} catch (error) {
			return refuse(`${shown} is not valid JSON`, (error as Error).message);
		}
		if (isDeep(parsed)) return refuse(`${shown} is nested deeper than ${MAX_DEPTH} levels`);
		if (isObject(parsed)) return parsed;
		return refuse(`${shown} must be a JSON object`, 'Write it as { "name": value }.');
	};
	const reader: Omit<Reader, 'options'> = {
		itemIndex,
		input: run.items[itemIndex],
		isSet: (name) => isSet(raw(name)),
		value,
		text(name, shown = label(name)) {
			const text = plainText(name, shown).trim();
			return ['', 'undefined', 'null'].includes(text)
				? refuse(`${shown} is empty`, `Fill in ${shown}. ${CHECK_EXPRESSION}`)
				: text;
		},
		optionalText(name) {
			const text = plainText(name, label(name));
			return text.trim() === '' ? '' : text;
		},
		boolean: (name) =>
			BOOLEANS.get(
				String(toPlainText(value(name)))
					.trim()
					.toLowerCase(),
			) ?? refuse(`${label(name)} must be true or false`, toAdvice(value(name))),
		number: (name, range = {}) => (isSet(raw(name)) ? toRange(name, raw(name), range) : undefined),
		numberOrDefault: (name, range = {}) => toRange(name, value(name), range),
		choice(name) {
			const choices = (fieldOf(name).options ?? []) as INodePropertyOptions[];
			if (isWritten(name) && !isSet(raw(name))) {
				refuse(`${label(name)} is empty`, `Choose a value. ${CHECK_EXPRESSION}`);
			}
			const chosen = value(name);
			const found = choices.find((choice) => toWord(choice.value) === toWord(chosen));
			if (found) return found.value as string;
			const shown = choices.map(showChoice).join(', ');
			return refuse(`${label(name)} must be one of: ${shown}`, toAdvice(chosen));
		},
		object: (name) => toObject(raw(name), label(name)),
		toObject,
		given(name) {
			if (!isSet(raw(name))) return undefined;
			if (fieldOf(name).type === 'boolean') return reader.boolean(name);
			return fieldOf(name).type === 'number' ? reader.number(name) : reader.text(name);
		},
		binary(property, shown) {
			try {
				return run.context.helpers.assertBinaryData(itemIndex, property);
			} catch {
				const advice = 'Add a node that loads the file before this one, or correct the name.';
				return refuse(`The item has no binary field "${property}" (${shown})`, advice);
			}
		},
		async bytes(property, shown) {
			reader.binary(property, shown);
			return await run.context.helpers.getBinaryDataBuffer(itemIndex, property);
		},
		rows(name) {
			const [{ name: group, values }] = fieldOf(name).options as INodePropertyCollection[];
			const list = value(name);
			// The editor keeps rows under the name of their group; an expression gives a list.
			const rows = isObject(list) ? (list[group] ?? []) : isSet(list) ? list : [];
			if (!Array.isArray(rows) || !rows.every(isObject)) {
				return refuse(`${label(name)} must be a list of objects`);
			}
			return rows.map((row, index) =>
				readerOf(run, itemIndex, {
					fields: values,
					valueOf: (field) => row[field.name],
					isWritten: (field) => Object.hasOwn(row, field),
					where: `${label(name)}, row ${index + 1}`,
				}),
			);
		},
		label,
		refuse,
	};
	return { ...reader, options: reader as Reader };
}

/** Returns whether a value is set. n8n leaves empty text or null if an expression gave nothing. */
export const isSet = (value: unknown): boolean =>
	value !== undefined && value !== null && value !== '';

export const isExpression = (written: unknown): boolean =>
	typeof written === 'string' && written.startsWith('=');

/** Returns text, also for a number or a boolean; `undefined` for a value that has no text. */
export function toPlainText(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
	return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
}

const BOOLEANS = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

/** The values that a number may have. */
export interface NumberRange {
	above?: number;
	min?: number;
	max?: number;
	whole?: boolean;
}

/** Returns a number given as a number or as text; `undefined` for NaN, Infinity and all else. */
function toNumber(value: unknown): number | undefined {
	if (typeof value !== 'number' && typeof value !== 'string') return undefined;
	const number = typeof value === 'string' && value.trim() === '' ? NaN : Number(value);
	return Number.isFinite(number) ? number : undefined;
}

const fits = (number: number, { above, min, max, whole }: NumberRange) =>
	number > (above ?? -Infinity) &&
	number >= (min ?? -Infinity) &&
	number <= (max ?? Infinity) &&
	(!whole || Number.isInteger(number));

function describeRange({ above, min, max, whole }: NumberRange): string {
	const kind = whole ? 'a whole number' : 'a number';
	if (above !== undefined) return `${kind} greater than ${above}`;
	if (min === undefined) return kind;
	return max === undefined ? `${kind}, ${min} or more` : `${kind}, from ${min} to ${max}`;
}

export const CHECK_EXPRESSION =
	'If it is an expression, check that the incoming item has the field it refers to.';
const NOT_TEXT = 'It is an object or an array. Convert it to text with {{ JSON.stringify(...) }}.';

/** Some clients send the values in capitals. */
const toWord = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value);

/** Returns the value that an expression needs, and the editor's name for it if that differs. */
const showChoice = ({ name, value }: INodePropertyOptions) =>
	name.toLowerCase() === String(value).toLowerCase() ? value : `${value} (${name})`;

/** Says which value came instead, if it can be shown. */
function toAdvice(given: unknown): string {
	const text = toPlainText(given);
	const shown = text === undefined ? 'It is no text or number' : `It is "${text.slice(0, 50)}"`;
	return `${shown}. ${CHECK_EXPRESSION}`;
}

const SHOWN_EXPRESSION_CHARS = 60;

/**
 * Refuses a prompt that holds an expression although its field is switched to Fixed: the expression
 * would be sent, and billed, word for word. Braces that an expression returns are left alone.
 *
 * @param written the parameters as the person wrote them
 */
export function checkWords(read: Reader, { prompt }: IDataObject): void {
	if (typeof prompt !== 'string' || isExpression(prompt)) return;
	const from = prompt.indexOf('{{');
	const to = prompt.lastIndexOf('}}');
	const expression = from < 0 || to < from ? '' : prompt.slice(from, to + 2);
	// Everything that n8n gives an expression begins with `$`. Other braces may be meant as they are.
	if (!/\$[\w(]/.test(expression)) return;
	read.refuse(
		`Prompt is an expression that n8n does not evaluate: ${expression.slice(0, SHOWN_EXPRESSION_CHARS)}`,
		'Switch the field from Fixed to Expression. Nothing was sent for this item.',
	);
}

/**
 * Returns the fields of the incoming item that its result passes on; `undefined` if Include Other
 * Input Fields is off. Fields that the result sets itself win over them.
 *
 * @param state fields about an earlier render, which would look like news
 */
export function readCarried(
	{ input, options }: Reader,
	state: readonly string[] = [],
): IDataObject | undefined {
	if (!options.boolean('includeOtherFields')) return undefined;
	// n8n takes an item with `error` for one that failed.
	const others = Object.entries(input.json).filter(
		([name]) => name !== 'error' && !state.includes(name),
	);
	return Object.fromEntries(others);
}
