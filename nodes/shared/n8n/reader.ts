import type {
	IBinaryData,
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Reason } from '../failure/reason';
import { isFilled, isObject, isSet, isWithin, toObject, toObjects, valueAt } from '../lib/json';
import { sentences } from '../lib/text';
import type { Run } from './run';
import {
	CHECK_EXPRESSION,
	describeEntered,
	describeFiles,
	describeRange,
	isExpression,
	type NumberRange,
	shorten,
	toBoolean,
	toNumber,
	toPlainText,
} from './values';

export { toPlainText };

/** Some fields of one item, and what n8n knows of their values. */
interface Source {
	run: Pick<Run, 'context' | 'items'>;
	itemIndex: number;
	fields: INodeProperties[];
	/** The values as the person typed them, expressions included. */
	typed: IDataObject;
	valueOf: (field: INodeProperties) => unknown;
	/** Nothing is there unless the person has added it, as in Options. */
	mayBeUnset?: boolean;
	/** How refusals name the row of a list. */
	row?: string;
	options?: Reader;
}

/** What nobody needs, and what would overflow the stack wherever JSON is read (CVE-2025-52999 of Jackson). */
const MAX_JSON_LEVELS = 100;

/** Returns the reader of the parameters of one item. */
export function createReader(
	run: Pick<Run, 'context' | 'fields' | 'items' | 'parameters'>,
	itemIndex: number,
): Reader {
	const { context, fields, parameters: typed } = run;
	const valueOf = ({ name, type, default: byDefault, displayName }: INodeProperties): unknown => {
		const extractValue = type === 'resourceLocator';
		try {
			return context.getNodeParameter(name, itemIndex, byDefault, { extractValue });
		} catch (error) {
			// n8n's own words for an expression that cannot be evaluated name no parameter.
			const { message, description } = error as NodeOperationError;
			throw toRefusal(run, itemIndex, `${displayName} cannot be read: ${message}`, description);
		}
	};
	const collection = fields.find(({ name }) => name === 'options');
	if (!collection) return new Reader({ run, itemIndex, fields, typed, valueOf });
	const set = toObject(valueOf(collection));
	const options = new Reader({
		...{ run, itemIndex, mayBeUnset: true, typed: toObject(typed[collection.name]) },
		fields: collection.options as INodeProperties[],
		valueOf: ({ name }) => set[name],
	});
	return new Reader({ run, itemIndex, fields, typed, valueOf, options });
}

/** Absent in n8n 2.0, which keeps no files in JSON. */
const hasFilesInJson = ({ context }: Source['run']): boolean =>
	'getWorkflowSettings' in context && context.getWorkflowSettings().binaryMode === 'combined';

function toRefusal(
	{ context }: Source['run'],
	itemIndex: number,
	message: string,
	description?: string | null,
): NodeOperationError {
	const facts = { description: description ?? undefined, itemIndex };
	const error = new NodeOperationError(context.getNode(), message, facts);
	// n8n replaces a message that contains a word such as ENOTFOUND.
	error.message = message;
	return error;
}

/**
 * Reads the parameters of one item, its options, or one row of a list. A value that cannot be used is
 * refused by its name in the editor. The methods may be taken out of it: `const { text } = read`.
 *
 * @example read.number('duration', { min: 1, whole: true }) // 8, or undefined if nothing is set
 */
export class Reader {
	readonly itemIndex: number;
	/** The incoming item; it is never changed. */
	readonly input: INodeExecutionData;
	/**
	 * The files of the incoming item. In a workflow with `binaryMode: combined`, n8n keeps them in the JSON
	 * (`convertBinaryData` in n8n-core 2.41), and looks for a name there, but not inside `_files`. In any
	 * other workflow, what is in the JSON may come from anybody.
	 */
	readonly inputFiles: IBinaryKeyData;
	/** The reader of the node's options; a reader of options, or of a row, returns itself. */
	readonly options: Reader;
	/** Each value is read once: an expression such as a random number gives another one each time. */
	private readonly values = new Map<string, unknown>();

	constructor(private readonly source: Source) {
		this.itemIndex = source.itemIndex;
		this.input = source.run.items[source.itemIndex];
		const { json, binary } = this.input;
		const inJson = hasFilesInJson(source.run) ? toObject(json._files) : {};
		this.inputFiles = { ...(inJson as unknown as IBinaryKeyData), ...binary };
		this.options = source.options ?? this;
	}

	/**
	 * Ends the reading of the item: says which parameter is wrong and what to do.
	 *
	 * @param reason what the service has met, if that and no parameter is wrong
	 */
	readonly refuse = (words: string, advice?: string, reason?: Reason): never => {
		const { run, itemIndex, row } = this.source;
		const error = toRefusal(run, itemIndex, row === undefined ? words : `${row}: ${words}`, advice);
		throw Object.assign(error, { reason });
	};

	readonly label = (name: string): string => this.fieldOf(name).displayName;

	/** Returns what the person typed, or an expression as it is. */
	readonly typed = (name: string): unknown => this.source.typed[name];

