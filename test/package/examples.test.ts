import type { INode, INodeProperties, IWorkflowBase, NodeParameterValueType } from 'n8n-workflow';

import { list, read, readJson } from './support/files';
import { loadPackage, type LoadedPackage } from './support/loader';

const PACKAGE = 'n8n-nodes-video-generation';
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
/** n8n's own nodes. That they exist is tested by running the examples in a real n8n. */
const BUILT_IN = /^(n8n-nodes-base|@n8n\/n8n-nodes-langchain)\.\w+$/;

type Example = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections' | 'settings'>;

let loaded: LoadedPackage;
beforeAll(async () => {
	loaded = await loadPackage();
});

const files = list('examples').filter((file) => file.endsWith('.json'));
const isOurs = ({ type }: INode) => type.startsWith(`${PACKAGE}.`);
const toolDescription: INodeProperties = {
	displayName: 'Description',
	name: 'toolDescription',
	type: 'string',
	default: '',
};

/** The node's own description; below an agent n8n makes a type of its own of it, with a text more. */
function descriptionOf({ type }: INode) {
	const found = loaded.nodes.find(({ name }) => type.replace(/Tool$/, '') === `${PACKAGE}.${name}`);
	if (!found || !type.endsWith('Tool')) return found;
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

it('there are examples', () => expect(files.length).toBeGreaterThan(1));

describe.each(files)('%s', (file) => {
	const example = readJson<Example>(file);
	const { nodes, connections } = example;
	const steps = nodes.filter(({ type }) => type !== STICKY_NOTE);

	it('has a title and a sticky note with a heading', () => {
		expect(example.name).toMatch(/\w/);
		const notes = nodes.filter(({ type }) => type === STICKY_NOTE);
		expect(notes.length).toBeGreaterThan(0);
		for (const { parameters } of notes) expect(parameters.content).toMatch(/^## \w.*\n.*\w/s);
	});

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
