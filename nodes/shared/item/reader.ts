import type {
	IBinaryData,
	IDataObject,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isObject } from '../lib/json';
import { CHECK_EXPRESSION, isExpression, toSteps, valueAt } from './expression';
import type { Run } from './run';

/**
 * The parameters of one item. If a value is not usable, each method names the parameter as the
 * editor does. All methods accept what expressions give, including numbers and booleans as text.
 */
export interface Reader extends ReturnType<typeof readerOf> {
	/** Ends the reading of the item: says which parameter is wrong and what to do. */
	refuse: (message: string, advice?: string) => never;
}

export function createReader(run: Run, itemIndex: number): Reader {
	const { context, fields } = run;
	const collection = fields.find(({ type }) => type === 'collection');
	const valueOf = (field: INodeProperties, path = field.name): unknown => {
		const { type, default: byDefault, displayName, options = [] } = field;
		const extractValue = type === 'resourceLocator';
		try {
			return context.getNodeParameter(path, itemIndex, byDefault, { extractValue }) as unknown;
		} catch (error) {
			// n8n reads a collection as a whole, and its words for an expression name no parameter.
			if (type === 'collection') {
				for (const option of options as INodeProperties[])
					valueOf(option, `${path}.${option.name}`);
			}
			const { message, description } = error as NodeOperationError;
			return refuseItem(run, itemIndex, `${displayName} cannot be read: ${message}`, description);
		}
	};
	const set = (collection ? valueOf(collection) : {}) as IDataObject | null;
	const optionFields = (collection?.options ?? []) as INodeProperties[];
	const optionOf = ({ name }: INodeProperties) => set?.[name];
	const options = readerOf(run, itemIndex, optionFields, optionOf, { mayBeUnset: true });
	return readerOf(run, itemIndex, fields, (field) => valueOf(field), { options });
}

function refuseItem(
	{ context }: Run,
	itemIndex: number,
	message: string,
	description?: string | null,
): never {
	const facts = { description: description ?? undefined, itemIndex };
	const error = new NodeOperationError(context.getNode(), message, facts);
	// n8n replaces a message that contains a word such as ENOTFOUND.
	error.message = message;
	throw error;
}

