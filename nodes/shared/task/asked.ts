import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { isObject, mapTexts, toCanonicalJson } from '../lib/json';
import type { Reader } from '../n8n/reader';
import type { Run } from '../n8n/run';

/**
 * What a job asks for, by hashes: of each parameter as it was typed and, once the item is read, as it was
 * read. So an expression that gives a time or a random number asks for the same at each try, and so does
 * another expression with the same value.
 */
export interface Asked {
	/** Of the request as it is sent, without a seed; missing until it is written. */
	request?: string;
	parameters: Record<string, [typed: string, read?: string]>;
	/** Of the incoming item, without the `error` of an earlier try. */
	input: string;
}

/**
 * Parameters and options that say how to wait and what to do afterwards, not what to render: a retry
 * with another value of these picks up the paid video. docs/dev/changing.md says when to add a name.
 */
export const NOT_ASKED = [
	...['wait', 'downloadVideo', 'binaryProperty', 'cost', 'fileName', 'leaveOutInputFields'],
	...['link', 'maxWait', 'polling', 'rawResponse'],
];
/** What n8n adds to a node that is a tool. */
const OF_TOOLS = ['descriptionType', 'toolDescription'];
/** What an agent has filled in, beside the parameters. */
const FILLED_IN = '$fromAI';

/** @param read missing if the item has not been read, or cannot be */
export function toAsked(run: Run, itemIndex: number, read?: Reader): Asked {
	const { options = {}, ...rest } = run.parameters;
	const parameters: Asked['parameters'] = {};
	const add = (written: object, valueOf?: (name: string) => unknown) => {
		for (const [name, value] of Object.entries(written)) {
			if (NOT_ASKED.includes(name) || OF_TOOLS.includes(name)) continue;
			// How a value was chosen from a list, and how the editor shows it, changes nothing.
			const typed: unknown = isObject(value) && value.__rl ? value.value : value;
			parameters[name] = [toHash(typed), ...readHash(name, valueOf)];
		}
	};
	add(rest, read?.value);
	// All options may be one expression.
	if (isObject(options)) add(options, read?.options.value);
	else add({ options });
	if (run.forAgent) {
		// n8n puts a new ID into each call.
		const filledIn = { ...run.items[itemIndex].json, toolCallId: undefined };
		parameters[FILLED_IN] = [toHash(filledIn)];
	}
	return { parameters, input: toHash({ ...run.items[itemIndex].json, error: undefined }) };
}

/** Returns none for a value that nobody has read, or that has no place here. */
function readHash(name: string, valueOf?: (name: string) => unknown): [] | [string] {
	try {
		return valueOf ? [toHash(valueOf(name))] : [];
	} catch {
		return [];
	}
}

/** A longer text counts by its beginning and its length: a picture of 10 MB takes 0.4 s to hash. */
const LONG_CHARS = 10_000;

/** Returns what tells a request from others, whatever its seed. */
export const toRequestHash = (request: IDataObject): string =>
	toHash(
		mapTexts(request, (text) =>
			text.length > LONG_CHARS ? `${text.slice(0, LONG_CHARS)} ${text.length}` : text,
		),
		(name) => !/^seed$/i.test(name),
	);

/** An agent's model may fill in the same values in another order. */
const toHash = (value: unknown, counts?: (name: string) => boolean): string =>
	createHash('sha256').update(toCanonicalJson(value, counts)).digest('hex').slice(0, 12);

/** Returns whether two jobs ask for the same video: by the request, or by all parameters. */
export function isSameAsked(one: Asked, other: Asked): boolean {
	if (one.request !== undefined && one.request === other.request) return true;
	const names = new Set([one, other].flatMap(({ parameters }) => Object.keys(parameters)));
	return [...names].every((name) => {
		const [[typed, read] = [], [otherTyped, otherRead] = []] = [
			one.parameters[name],
			other.parameters[name],
		];
		return typed === otherTyped || (read !== undefined && read === otherRead);
	});
}
