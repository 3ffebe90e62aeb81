import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import {
	findReads,
	isExpression,
	partsOf,
	replaceParts,
	toSteps,
	valueAt,
} from '../item/expression';
import type { Reader } from '../item/reader';
import type { Run } from '../item/run';
import { isObject, mapTexts, parseJson, toObject, withoutGaps } from '../lib/json';

/**
 * Parameters and options that say how to wait and what to do afterwards, not what to render: a retry
 * with another value of these picks up the paid video. CONTRIBUTING says when to add a name.
 */
export const NOT_WISHED = [
	...['wait', 'downloadVideo', 'binaryProperty', 'cost', 'fileName', 'leaveOutInputFields'],
	...['link', 'maxWait', 'polling', 'rawResponse'],
];
/** Texts whose numbers may count the passes of a loop; elsewhere, a number is a setting. */
const PROMPTS = ['prompt', 'negativePrompt'];
/** What n8n adds to a node that is a tool. */
const OF_TOOLS = ['descriptionType', 'toolDescription'];

/**
 * Fingerprints of what was written, with what it reads of the incoming item, and of its value; then of
 * a whole value, or what an expression reads, without what a loop counts.
 */
type Fact = [written: string, value?: string, uncounted?: string];

/**
 * What a job asks for, by parameter: first its text around expressions and its whole value, once it is
 * read, then each of its expressions. Beside the parameters stand `service`, `files`, `after` for the
 * shot before, and `request`, as it is written for the likely route, once that is known.
 */
export type Wish = Record<string, Fact[]>;

/** What is no parameter, and counts only if both wishes have it; files are in a request. */
const AROUND_REQUEST = ['after', 'service'];
const OPTIONAL = [...AROUND_REQUEST, 'files'];

/**
 * Returns whether two wishes are for the same video: each parameter has the same value, or consists of
 * the same parts, as written or in their values. So an expression that gives a time or a random number
 * is the same at each try, and so is another expression with the same value. So is whatever makes the
 * same request of the same service, behind the same shot.
 *
 * @param mayCount another seed is no other wish; nor is another number in a prompt, or only one that an
 * expression of it gives
 */
export function isSameWish(
	one: Wish,
	other: Wish,
	mayCount?: 'anywhere' | 'inExpressions',
): boolean {
	const isSameBut = (a: Fact, b: Fact) => mayCount && a[2] !== undefined && a[2] === b[2];
	const isSameText = (a: Fact, b: Fact) => mayCount === 'anywhere' && isSameBut(a, b);
	const isSame = (name: string) => {
		if (mayCount && name === 'seed') return true;
		const [a, b] = [one[name], other[name]];
		if (!a || !b) return OPTIONAL.includes(name);
		if (isSameValue(a[0], b[0]) || isSameText(a[0], b[0])) return true;
		const isSamePart = (fact: Fact, i: number) =>
			isSameFact(fact, b[i]) || (i > 0 && isSameBut(fact, b[i]));
		return a.length === b.length && a.every(isSamePart);
	};
	const { request: mine, ...rest } = one;
	const { request: theirs, ...others } = other;
	if (mine && theirs && isSameValue(mine[0], theirs[0])) return AROUND_REQUEST.every(isSame);
	return [...new Set([...Object.keys(rest), ...Object.keys(others)])].every(isSame);
}

/**
 * Returns a key of what a wish has written, which is the same for the same parameters with the same reads of
 * the item.
 *
 * @param uncounted leaves out seeds, and numbers that a prompt reads
 */
export function toWishKey(wish: Wish, { uncounted = false } = {}): string {
	const parameters = Object.entries(wish).filter(
		([name]) => ![...OPTIONAL, 'request', ...(uncounted ? ['seed'] : [])].includes(name),
	);
	const keyOf = ([written, , rest]: Fact, i: number) =>
		uncounted && i > 0 ? (rest ?? written) : written;
	return fingerprint(parameters.map(([name, facts]) => [name, facts.map(keyOf)]).sort());
}

const isSameValue = (one: Fact, other: Fact) => one[1] !== undefined && one[1] === other[1];
const isSameFact = (one: Fact, other: Fact) => one[0] === other[0] || isSameValue(one, other);

export const toFact = (fact: unknown): Fact[] => [[fingerprint(fact), fingerprint(fact)]];

