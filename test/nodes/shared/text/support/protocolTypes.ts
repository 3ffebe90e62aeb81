import { read } from '../../../../package/support/files';

/** Where a request begins in Google's own client, which has the fields of two services. */
const ROOTS = ['Content', 'GenerateContentConfig', 'GenerationConfig', 'Tool', 'ToolConfig'];

/** What the client keeps to itself. */
const OF_CLIENT = new Set(['abortSignal', 'automaticFunctionCalling', 'httpOptions']);

const HAS_ANY_NAMES = /\bRecord<|\bunknown\b|\bSchema(Union)?\b/;
const namesOf = (type: string): string[] => type.match(/\b[A-Z]\w+/g) ?? [];

/**
 * The fields of a request, as the types of the client have them: those of more than one word, and
 * those in which stand names that are no field's. Schemas are not entered: their names are people's.
 */
export function readProtocol(): { fields: string[]; ofPeople: string[] } {
	const types = read('node_modules/@google/genai/dist/genai.d.ts').replace(/\r/g, '');
	const shapes = new Map<string, string>();
	for (const [, name, body] of types.matchAll(
		/^export declare (?:interface|class) (\w+)[^{\n]*\{\n([\s\S]*?)^\}/gm,
	)) {
		shapes.set(name, body);
	}
	for (const [, name, type] of types.matchAll(/^export declare type (\w+) = (.+);$/gm)) {
		shapes.set(name, `    is: ${type};`);
	}
	const fields = new Set<string>();
	const ofPeople = new Set<string>();
	const seen = new Set(['Schema']);
	const open = [...ROOTS];
	for (let shape = open.pop(); shape; shape = open.pop()) {
		if (seen.has(shape)) continue;
		seen.add(shape);
		for (const [, name, type] of shapes.get(shape)?.matchAll(/^ {4}(\w+)\??: (.+);$/gm) ?? []) {
			if (OF_CLIENT.has(name)) continue;
			if (/[A-Z]/.test(name)) fields.add(name);
			if (name !== 'is' && HAS_ANY_NAMES.test(type)) ofPeople.add(name);
			open.push(...namesOf(type));
		}
	}
	return { fields: [...fields].sort(), ofPeople: [...ofPeople].sort() };
}
