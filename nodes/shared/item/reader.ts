import type {
	IBinaryData,
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { CHECK_EXPRESSION, NOT_TEXT, showChoice, toAdvice, toWord } from './advice';
import { describeRange, fits, type NumberRange } from './numberRange';
import type { Run } from './run';
import {
	isExpression,
	isSet,
	toBoolean,
	toNumber,
	toObject,
	toPlainText,
	toRows,
	type Values,
} from './values';

/**
 * The parameters of one item. Each method names the parameter as the editor does where a value
 * cannot be used, and takes what expressions give: numbers and booleans as text, too.
 */
export interface Reader {
	itemIndex: number;
	/** The incoming item, which is never changed. */
	input: INodeExecutionData;
	/** Whether somebody has set it: n8n leaves empty text or null where an expression gave nothing. */
	isSet: (name: string) => boolean;
	/** As n8n gives it; the default that the editor shows where nothing is set. */
	value: (name: string) => unknown;
	/** A text that must not be empty; trimmed. */
	text: (name: string, label?: string) => string;
	/** A text as it was typed; empty for nothing but white space. */
	optionalText: (name: string) => string;
	boolean: (name: string) => boolean;
	/** `undefined` where nothing is set. */
	number: (name: string, range?: NumberRange) => number | undefined;
	/** The default that the editor shows where nothing is set. */
	numberOrDefault: (name: string, range?: NumberRange) => number;
	/** One of the values that the editor offers, in any case; among the options, nothing means the default. */
	choice: (name: string) => string;
	/** A JSON object, or text that holds one; `{}` where nothing is set. */
	object: (name: string) => IDataObject;
	/** The same for a value inside another one. */
	toObject: (value: unknown, label: string) => IDataObject;
	/** What was set, in the type of its field; `undefined` where nothing is set. */
	given: (name: string) => boolean | number | string | undefined;
	/** A binary field of the incoming item. */
	binary: (property: string, label: string) => IBinaryData;
	/** The bytes of a binary field. */
	bytes: (property: string, label: string) => Promise<Buffer>;
	/** As the editor names it. */
	label: (name: string) => string;
	/** The rows of a list of the node, each read the same way. */
	rows: (name: string) => Reader[];
	/** The node's collection of options, read the same way. */
	options: Reader;
	/** Ends the reading of the item: says which parameter is wrong and what to do. */
	refuse: (message: string, advice?: string) => never;
}

/** What reading asks of a run; nodes below an agent have no run. */
type ReaderSource = Pick<Run, 'fields' | 'items' | 'parameters'> & {
	context: Pick<Run['context'], 'getNodeParameter' | 'getNode' | 'helpers'>;
};

export function createReader(run: ReaderSource, itemIndex: number): Reader {
	const { context, fields } = run;
	const collection = fields.find(({ type }) => type === 'collection');
	const ofNode = (field: INodeProperties) =>
		context.getNodeParameter(field.name, itemIndex, field.default, {
			extractValue: field.type === 'resourceLocator',
		}) as unknown;
	const set = (collection ? ofNode(collection) : {}) as IDataObject | null;
	const options = readerOf(run, itemIndex, {
		fields: (collection?.options ?? []) as INodeProperties[],
		valueOf: ({ name }) => set?.[name],
	});
	const top = readerOf(run, itemIndex, {
		fields,
		valueOf: ofNode,
		isWritten: (name) => isExpression(run.parameters[name]),
	});
	return { ...top, options };
}

function readerOf(
	run: ReaderSource,
	itemIndex: number,
	{ fields, valueOf, isWritten, where }: Values,
): Reader {
	const refuse = (text: string, description?: string): never => {
		const message = where === undefined ? text : `${where}: ${text}`;
		const options = { description, itemIndex };
		const error = new NodeOperationError(run.context.getNode(), message, options);
		// n8n swaps a message that holds a word such as ENOTFOUND for its own.
		error.message = message;
		throw error;
	};
	const fieldOf = (name: string) =>
		fields.find((field) => field.name === name) ?? refuse(`The node has no field "${name}"`);
	const labelOf = (name: string) => fieldOf(name).displayName;
	// Read once: an expression such as a random number gives something else at each reading.
	const given = new Map<string, unknown>();
	const raw = (name: string) => {
		if (!given.has(name)) given.set(name, valueOf(fieldOf(name)));
		return given.get(name);
	};
	const value = (name: string) => (isSet(raw(name)) ? raw(name) : fieldOf(name).default);
	const plainText = (name: string, label: string): string =>
		toPlainText(raw(name)) ?? refuse(`${label} must be text`, NOT_TEXT);
	const toRange = (name: string, given: unknown, range: NumberRange): number => {
		const number = toNumber(given);
		return number !== undefined && fits(number, range)
			? number
			: refuse(`${labelOf(name)} must be ${describeRange(range)}`, toAdvice(given));
	};
	const reader: Omit<Reader, 'options'> = {
		itemIndex,
		input: run.items[itemIndex],
		isSet: (name) => isSet(raw(name)),
		value,
		text(name, label = labelOf(name)) {
			const text = plainText(name, label).trim();
			return ['', 'undefined', 'null'].includes(text)
				? refuse(`${label} is empty`, `Fill in ${label}. ${CHECK_EXPRESSION}`)
				: text;
		},
		optionalText(name) {
			const text = plainText(name, labelOf(name));
			return text.trim() === '' ? '' : text;
		},
		boolean: (name) =>
			toBoolean(value(name)) ??
			refuse(`${labelOf(name)} must be true or false`, toAdvice(value(name))),
		number: (name, range = {}) => (isSet(raw(name)) ? toRange(name, raw(name), range) : undefined),
		numberOrDefault: (name, range = {}) => toRange(name, value(name), range),
		choice(name) {
			const choices = (fieldOf(name).options ?? []) as INodePropertyOptions[];
			if (isWritten?.(name) && !isSet(raw(name))) {
				refuse(`${labelOf(name)} is empty`, `Choose a value. ${CHECK_EXPRESSION}`);
			}
			const chosen = value(name);
			const found = choices.find((choice) => toWord(choice.value) === toWord(chosen));
			if (found) return found.value as string;
			const shown = choices.map(showChoice).join(', ');
			return refuse(`${labelOf(name)} must be one of: ${shown}`, toAdvice(chosen));
		},
		object: (name) => toObject(raw(name), labelOf(name), refuse),
		toObject: (given, label) => toObject(given, label, refuse),
		given(name) {
			if (!isSet(raw(name))) return undefined;
			if (fieldOf(name).type === 'boolean') return reader.boolean(name);
			return fieldOf(name).type === 'number' ? reader.number(name) : reader.text(name);
		},
		binary(property, label) {
			try {
				return run.context.helpers.assertBinaryData(itemIndex, property);
			} catch {
				const advice = 'Add a node that loads the file before this one, or correct the name.';
				return refuse(`The item has no binary field "${property}" (${label})`, advice);
			}
		},
		async bytes(property, label) {
			reader.binary(property, label);
			return await run.context.helpers.getBinaryDataBuffer(itemIndex, property);
		},
		rows(name) {
			const [{ name: group, values }] = fieldOf(name).options as INodePropertyCollection[];
			const rows =
				toRows(value(name), group) ?? refuse(`${labelOf(name)} must be a list of objects`);
			return rows.map((row, index) =>
				readerOf(run, itemIndex, {
					fields: values,
					valueOf: (field) => row[field.name],
					isWritten: (field) => Object.hasOwn(row, field),
					where: `${labelOf(name)}, row ${index + 1}`,
				}),
			);
		},
		label: labelOf,
		refuse,
	};
	return { ...reader, options: reader as Reader };
}