/** @param read the item's values; missing if it has not been read, or cannot be */
export function toWish(run: Run, itemIndex: number, read?: Reader): Wish {
	const { options = {}, ...parameters } = run.parameters;
	const wish: Wish = {};
	const fields = fieldsOf(run, itemIndex);
	/** Adds the value of a fact, unless nobody has read the item, or it has none here. */
	const toFactOf = (name: string, written: unknown, valueOf?: () => unknown): Fact => {
		const fact = fingerprint(written);
		try {
			const value = read && valueOf?.();
			return read && valueOf
				? [fact, fingerprint(value), fingerprint(value, withoutCount(name))]
				: [fact];
		} catch {
			return [fact];
		}
	};
	const add = (written: object, valueOf?: (name: string) => unknown) => {
		for (const [name, value] of Object.entries(written)) {
			if (NOT_WISHED.includes(name) || OF_TOOLS.includes(name)) continue;
			// How a value was chosen from a list, and how the editor shows it, changes nothing.
			const raw: unknown = isObject(value) && value.__rl ? value.value : value;
			const parts: string[] = [];
			const around = mapTexts(raw, (text) => {
				if (!isExpression(text)) return text;
				parts.push(...partsOf(text));
				return replaceParts(text, () => '{{}}');
			});
			const valueOfPart = (part: string) => () =>
				run.context.evaluateExpression(`{{${part}}}`, itemIndex);
			wish[name] = [
				toFactOf(name, around, valueOf && (() => valueOf(name))),
				// The value of the only part tells no more than that of the whole.
				...parts.map((part): Fact => {
					const written = [part, inputsOf(run, itemIndex, part, fields)];
					const valueOf = parts.length > 1 ? valueOfPart(part) : undefined;
					const [fact, value] = toFactOf(name, written, valueOf);
					return PROMPTS.includes(name)
						? [fact, value, fingerprint(written, withoutNumber)]
						: [fact, value];
				}),
			];
		}
	};
	add(parameters, read?.value);
	// All options may be one expression.
	if (isObject(options)) add(options, read?.options.value);
	else add({ options });
	const { binary } = run.items[itemIndex];
	// n8n's error output drops files, so an item that comes back may lack them.
	if (binary && /binary|"imageSource":"=/.test(JSON.stringify(run.parameters))) {
		wish.files = toFact(Object.entries(binary).map(([name, { id, data }]) => [name, id ?? data]));
	}
	return wish;
}

/** Returns the fields of an item as expressions read them; an agent fills in some of its `query`. */
function fieldsOf({ items, context, forAgent }: Run, itemIndex: number): IDataObject {
	const { json } = items[itemIndex];
	// Some agents also pass on their own item, and n8n puts a new ID into each call.
	const proxy = forAgent
		? (context.getWorkflowDataProxy(itemIndex) as { $json?: IDataObject })
		: {};
	// A failing item that comes back unchanged is the same wish.
	const fields = { ...json, error: undefined, ...proxy.$json, toolCallId: undefined };
	return { ...toObject((fields as IDataObject).query), ...withoutGaps(fields) };
}

/** Returns the values that an expression reads of the incoming item, and of others by name. */
function inputsOf({ context }: Run, itemIndex: number, code: string, fields: IDataObject) {
	const { references, filledIn, readsAny } = findReads(code);
	let isKnown = !readsAny;
	const values = references.map((reference): unknown => {
		const [root, ...steps] = toSteps(reference);
		if (root === '$json') return valueAt(fields, steps);
		// As `$json.error`: a failing item that comes back unchanged is the same wish.
		if (steps[steps.indexOf('json') + 1] === 'error') return undefined;
		try {
			return context.evaluateExpression(`{{ ${reference} }}`, itemIndex);
		} catch {
			isKnown = false;
			return undefined;
		}
	});
	return [isKnown ? filledIn.map((name) => fields[name]) : fields, values];
}

/** An agent's model may fill in the same values in another order. */
const inOrder = (_name: string, value: unknown) =>
	isObject(value)
		? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
		: value;

/** Returns what leaves out of a parameter's value what a loop may count: seeds, and numbers in prompts. */
const withoutCount = (parameter: string) => (name: string, value: unknown) => {
	if (/seed$/i.test(name)) return null;
	const isPrompt = PROMPTS.includes(parameter) || /prompt$/i.test(name);
	const isWord = typeof value === 'string' || typeof value === 'number';
	return isPrompt && isWord ? String(value).replace(/[\d\s]+/g, '') : value;
};

/** Returns what leaves out what may be a count of what an expression reads; at first, there is none. */
const withoutNumber = (_name: string, value: unknown) =>
	typeof (value ?? '') !== 'object' && /^\s*\d*\s*$/.test(String(value ?? '')) ? '' : value;

/** @param replace changes what does not count, in JSON that is text, too */
function fingerprint(given: unknown, replace?: (name: string, value: unknown) => unknown): string {
	const value = (replace && typeof given === 'string' && parseJson(given)) || given;
	const json = JSON.stringify(value, (name, inner: unknown) =>
		inOrder(name, replace ? replace(name, inner) : inner),
	);
	return createHash('sha256')
		.update(json ?? '')
		.digest('hex')
		.slice(0, 12);
}