	/** Returns whether the person has left a parameter as it is. */
	readonly isDefault = (name: string): boolean => {
		const { default: byDefault } = this.fieldOf(name);
		return (this.typed(name) ?? byDefault) === byDefault;
	};

	/** Returns what an expression without its braces gives for this item. */
	readonly evaluate = (code: string): unknown =>
		this.source.run.context.evaluateExpression(`{{${code}}}`, this.itemIndex);

	readonly isSet = (name: string): boolean => isSet(this.raw(name));

	/** Returns the value as n8n gives it, or the editor's default if nothing is set. */
	readonly value = (name: string): unknown =>
		this.isSet(name) ? this.raw(name) : this.fieldOf(name).default;

	/** Returns a trimmed text that is not empty. */
	readonly text = (name: string, shown = this.label(name)): string => {
		const text = this.plainText(name, shown).trim();
		if (text !== '') return text;
		return this.refuse(`${shown} is empty`, `Fill in ${shown}. ${CHECK_EXPRESSION}`);
	};

	/** Returns a text as it was typed, or '' if it is only white space. */
	readonly optionalText = (name: string): string => {
		const text = this.plainText(name, this.label(name));
		return text.trim() === '' ? '' : text;
	};

	/** Returns a list of texts, or a single one, without empty ones; defaults are not used. */
	readonly texts = (name: string): string[] => {
		const texts = this.list(name).map(toPlainText);
		if (texts.every((text) => text !== undefined)) return texts;
		return this.refuse(`${this.label(name)} must be text`, 'Enter one text, or an array of texts.');
	};

	/** An option that is not set is off, whatever the editor fills in when one adds it. */
	readonly boolean = (name: string): boolean => {
		if (this.source.mayBeUnset && !this.isSet(name)) return false;
		const entered = this.value(name);
		const words = `${this.label(name)} must be true or false`;
		return toBoolean(entered) ?? this.refuse(words, describeEntered(entered));
	};

	/** Returns `undefined` if nothing is set. */
	readonly number = (name: string, range: NumberRange = {}): number | undefined =>
		this.isSet(name) ? this.numberOrDefault(name, range) : undefined;

	/** Returns the editor's default if nothing is set. */
	readonly numberOrDefault = (name: string, range: NumberRange): number => {
		const entered = this.value(name);
		const words = `${this.label(name)} must be ${describeRange(range)}`;
		return toNumber(entered, range) ?? this.refuse(words, describeEntered(entered));
	};

	/** Returns one of the values that the editor offers. */
	readonly choice = (name: string): string => {
		// A parameter outside Options always has a value, unless its expression gave nothing.
		if (!this.source.mayBeUnset && !this.isSet(name)) {
			this.refuse(`${this.label(name)} is empty`, `Choose a value. ${CHECK_EXPRESSION}`);
		}
		const choices = this.fieldOf(name).options as INodePropertyOptions[];
		const entered = this.value(name);
		const word = toPlainText(entered)?.trim();
		if (choices.some(({ value }) => value === word)) return word!;
		const values = choices.map(({ value }) => value).filter(isSet);
		const words = `${this.label(name)} must be one of: ${values.join(', ')}`;
		return this.refuse(words, describeEntered(entered));
	};

	/** Returns JSON, given as it is or as text; `{}` if nothing is set. */
	readonly json = (name: string): unknown => this.toJson(this.raw(name), this.label(name));

	readonly object = (name: string): IDataObject => this.toObject(this.raw(name), this.label(name));

	/** Returns a JSON object that is given as it is or as text, as part of another value. */
	readonly toObject = (entered: unknown, shown: string): IDataObject => {
		const json = this.toJson(entered, shown);
		if (isObject(json)) return json;
		return this.refuse(`${shown} must be a JSON object`, 'Write it as { "name": value }.');
	};

	/**
	 * Returns the file of a parameter that takes the name of a binary field, or a file by an expression, such as
	 * `{{ $('Webhook').item.binary.data }}`.
	 */
	readonly file = (name: string, advice?: string): IBinaryData =>
		this.toFile(name, isObject(this.value(name)) ? this.value(name) : this.text(name), advice);

	/** Returns the files of a parameter that takes names, separated by commas, or files. */
	readonly files = (name: string): IBinaryData[] =>
		this.list(name)
			.flatMap((one): unknown[] => (isObject(one) ? [one] : String(one).split(',')))
			.map((one) => (typeof one === 'string' ? one.trim() : one))
			.filter(isSet)
			.map((one) => this.toFile(name, one));

	/** Returns the reader of a group of options. */
	readonly group = (name: string): Reader => {
		const set = this.object(name);
		return new Reader({
			...{ ...this.source, options: undefined, mayBeUnset: true },
			fields: this.fieldOf(name).options as INodeProperties[],
			typed: toObject(this.typed(name)),
			valueOf: (field) => set[field.name],
		});
	};

