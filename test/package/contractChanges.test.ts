import type { INodeProperties } from 'n8n-workflow';

import { changesSince, readContract } from './support/contract';
import { loadPackage, type ItemSchema, type LoadedPackage } from './support/loader';

// Would contract.test.ts see a promise that is broken? The package, and a copy with one thing changed.

interface Changed {
	copy: LoadedPackage;
	nodeOf(name: string): LoadedPackage['nodes'][number];
	/** A parameter of Video Generate. */
	field(name: string): INodeProperties;
	/** One of the Options of Video Generate. */
	option(name: string): INodeProperties;
	/** The schema of the items of Video Generate. */
	schema: ItemSchema;
}

type Change = (changed: Changed) => unknown;

const named = <T extends { name: string }>(list: T[], name: string) =>
	list.find((one) => one.name === name)!;

const drop = (list: Array<{ name: string }>, name: string) =>
	list.splice(list.indexOf(named(list, name)), 1);

const insideOf = (field: INodeProperties) => field.options as INodeProperties[];

const newField = (name: string, rest: Partial<INodeProperties> = {}): INodeProperties => ({
	...{ displayName: name, name, type: 'string', default: '' },
	...rest,
});

const clone = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T;

async function sentencesAbout(change: Change): Promise<string[]> {
	const loaded = await loadPackage();
	const schema = clone(loaded.schemaOf('videoGenerate', 1));
	const schemaOf = (name: string, version: number) =>
		name === 'videoGenerate' && version === 1 ? schema : loaded.schemaOf(name, version);
	const copy = { ...clone(loaded), schemaOf };
	const nodeOf = (name: string) => named(copy.nodes, name);
	const field = (name: string) => named(nodeOf('videoGenerate').properties, name);
	const option = (name: string) => named(insideOf(field('options')), name);
	change({ copy, nodeOf, field, option, schema });
	const released = readContract(loaded);
	return changesSince(released, readContract(copy, released));
}

const sees = (name: string, change: Change, words: string) =>
	it(`sees ${name}`, async () => {
		expect(await sentencesAbout(change)).toContainEqual(expect.stringContaining(words));
	});

const allows = (name: string, change: Change) =>
	it(`allows ${name}`, async () => expect(await sentencesAbout(change)).toEqual([]));

sees('a lost node', ({ copy }) => drop(copy.nodes, 'videoStatus'), 'videoStatus v1: it is gone');
sees('a lost tool', ({ nodeOf }) => delete nodeOf('videoStatus').usableAsTool, 'no tool any more');
sees(
	'another order of outputs',
	({ nodeOf }) => {
		const status = nodeOf('videoStatus');
		const swap = (outputs: string) =>
			outputs.replace(/"Done"([^"]+"\w+"[^"]+)"Rendering"(?=[^\]]+Failed)/, '"Rendering"$1"Done"');
		status.outputs = swap(status.outputs as string) as typeof status.outputs;
	},
	'outputs with {"durableStep":"","routeByState":true} were',
);
sees('another name', ({ option }) => (option('seed').name = 'seeds'), '"options.seed" is gone');
sees('another default', ({ option }) => (option('maxWait').default = 31), 'default was 30, is 31');
sees(
	'another type',
	({ field }) => (field('prompt').type = 'json'),
	'type was "string", is "json"',
);
sees('a lost value', ({ field }) => insideOf(field('wait')).pop(), 'option "none" is gone');
sees(
	'a new field that has to be filled in',
	({ nodeOf }) => nodeOf('videoStatus').properties.push(newField('who', { required: true })),
	'"who" is new and has to be filled in',
);
sees(
	'one that is shown less often',
	({ field }) => (field('prompt').displayOptions = { show: { simplify: [true] } }),
	'"prompt": it may be hidden',
);
sees(
	'a lost field of items',
	({ schema }) => delete schema.properties!.status,
	'field "status" of its items is gone',
);
sees('one that may be missing', ({ schema }) => (schema.required = []), 'may be missing now');
sees(
	'a lost credential',
	({ copy }) => drop(copy.credentials, 'geminiCompatibleApi'),
	'geminiCompatibleApi: it is gone',
);
allows('a new version with a parameter in another form', ({ nodeOf, field }) => {
	nodeOf('videoGenerate').version = [1, 2];
	field('wait').displayOptions = { show: { '@version': [1] } };
	const show = { '@version': [{ _cnd: { gte: 2 } }] };
	nodeOf('videoGenerate').properties.push({ ...field('wait'), displayOptions: { show } });
});
allows('additions and other words', ({ nodeOf, field, schema, copy }) => {
	nodeOf('videoDownload').outputs = ['main', 'main'];
	insideOf(field('wait')).push({ name: 'New', value: 'new' } as never);
	nodeOf('videoStatus').properties.push(newField('who'));
	schema.properties!.fps = { type: 'number' };
	copy.credentials[0].properties.push(newField('region'));
	Object.assign(field('prompt'), { displayName: 'Text', description: 'New' });
});
