import type { IDataObject } from 'n8n-workflow';

// What n8n's expressions look like, and what they read.

export const CHECK_EXPRESSION =
	'If it is an expression, check that the incoming item has the field it refers to.';

export const isExpression = (written: unknown): boolean =>
	typeof written === 'string' && written.startsWith('=');

/** Returns the code between braces in an expression, as n8n finds it. */
export const partsOf = (text: string): string[] =>
	text
		.split(/(?<!\\)\{\{/)
		.slice(1)
		.flatMap((piece) => {
			const [part, ...rest] = piece.split(/(?<!\\)\}\}/);
			return rest.length > 0 ? [part] : [];
		});

/** Returns an expression with something else in place of each part and its braces. */
export const replaceParts = (text: string, toText: (part: string, index: number) => string) =>
	partsOf(text).reduce((rest, part, i) => rest.replace(`{{${part}}}`, () => toText(part, i)), text);

const QUOTED = '\'[^\']{1,200}\'|"[^"]{1,200}"|`[^`]{1,200}`';
const NAME = '[\\p{ID_Start}_$][\\p{ID_Continue}$]*';
const ITEM_OF = '(?:item|first\\(\\)|last\\(\\)|all\\(\\)\\[\\d+\\]|itemMatching\\(\\d+\\))';
/** The fields of an item, by any way to it. */
const JSON_OF_ITEM = `\\$(?:json\\b|(?:input|\\((?:${QUOTED})\\))\\.${ITEM_OF}\\.json\\b|node(?:\\.\\w+|\\[(?:${QUOTED})\\])\\.json\\b)`;
const STEP = `(?:\\??\\.${NAME}|(?:\\?\\.)?\\[\\s*(?:${QUOTED}|\\d+)\\s*\\])`;

/** Matches a reference to a field of an item, to the last name of its path; a method is no name. */
const FIELD = new RegExp(`${JSON_OF_ITEM}${STEP}{1,20}(?![\\p{ID_Continue}$(])`, 'gu');
/** Matches what reads an item or a variable, in a text that n8n leaves as it is; in quotation marks, it may be meant. */
const REFERENCE = new RegExp(
	`(?:${JSON_OF_ITEM}|\\$(?:input|item|vars)\\.${NAME})(?!["'\`])${STEP}{0,20}`,
	'u',
);
/**
 * Matches what else reads an item: what an agent fills in, by name, or anything (no name). A method, as
 * in `$json.keys()`, reads anything. n8n has `$fromAI` in three spellings.
 */
const OTHER_READS =
	/\$from[Aa][Ii]\(\s*['"`]([\w-]+)|\$(?:(?:json|input|items?|binary|node|data|from[Aa][Ii])\b|\()/g;

/** Returns what code reads of items. */
export function findReads(code: string) {
	const others = [...code.replace(FIELD, '').matchAll(OTHER_READS)].map(([, name]) => name);
	return {
		/** References to fields, such as `$json.a['b c'][0]`. */
		references: code.match(FIELD) ?? [],
		/** The names of what an agent fills in. */
		filledIn: others.filter((name) => name !== undefined),
		/** It may read any field. */
		readsAny: others.some((name) => name === undefined),
	};
}

/** Returns the first reference in a text. */
export const findReference = (text: string): string | undefined => REFERENCE.exec(text)?.[0];

/** Returns the names that a path such as `shots[0].id` or `$json?.a['b c']` goes through. */
export const toSteps = (path: string): string[] =>
	[...path.matchAll(/\[\s*(?:(['"`])(.*?)\1|(.*?))\s*\]|[^.[?]+/g)].map(
		([step, , quoted, bare]) => quoted ?? bare ?? step,
	);

/** Returns what steps lead to. */
export const valueAt = (json: IDataObject, steps: string[]): unknown =>
	steps.reduce<unknown>((value, name) => (value as IDataObject | null | undefined)?.[name], json);
