import type { INodeProperties } from 'n8n-workflow';

import { loadPackage } from './support/loader';

/** The most that people read beside a field. */
const MAX_CHARS = 120;
const MAX_SENTENCES = 2;
const MAX_OPTIONS = 16;

/** Every field with its place: fields, options, rows and their values. */
function fieldsOf(place: string, fields: unknown): Array<[place: string, INodeProperties]> {
	if (!Array.isArray(fields)) return [];
	return (fields as INodeProperties[]).flatMap((field) => {
		const at = `${place} > ${field.displayName ?? field.name}`;
		const inner = field as unknown as Record<string, unknown>;
		const below = ['options', 'values', 'modes'].flatMap((name) => fieldsOf(at, inner[name]));
		return [[at, field], ...below];
	});
}

const load = async () => {
	const { nodes, credentials } = await loadPackage();
	return {
		nodes,
		fields: [...nodes, ...credentials].flatMap(({ displayName, properties }) =>
			fieldsOf(displayName, properties),
		),
	};
};

it('every description is read at a glance', async () => {
	const { nodes, fields } = await load();
	const hints = nodes.flatMap(({ displayName, hints: all = [] }) =>
		all.map(({ message }): [string, string] => [`${displayName} (hint)`, message]),
	);
	const told = fields.flatMap(([at, { description, hint }]) =>
		[description, hint].flatMap((text): Array<[string, string]> => (text ? [[at, text]] : [])),
	);
	const about = nodes.map((node): [string, string] => [node.displayName, node.description]);
	const isLong = ([, text]: [string, string]) =>
		text.length > MAX_CHARS || text.split(/[.?!](?:\s|$)/).filter(Boolean).length > MAX_SENTENCES;
	expect([...told, ...hints, ...about].filter(isLong)).toEqual([]);
});

it('no node has more options than fit on one screen, sorted by name', async () => {
	for (const { displayName, properties } of (await load()).nodes) {
		const { options = [] } = properties.find(({ type }) => type === 'collection') ?? {};
		const names = (options as INodeProperties[]).map((option) => option.displayName);
		expect([displayName, names.slice(MAX_OPTIONS)]).toEqual([displayName, []]);
		expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other)));
	}
});
