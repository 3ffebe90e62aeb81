import type { INode, INodeProperties, NodeParameterValueType } from 'n8n-workflow';

import { exampleFiles, isNote, isOurs, isToolNode, ownName, readExample } from './support/examples';
import { read } from './support/files';
import { loadPackage, type LoadedPackage } from './support/loader';

/** n8n's own nodes. That they exist is tested by running the examples in a real n8n. */
const BUILT_IN = /^(n8n-nodes-base|@n8n\/n8n-nodes-langchain)\.\w+$/;

let loaded: LoadedPackage;
beforeAll(async () => {
	loaded = await loadPackage();
});

/** Below an agent n8n makes a type of its own of a node, with a text for the model. */
const toolDescription: INodeProperties = {
	displayName: 'Description',
	name: 'toolDescription',
	type: 'string',
	default: '',
};

function descriptionOf(node: INode) {
	const found = isOurs(node) && loaded.nodes.find(({ name }) => name === ownName(node));
	if (!found || !isToolNode(node)) return found || undefined;
	return { ...found, properties: [...found.properties, toolDescription] };
}

/** Everything in `values` that the fields do not have: unknown names, values that are no choice. */
function strangers(values: object, fields: INodeProperties[], place = ''): string[] {
	return Object.entries(values).flatMap(([name, value]) => {
		const known = fields.filter((field) => field.name === name);
		const path = `${place}${name}`;
		if (known.length === 0) return [path];
		return known.some((field) => fits(value, field, path).length === 0)
			? []
			: fits(value, known[0], path);
	});
}

const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');

function fits(value: NodeParameterValueType, field: INodeProperties, path: string): string[] {
	if (isExpression(value)) return [];
	if (field.type === 'collection') {
		return strangers(value as object, field.options as INodeProperties[], `${path}.`);
	}
	if (field.type === 'options') {
		const choices = (field.options ?? []).map((option) => 'value' in option && option.value);
		return choices.includes(value as string) ? [] : [`${path}=${String(value)}`];
	}
	if (field.type === 'resourceLocator') {
		const { mode } = value as { mode: string };
		return field.modes?.some(({ name }) => name === mode) ? [] : [`${path}.mode=${mode}`];
	}
	const wanted = { boolean: 'boolean', number: 'number', string: 'string', json: 'string' }[
		field.type as 'boolean'
	];
	return wanted === undefined || typeof value === wanted ? [] : [`${path} is no ${field.type}`];
}

it('there are examples', () => expect(exampleFiles.length).toBeGreaterThan(1));

describe.each(exampleFiles)('%s', (file) => {
	const example = readExample(file);
	const { nodes, connections } = example;
	const steps = nodes.filter((node) => !isNote(node));

	it('has a title', () => expect(example.name).toMatch(/\w/));

	it('has nodes that n8n or this package has', () => {
		const strange = nodes.filter((node) => !BUILT_IN.test(node.type) && !descriptionOf(node));
		expect(strange.map(({ type }) => type)).toEqual([]);
		expect(nodes.filter(isOurs).length).toBeGreaterThan(0);
	});

	it('sets only parameters that our nodes have, to values that they take', () => {
		for (const node of nodes.filter(isOurs)) {
			const { properties, version } = descriptionOf(node)!;
			expect([node.name, strangers(node.parameters, properties)]).toEqual([node.name, []]);
			expect(node.typeVersion).toBe(version);
		}
	});

	it('fills in what our nodes require', () => {
		for (const node of nodes.filter(isOurs)) {
			const { properties } = descriptionOf(node)!;
			const required = properties.filter(
				(field) => field.required && !field.displayOptions && field.default === '',
			);
			const empty = required.filter(({ name }) => !node.parameters[name]);
			expect([node.name, empty.map(({ name }) => name)]).toEqual([node.name, []]);
		}
	});

	it('holds no ids, credentials or pinned data of whoever drew it', () => {
		expect(Object.keys(example).sort()).toEqual(['connections', 'name', 'nodes', 'settings']);
		for (const node of nodes) {
			const own = ['id', 'credentials', 'webhookId'].filter((field) => field in node);
			expect([node.name, own]).toEqual([node.name, []]);
		}
		expect(read(file)).not.toMatch(/instanceId|task_[0-9a-f]{8,}|127\.0\.0\.1|localhost/);
	});

	it('connects every step, by names that exist once', () => {
		const names = steps.map(({ name }) => name);
		expect(new Set(nodes.map(({ name }) => name)).size).toBe(nodes.length);
		const targets = Object.values(connections)
			.flatMap((byType) => Object.values(byType).flat())
			.flatMap((links) => (links ?? []).map((link) => link.node));
		expect(
			[...Object.keys(connections), ...targets].filter((name) => !names.includes(name)),
		).toEqual([]);
		const linked = new Set([...Object.keys(connections), ...targets]);
		expect(names.filter((name) => !linked.has(name))).toEqual([]);
		expect(example.settings).toMatchObject({ executionOrder: 'v1' });
	});
});
