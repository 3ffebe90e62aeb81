import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';

/** An object of an answer, and where in it. */
export interface Found {
	object: IDataObject;
	/** How many objects and lists are around it. */
	depth: number;
	/** All that is around it are envelopes. */
	isWrapped: boolean;
	/** It is about a user, a model or the like, and so is its `id`. */
	isOthers: boolean;
}

/** No deployment wraps records deeper; a hostile answer may. */
const MAX_DEPTH = 32;

const ENVELOPES =
	/^(body|content|data|generation|item|job|output|payload|record|response|result|task|video)s?$/i;

/** What went wrong, what was asked for, and the tasks before this one. */
const ELSEWHERE = toWords(
	...['err', 'error', 'input', 'option', 'param', 'parameter', 'prompt', 'req', 'request'],
	...['origin', 'original', 'parent', 'previous', 'reference', 'remix', 'remixed', 'source'],
);

export const OTHERS = toWords(
	...['account', 'author', 'channel', 'chat', 'client', 'conversation', 'creator', 'customer'],
	...['group', 'key', 'member', 'plan', 'subscription', 'thread'],
	...['model', 'org', 'organization', 'owner', 'platform', 'project', 'provider', 'session'],
	...['team', 'tenant', 'token', 'user', 'vendor', 'workspace'],
	...['billing', 'image', 'log', 'message', 'meta', 'metadata', 'node', 'order', 'price'],
	...['properties', 'quota', 'region', 'server', 'span', 'trace', 'usage', 'webhook', 'worker'],
);

/** Finds one of the words in a name, in whatever spelling: `user`, `users`, `userInfo`. */
function toWords(...words: string[]): { test: (name: unknown) => boolean } {
	const pattern = new RegExp(`(?:^|[^a-z])(?:${words.join('|')})s?(?![a-z])`);
	const inSnakeCase = (name: string) => name.replace(/([a-z])(?=[A-Z])/g, '$1_').toLowerCase();
	return { test: (name) => typeof name === 'string' && pattern.test(inSnakeCase(name)) };
}

/** All objects of an answer that may tell of its task, the outer ones first. Never throws. */
export function findObjects(answer: unknown): Found[] {
	const found: Found[] = [];
	let level: Place[] = [{ value: answer, isWrapped: true, isOthers: false }];
	for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
		const next: Place[] = [];
		for (const { value, isWrapped, isOthers } of level) {
			if (isObject(value)) found.push({ object: value, depth, isWrapped, isOthers });
			for (const [name, inner] of entriesOf(value)) {
				if (typeof inner !== 'object' || inner === null || ELSEWHERE.test(name)) continue;
				next.push({
					value: inner,
					isWrapped: isWrapped && (name === undefined || ENVELOPES.test(name)),
					isOthers: isOthers || OTHERS.test(name),
				});
			}
		}
		level = next;
	}
	return found;
}

type Place = Pick<Found, 'isWrapped' | 'isOthers'> & { value: unknown };

/** What is inside, by name; the elements of a list have none. */
function entriesOf(value: unknown): Array<[string | undefined, unknown]> {
	if (Array.isArray(value)) return value.map((element) => [undefined, element]);
	return isObject(value) ? Object.entries(value) : [];
}