	/** Returns the readers of a list's rows. */
	readonly rows = (name: string): Reader[] => {
		const [{ name: group, values: fields }] = this.fieldOf(name)
			.options as INodePropertyCollection[];
		const list = this.value(name);
		// The editor keeps rows under the name of their group; an expression gives a list.
		const rows = isObject(list)
			? (list[group] ?? (isFilled(list) ? list : []))
			: isSet(list)
				? list
				: [];
		if (!Array.isArray(rows) || !rows.every(isObject)) {
			return this.refuse(`${this.label(name)} must be a list of objects`);
		}
		const typed = toObjects(toObject(this.typed(name))[group]);
		return rows.map(
			(set, index) =>
				new Reader({
					...{ ...this.source, options: undefined, mayBeUnset: false, fields },
					row: `${this.label(name)}, row ${index + 1}`,
					typed: toObject(typed[index]),
					valueOf: (field) => (field.name in set ? set[field.name] : field.default),
				}),
		);
	};

	private readonly fieldOf = (name: string): INodeProperties =>
		this.source.fields.find((field) => field.name === name)!;

	private readonly raw = (name: string): unknown => {
		if (!this.values.has(name)) this.values.set(name, this.source.valueOf(this.fieldOf(name)));
		return this.values.get(name);
	};

	private readonly list = (name: string): unknown[] => [this.raw(name)].flat().filter(isSet);

	private readonly plainText = (name: string, shown: string): string =>
		toPlainText(this.raw(name)) ??
		this.refuse(
			`${shown} must be text`,
			'It is an object or an array. Name a field of it, or write {{ JSON.stringify(...) }}.',
		);

	private readonly toJson = (entered: unknown, shown: string): unknown => {
		if (!isSet(entered)) return {};
		let json = entered;
		try {
			if (typeof entered === 'string') json = JSON.parse(entered.trim() || '{}');
		} catch (error) {
			return this.refuse(`${shown} is not valid JSON`, (error as Error).message);
		}
		if (isWithin(json, MAX_JSON_LEVELS)) return json;
		return this.refuse(
			`${shown} is nested more than ${MAX_JSON_LEVELS} levels deep`,
			'Make it flatter.',
		);
	};

	private readonly toFile = (name: string, given: unknown, advice?: string): IBinaryData => {
		const { helpers } = this.source.run.context;
		try {
			const isName = typeof given === 'string' && Object.hasOwn(this.inputFiles, given);
			const file = isName ? this.inputFiles[given] : given;
			return helpers.assertBinaryData(this.itemIndex, file as IBinaryData);
		} catch {
			const label = this.label(name);
			if (typeof given !== 'string') return this.refuse(`${label} is no file`, NAME_FIELD);
			const names = Object.keys(this.inputFiles);
			const words = `The item has no binary field "${shorten(given)}" (${label}): ${describeFiles(names)}`;
			if (given.includes('{{')) {
				return this.refuse(words, 'Switch the field from Fixed to Expression.');
			}
			if (this.input.json.dry_run === true) return this.refuse(words, MADE_NO_FILE);
			const enter = `Enter the name of the field that has the file in ${label}.`;
			return this.refuse(
				words,
				names.length > 0 ? sentences(enter, advice) : (advice ?? LOAD_FILE),
			);
		}
	};
}

const MADE_NO_FILE =
	'A node before this one is in Dry Run, so it has made no file. Try this node once that one has.';

/** Returns the name of the binary field that gets a node's file (Output Binary Field). */
export const readOutputField = (options: Reader): string =>
	options.optionalText('binaryProperty').trim() || 'data';

/** n8n leaves the bytes out of `{{ $binary.data }}`. */
const NAME_FIELD =
	"Enter the name of its field, such as data. A file of another node is {{ $('Webhook').item.binary.data }}.";
const LOAD_FILE =
	"Load the file in a node before this one. If a node in between drops it, enter {{ $('Form').item.binary.data }}.";

/**
 * Returns the text or number in the field of the incoming item that an option names, such as `film.name`;
 * `undefined` if the option is not set, or the item has no such field.
 */
export function findInputField(read: Reader, name: string): string | undefined {
	if (!read.isSet(name)) return undefined;
	const path = read.text(name);
	const { json } = read.input;
	const value = Object.hasOwn(json, path) ? json[path] : valueAt(json, path);
	return toPlainText(value)?.trim() || undefined;
}

/**
 * Refuses an expression that gives nothing where that does not mean a default: one with a wrong field name
 * would lift a limit on costs, or make one film of all.
 *
 * @param typed the value as the person typed it
 */
export function refuseNothing({ isSet, text }: Reader, name: string, typed: unknown): void {
	if (isExpression(typed) && !isSet(name)) text(name);
}

/** Refuses an item without the field that an option names. */
export const refuseWithoutField = ({ label, refuse, text }: Reader, name: string): never =>
	refuse(
		`The item has no text or number in the field "${shorten(text(name))}"`,
		`${label(name)} takes the name of an input field, such as film. If a node before drops it, turn Leave Out Input Fields off there.`,
	);
