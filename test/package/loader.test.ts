import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';

import { exists, read } from './support/files';
import { loadPackage, type LoadedPackage } from './support/loader';

const PACKAGE = 'n8n-nodes-video-generation';
const VIDEO = 'videoGenerationApi';
const TEXT = 'geminiCompatibleApi';

/** Names that people's workflows are saved with: final, once released. */
const NODES = [
	['generateContent', 'Generate Content', TEXT, ''],
	['videoDownload', 'Video Download', VIDEO, ' (by Task ID or URL)'],
	['videoGenerate', 'Video Generate', VIDEO, ''],
	['videoStatus', 'Video Status', VIDEO, ' (by Task ID)'],
];
/** Works on files alone: it asks no service, and an agent's tools get no files. */
const JOIN = 'videoJoin';
/** Hangs below an agent or a chain; it has no items, and is no tool. */
const MODEL = 'lmChatGeminiCompatible';
const CREDENTIALS = [
	[TEXT, 'Gemini-Compatible API', ['baseUrl', 'apiKey', 'keyLocation', 'headerName']],
	[VIDEO, 'Video Generation API', ['baseUrl', 'apiKey', 'allowPrivateAddresses']],
] as const;

let loaded: LoadedPackage;
beforeAll(async () => {
	loaded = await loadPackage();
});

const nodeOf = (name: string) => loaded.nodes.find((node) => node.name === name)!;
const credentialOf = (name: string) => loaded.credentials.find((entry) => entry.name === name)!;

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

it("n8n's loader finds six nodes and two credentials", () => {
	expect(loaded.packageName).toBe(PACKAGE);
	const names = [...NODES.map(([name]) => name), JOIN, MODEL].sort();
	expect(loaded.nodes.map(({ name }) => name).sort()).toEqual(names);
	const credentials = loaded.credentials.map(({ name }) => name).sort();
	expect(credentials).toEqual(CREDENTIALS.map(([name]) => name));
});

it('the model hangs below an agent or a chain, and is no tool', () => {
	const { usableAsTool, ...model } = nodeOf(MODEL);
	expect(usableAsTool).toBeUndefined();
	expect(model).toMatchObject({
		displayName: 'Gemini-Compatible Chat Model',
		defaults: { name: 'Gemini-Compatible Chat Model' },
		version: 1,
		inputs: [],
		outputs: ['ai_languageModel'],
		credentials: [{ name: TEXT, required: true }],
	});
});

it('Video Join needs no credential, and is no tool', () => {
	const { usableAsTool, credentials, ...join } = nodeOf(JOIN);
	expect([usableAsTool, credentials]).toEqual([undefined, undefined]);
	expect(join).toMatchObject({
		displayName: 'Video Join (Clips to One MP4)',
		...{ defaults: { name: 'Video Join' }, version: 1, inputs: ['main'], outputs: ['main'] },
	});
});

describe.each([...NODES.map(([name]) => name), JOIN, MODEL])('node %s', (name) => {
	it('has icons, and a codex that leads to pages of docs', () => {
		expectIcons(nodeOf(name));
		const { codex } = nodeOf(name);
		expect(codex?.alias?.length).toBeGreaterThan(3);
		const { primaryDocumentation, credentialDocumentation } = codex?.resources ?? {};
		expectPage(primaryDocumentation?.[0].url);
		if (nodeOf(name).credentials) expectPage(credentialDocumentation?.[0].url);
	});
});

/** The categories that n8n lists for community nodes. */
const CATEGORIES = [
	...['Analytics', 'Communication', 'Data & Storage', 'Development', 'Finance & Accounting'],
	...['Marketing & Content', 'Miscellaneous', 'Productivity', 'Sales', 'Utility'],
];

describe.each([...NODES.map(([name]) => name), JOIN])('node %s', (name) => {
	it('stands in categories that n8n lists, and in none of its own', () => {
		const { categories = [], subcategories } = nodeOf(name).codex ?? {};
		expect(categories.length).toBeGreaterThan(0);
		expect(categories.filter((category) => !CATEGORIES.includes(category))).toEqual([]);
		expect(subcategories).toBeUndefined();
	});

	it('has an output schema where n8n looks for it, in the form that the editor takes', () => {
		const { type, version, properties, required } = loaded.schemaOf(name, 1);
		expect({ type, version }).toEqual({ type: 'object', version: 1 });
		const fields = Object.keys(properties!);
		expect(fields.length).toBeGreaterThan(3);
		expect(required!.filter((field) => !fields.includes(field))).toEqual([]);
	});
});

describe.each(NODES)('node %s', (name, shortName, credential, more) => {
	it('is version 1, for people and for agents', () => {
		expect(nodeOf(name)).toMatchObject({
			displayName: `${shortName}${more}`,
			defaults: { name: shortName },
			version: 1,
			usableAsTool: true,
			credentials: [{ name: credential, required: true }],
		});
	});
});

it.each(CREDENTIALS)(
	'credential %s has its name, icons, fields, a test and a page, and hides the key',
	(name, displayName, fields) => {
		const credential = credentialOf(name);
		expectIcons(credential);
		expectPage(credential.documentationUrl);
		const key = credential.properties.find((field) => field.name === 'apiKey');
		expect(key?.typeOptions).toMatchObject({ password: true });
		expect(credential.displayName).toBe(displayName);
		expect(credential.properties.map((field) => field.name)).toEqual(fields);
		expect(credential.test?.request.url).toMatch(/^\/v1/);
	},
);
