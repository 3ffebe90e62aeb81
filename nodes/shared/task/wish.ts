import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { isExpression, type Reader } from '../item/reader';
import type { NodeCall } from '../item/run';
import { isObject, mapTexts } from '../lib/json';

/**
 * Parameters and options that say how to wait and what to do afterwards, not what to render: a retry
 * with another value of these picks up the paid video. CONTRIBUTING says when to add a name.
 */
export const NOT_WISHED = [
	...['wait', 'downloadVideo', 'binaryProperty', 'dryRun', 'fileName', 'leaveOutInputFields'],
	...['link', 'maxVideos', 'maxWait', 'polling', 'rawResponse'],
];
/** What n8n adds to a node that is a tool. */
const OF_TOOLS = ['descriptionType', 'toolDescription'];

/**
 * What a job asks for, by parameter: two fingerprints, of the parameter as the person wrote it, with
 * what it reads of the incoming item, and of its value, once it is read. Beside the parameters stand
 * `service`, `files`, and `after` for the shot before.
 */
export type Wish = Record<string, string[]>;

/** What is no parameter, and counts only if both wishes have it. */
const OPTIONAL = ['after', 'files', 'service'];

/**
 * Returns whether two wishes are for the same video: each parameter is the same, as written or in its
 * value. So an expression that gives a time or a random number is the same at each try, and so is
 * another expression with the same value.
 */
export function isSameWish(one: Wish, other: Wish): boolean {
	const isSame = (name: string) => {
		const [a, b] = [one[name], other[name]];
		if (!a || !b) return OPTIONAL.includes(name);
		return a[0] === b[0] || (a[1] !== undefined && a[1] === b[1]);
	};
	return [...new Set([...Object.keys(one), ...Object.keys(other)])].every(isSame);
}

export const toFact = (fact: unknown): Wish[string] => [fingerprint(fact), fingerprint(fact)];

/** @param read the item's values; missing if it has not been read, or cannot be */
export function toWish(run: NodeCall, itemIndex: number, read?: Reader): Wish {
	const { options = {}, ...parameters } = run.parameters;
	const wish: Wish = {};
	const add = (written: object, valueOf?: (name: string) => unknown) => {
		for (const [name, value] of Object.entries(written)) {
			if (NOT_WISHED.includes(name) || OF_TOOLS.includes(name)) continue;
			// How a value was chosen from a list, and how the editor shows it, changes nothing.
			const raw: unknown = isObject(value) && value.__rl ? value.value : value;
			wish[name] = [fingerprint([raw, inputsOf(run, itemIndex, raw)])];
			try {
				if (valueOf) wish[name].push(fingerprint(valueOf(name)));
			} catch {
				// It has no value here, such as a parameter of another version of the node.
			}
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

/** Matches fields that an expression reads by way of n8n's longer names, to the last of their names. */
const FAR_READS =
	/\$(?:input|\((?:'[^']{1,200}'|"[^"]{1,200}"|`[^`]{1,200}`)\))\.(?:item|first\(\)|last\(\))\.json(?:\.[A-Za-z_]\w*|\[['"][^'"\]]+['"]\]){1,9}(?![\w$(]|[^\0-\x7f])/g;

/**
 * Matches what else an expression may read of its item: a field by name, or anything (no name). A
 * method, as in `$json.keys()`, reads anything. n8n has `$fromAI` in three spellings.
 */
const READS =
	/\$json(?:\??\.([A-Za-z_]\w*)(?![\w$(]|[^\0-\x7f])|\[\s*['"]([^'"\]]+)['"]\s*\])?|\$from[Aa][Ii]\(\s*['"`]([\w-]+)|\$(?:input|item|binary|node|items|data|from[Aa][Ii]|\()/g;

/** Returns what the expressions in a parameter read of the incoming item. */
function inputsOf(
	{ items, context, forAgent }: NodeCall,
	itemIndex: number,
	raw: unknown,
): unknown {
	const expressions: string[] = [];
	mapTexts(raw, (text) => {
		if (isExpression(text)) expressions.push(text);
		return text;
	});
	if (expressions.length === 0) return undefined;
	// A failing item that comes back unchanged is the same wish.
	const fields: IDataObject = { ...items[itemIndex].json, error: undefined, toolCallId: undefined };
	if (forAgent) {
		// Some agents also pass on their own item, and n8n puts a new ID into each call.
		const { $json } = context.getWorkflowDataProxy(itemIndex) as { $json?: IDataObject };
		Object.assign(fields, $json, { toolCallId: undefined });
	}
	const far: unknown[] = [];
	const near = expressions.join('\n').replace(FAR_READS, (read) => {
		try {
			far.push(context.evaluateExpression(`{{ ${read} }}`, itemIndex));
			return '';
		} catch {
			return read;
		}
	});
	const names = [...near.matchAll(READS)].map(
		([, plain, quoted, fromAi]) => plain ?? quoted ?? fromAi,
	);
	if (names.length + far.length === 0) return undefined;
	if (names.some((name) => name === undefined)) return [fields, far];
	const query = isObject(fields.query) ? fields.query : {};
	return [names.map((name) => fields[name] ?? query[name]), far];
}

/** An agent's model may fill in the same values in another order. */
const inOrder = (_name: string, value: unknown) =>
	isObject(value)
		? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
		: value;

const fingerprint = (value: unknown) =>
	createHash('sha256')
		.update(JSON.stringify(value, inOrder) ?? '')
		.digest('hex')
		.slice(0, 12);