function readerOf(
	run: Run,
	itemIndex: number,
	fields: INodeProperties[],
	valueOf: (field: INodeProperties) => unknown,
	{ options, mayBeUnset, row }: { options?: Reader; mayBeUnset?: boolean; row?: string },
) {
	const refuse = (text: string, description?: string): never => {
		const message = row === undefined ? text : `${row}: ${text}`;
		return refuseItem(run, itemIndex, message, description);
	};
	const fieldOf = (name: string) => fields.find((field) => field.name === name)!;
	const label = (name: string) => fieldOf(name).displayName;
	// Reads each value once: an expression such as a random number gives another value each time.
	const values = new Map<string, unknown>();
	const raw = (name: string) => {
		if (!values.has(name)) values.set(name, valueOf(fieldOf(name)));
		return values.get(name);
	};
	const value = (name: string) => (isSet(raw(name)) ? raw(name) : fieldOf(name).default);
	const plainText = (name: string, shown: string): string =>
		toPlainText(raw(name)) ??
		refuse(
			`${shown} must be text`,
			'It is an object or an array. Convert it to text with {{ JSON.stringify(...) }}.',
		);
	const toRange = (name: string, entered: unknown, range: NumberRange): number =>
		toNumber(entered, range) ??
		refuse(`${label(name)} must be ${toRangeWords(range)}`, toAdvice(entered));
	const toJson = (entered: unknown, shown: string): unknown => {
		if (!isSet(entered)) return {};
		let parsed = entered;
		try {
			if (typeof entered === 'string') parsed = JSON.parse(entered.trim() || '{}');
		} catch (error) {
			return refuse(`${shown} is not valid JSON`, (error as Error).message);
		}
		return parsed;
	};
	const toObject = (entered: unknown, shown: string): IDataObject => {
		const parsed = toJson(entered, shown);
		if (isObject(parsed)) return parsed;
		return refuse(`${shown} must be a JSON object`, 'Write it as { "name": value }.');
	};
	const reader = {
		itemIndex,
		/** The incoming item; it is never changed. */
		input: run.items[itemIndex],
		/** The reader of the node's options; a reader of options, or of a row, returns itself. */
		get options(): Reader {
			return options ?? reader;
		},
		isSet: (name: string) => isSet(raw(name)),
		/** Returns the value as n8n gives it, or the editor's default if nothing is set. */
		value,
		/** Returns a trimmed text that is not empty. */
		text(name: string, shown = label(name)): string {
			const text = plainText(name, shown).trim();
			return ['', 'undefined', 'null'].includes(text.replace(UNSEEN, ''))
				? refuse(`${shown} is empty`, `Fill in ${shown}. ${CHECK_EXPRESSION}`)
				: text;
		},
		/** Returns a text as it was typed, or '' if it is only white space. */
		optionalText(name: string) {
			const text = plainText(name, label(name));
			return text.trim() === '' ? '' : text;
		},
		/** Returns a list of texts, or a single one, without empty ones; defaults are not used. */
		texts(name: string): string[] {
			const texts = [raw(name)].flat().filter(isSet).map(toPlainText);
			if (texts.every((text) => text !== undefined)) return texts;
			return refuse(`${label(name)} must be text`, 'Enter one text, or an array of texts.');
		},
		/** An option that is not set is off, whatever the editor fills in when one adds it. */
		boolean(name: string): boolean {
			if (mayBeUnset && !isSet(raw(name))) return false;
			const word = toWord(toPlainText(value(name)));
			if (word === 'true' || word === '1') return true;
			if (word === 'false' || word === '0') return false;
			return refuse(`${label(name)} must be true or false`, toAdvice(value(name)));
		},
		/** Returns `undefined` if nothing is set. */
		number: (name: string, range: NumberRange = {}) =>
			isSet(raw(name)) ? toRange(name, raw(name), range) : undefined,
		/** Returns the editor's default if nothing is set. */
		numberOrDefault: (name: string, range: NumberRange) => toRange(name, value(name), range),
		/** Returns one of the values that the editor offers; letter case does not count. */
		choice(name: string): string {
			const choices = (fieldOf(name).options ?? []) as INodePropertyOptions[];
			// A parameter outside Options always has a value, unless its expression gave nothing.
			if (!mayBeUnset && !isSet(raw(name))) {
				refuse(`${label(name)} is empty`, `Choose a value. ${CHECK_EXPRESSION}`);
			}
			const chosen = value(name);
			const found = choices.find((choice) => toWord(choice.value) === toWord(chosen));
			const named = choices.filter((choice) => choice.value !== '');
			const shown = named.map(showChoice).join(', ');
			return found
				? (found.value as string)
				: refuse(`${label(name)} must be one of: ${shown}`, toAdvice(chosen));
		},
		/** Returns JSON, given as it is or as text; `{}` if nothing is set. */
		json: (name: string) => toJson(raw(name), label(name)),
		/** Does the same for a JSON object. */
		object: (name: string) => toObject(raw(name), label(name)),
		/** Does the same for a value inside another one. */
		toObject,
		binary(property: string, shown: string): IBinaryData {
			try {
				const file = run.context.helpers.assertBinaryData(itemIndex, property);
				// n8n also finds what each object has, such as its constructor.
				if (typeof file.data === 'string') return file;
			} catch {
				// It says less than the sentence below.
			}
			const advice = 'Add a node that loads the file before this one, or correct the name.';
			return refuse(`The item has no binary field "${property}" (${shown})`, advice);
		},
		async bytes(property: string, shown: string): Promise<Buffer> {
			reader.binary(property, shown);
			return await run.context.helpers.getBinaryDataBuffer(itemIndex, property);
		},
		group(name: string): Reader {
			const fields = fieldOf(name).options as INodeProperties[];
			const set = toObject(raw(name), label(name));
			return readerOf(run, itemIndex, fields, ({ name }) => set[name], { mayBeUnset: true });
		},
		rows(name: string): Reader[] {
			const [{ name: group, values }] = fieldOf(name).options as INodePropertyCollection[];
			const list = value(name);
			// The editor keeps rows under the name of their group; an expression gives a list.
			const rows = isObject(list) ? (list[group] ?? []) : isSet(list) ? list : [];
			if (!Array.isArray(rows) || !rows.every(isObject)) {
				return refuse(`${label(name)} must be a list of objects`);
			}
			return rows.map((entered, index) => {
				const inRow = (field: INodeProperties) =>
					field.name in entered ? entered[field.name] : field.default;
				const row = `${label(name)}, row ${index + 1}`;
				return readerOf(run, itemIndex, values, inRow, { row });
			});
		},
		label,
		refuse,
	};
	return reader;
}

