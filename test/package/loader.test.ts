import {
	type ICredentialType,
	type INode,
	type INodeProperties,
	type INodeTypeDescription,
	type INodeTypes,
	NodeHelpers,
	Workflow,
} from 'n8n-workflow';

import { exists, nodeClasses, read } from './support/files';
import { loadPackage, type LoadedPackage } from './support/loader';

const PACKAGE = 'n8n-nodes-video-generation';
const NODES = nodeClasses().map((name) => name[0].toLowerCase() + name.slice(1));
const CREDENTIALS = ['geminiCompatibleApi', 'videoGenerationApi'];

let loaded: LoadedPackage;
beforeAll(async () => {
	loaded = await loadPackage();
});

const nodeOf = (name: string) => loaded.nodes.find((node) => node.name === name)!;

function expectIcons({ iconUrl }: INodeTypeDescription | ICredentialType) {
	const { light, dark } = iconUrl as { light: string; dark: string };
	expect(light).not.toBe(dark);
	// n8n serves them under `icons/<package>/`; behind it stands a path of the package.
	for (const url of [light, dark]) {
		expect(read(url.replace(`icons/${PACKAGE}/`, ''))).toMatch(/^<svg[\s>]/);
	}
}

const REPOSITORY = `https://github.com/${PACKAGE}/${PACKAGE}/blob/main/`;

function expectPage(url: string | undefined) {
	expect(url?.slice(0, REPOSITORY.length)).toBe(REPOSITORY);
	expect([url, exists(url!.slice(REPOSITORY.length))]).toEqual([url, true]);
}

// What workflows are saved with is in the contract.
it("n8n's loader finds all nodes and two credentials", () => {
	expect(loaded.packageName).toBe(PACKAGE);
	expect(loaded.nodes.map(({ name }) => name).sort()).toEqual(NODES);
	expect(loaded.credentials.map(({ name }) => name).sort()).toEqual(CREDENTIALS);
});

it.each([
	['routes by state', {}, ['Done', 'Rendering', 'Failed']],
	['has one output', { routeByState: false }, [undefined]],
	['is a step of Durable', { durableStep: 'check' }, ['Next', 'Again']],
])('Video Status %s', (_what, parameters, names) => {
	const [type, description] = ['videoStatus', nodeOf('videoStatus')];
	const node: INode = {
		...{ id: '1', name: 'Status', type, typeVersion: 1, position: [0, 0], parameters },
	};
	const nodeTypes = { getByNameAndVersion: () => ({ description }) } as unknown as INodeTypes;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const outputs = NodeHelpers.getNodeOutputs(workflow, node, description);
	expect(outputs.map((output) => (output as { displayName?: string }).displayName)).toEqual(names);
});

describe.each(NODES)('node %s', (name) => {
	it('has icons, and a codex that leads to pages of docs', () => {
		expectIcons(nodeOf(name));
		const { codex } = nodeOf(name);
		expect(codex?.subcategories).toBeUndefined();
		const { primaryDocumentation, credentialDocumentation } = codex?.resources ?? {};
		expectPage(primaryDocumentation?.[0].url);
		if (nodeOf(name).credentials) expectPage(credentialDocumentation?.[0].url);
	});
});

it('each number field has a lower limit, except seeds', () => {
	const numbersOf = (fields: INodeProperties[]): INodeProperties[] =>
		fields.flatMap((field) => [
			...(field.type === 'number' && field.name !== 'seed' ? [field] : []),
			...numbersOf((field.options ?? []).filter((one): one is INodeProperties => 'type' in one)),
			...(field.options ?? []).flatMap((one) => ('values' in one ? numbersOf(one.values) : [])),
		]);
	const numbers = loaded.nodes.flatMap(({ properties }) => numbersOf(properties));
	expect(numbers).not.toEqual([]);
	const open = numbers.filter(({ typeOptions }) => typeOptions?.minValue === undefined);
	expect(open.map(({ name }) => name)).toEqual([]);
});

it.each(CREDENTIALS)('credential %s has icons, a page and a test, and hides the key', (name) => {
	const credential = loaded.credentials.find((entry) => entry.name === name)!;
	expectIcons(credential);
	expectPage(credential.documentationUrl);
	const key = credential.properties.find((field) => field.name === 'apiKey');
	expect(key?.typeOptions).toMatchObject({ password: true });
	// Of the nodes that use it, n8n asks the first one that it has loaded.
	const testers = loaded.nodes.flatMap(({ credentials = [] }) =>
		credentials.flatMap((used) => (used.name === name ? [used.testedBy] : [])),
	);
	const kind = name === 'videoGenerationApi' ? 'Video' : 'Text';
	expect(new Set(testers)).toEqual(new Set([`test${kind}Credential`]));
});