/** Returns whether a value is set. n8n leaves empty text or null if an expression gave nothing. */
export const isSet = (value: unknown): boolean =>
	value !== undefined && value !== null && value !== '';

/** Returns text, also for a number or a boolean; `undefined` for a value that has no text. */
export function toPlainText(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	const isPlain = ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
	return isPlain ? String(value) : undefined;
}

/** Signs that show nothing. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}|\u2800/gu;

interface NumberRange {
	above?: number;
	min?: number;
	max?: number;
	whole?: boolean;
}

/** Returns a number given as a number or as text; `undefined` for all else, and out of range. */
function toNumber(
	value: unknown,
	{ above = -Infinity, min = -Infinity, max = Infinity, whole }: NumberRange,
): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
	const isInside = number > above && number >= min && number <= max;
	return isInside && (!whole || Number.isSafeInteger(number)) ? number : undefined;
}

function toRangeWords({ above, min, max, whole }: NumberRange): string {
	const kind = whole ? 'a whole number' : 'a number';
	if (above !== undefined) return `${kind} greater than ${above}`;
	if (min === undefined) return kind;
	return max === undefined ? `${kind}, ${min} or more` : `${kind}, from ${min} to ${max}`;
}

/** Some clients send the values in capitals. */
const toWord = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value);

/** Returns the value that an expression needs, and the editor's name for it if that differs. */
const showChoice = ({ name, value }: INodePropertyOptions) => {
	if (toWord(name) === toWord(value)) return value;
	return name.startsWith(`${value} (`) ? name : `${value} (${name})`;
};

/** Says which value came instead, if it can be shown. */
function toAdvice(entered: unknown): string {
	const text = toPlainText(entered);
	const shown = text === undefined ? 'It is no text or number' : `It is "${text.slice(0, 50)}"`;
	return `${shown}. ${CHECK_EXPRESSION}`;
}

/**
 * Returns what stands in the field of the incoming item that an option names; `undefined` if the
 * option is not set, or the item has no such field.
 */
export function findInputValue({ input, isSet: isNamed, text }: Reader, name: string): unknown {
	if (!isNamed(name)) return undefined;
	const path = text(name);
	const value = path in input.json ? input.json[path] : valueAt(input.json, toSteps(path));
	return isSet(value) && toPlainText(value)?.trim() !== '' ? value : undefined;
}

/** Does the same for a text or number, and returns it as text. */
export function findInputField(read: Reader, name: string): string | undefined {
	const value = findInputValue(read, name);
	return value === undefined ? undefined : toPlainText(value)?.trim();
}

/**
 * Refuses an expression that gives nothing where that does not mean a default: one with a wrong field name,
 * say, would otherwise pay, or make one film of all.
 *
 * @param written the value as the person wrote it
 */
export function refuseNothing({ isSet, text }: Reader, name: string, written: unknown): void {
	if (isExpression(written) && !isSet(name)) text(name);
}

/** Refuses an item without the field that an option names. */
export const refuseWithoutField = ({ label, refuse, text }: Reader, name: string): never =>
	refuse(
		`The item has no text or number in the field "${text(name)}"`,
		`${label(name)} takes the name of an input field, such as film. If a node before drops it, turn Leave Out Input Fields off there.`,
	);
