import type { INodeProperties } from 'n8n-workflow';

import { changesSince, readContract } from './support/contract';
import { loadPackage, type ItemSchema, type LoadedPackage } from './support/loader';

// Would contract.test.ts see a promise that is broken? The package, and a copy with one thing changed.

type Named = Array<{ name: string }>;
const named = <T extends { name: string }>(list: T[], name: string) =>
	list.find((one) => one.name === name)!;
const drop = (list: Named, name: string) => list.splice(list.indexOf(named(list, name)), 1);
const insideOf = (field: INodeProperties) => field.options as INodeProperties[];
const newField = (name: string, rest: Partial<INodeProperties> = {}): INodeProperties => ({
	...{ displayName: name, name, type: 'string', default: '' },
	...rest,
});
const clone = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T;

/** A copy of the package; fields, options and the schema of items are those of Video Generate. */
function changed(loaded: LoadedPackage, schema: ItemSchema) {
	const schemaOf = (name: string, version: number) =>
		name === 'videoGenerate' && version === 1 ? schema : loaded.schemaOf(name, version);
	const copy = { ...clone(loaded), schemaOf };
	const nodeOf = (name: string) => named(copy.nodes, name);
	const field = (name: string) => named(nodeOf('videoGenerate').properties, name);
	const option = (name: string) => named(insideOf(field('options')), name);
	return { copy, nodeOf, field, option, schema };
}

type Change = (it: ReturnType<typeof changed>) => unknown;

async function sentencesAbout(change: Change): Promise<string[]> {
	const loaded = await loadPackage();
	const it = changed(loaded, clone(loaded.schemaOf('videoGenerate', 1)));
	change(it);
	const released = readContract(loaded);
	return changesSince(released, readContract(it.copy, released));
}

it.each<[words: string, change: Change]>([
	['videoStatus v1: it is gone', ({ copy }) => drop(copy.nodes, 'videoStatus')],
	['no tool any more', ({ nodeOf }) => delete nodeOf('videoStatus').usableAsTool],
	['outputs with {} were', ({ nodeOf }) => (nodeOf('videoDownload').outputs = [])],
	['"options.seed" is gone', ({ option }) => (option('seed').name = 'seeds')],
	['default was 30, is 31', ({ option }) => (option('maxWait').default = 31)],
	['type was "string", is "json"', ({ field }) => (field('prompt').type = 'json')],
	['option "none" is gone', ({ field }) => insideOf(field('wait')).pop()],
	[
		'"who" is new and has to be filled in',
		({ nodeOf }) => nodeOf('videoStatus').properties.push(newField('who', { required: true })),
	],
	[
		'"prompt": it may be hidden',
		({ field }) => (field('prompt').displayOptions = { show: { simplify: [true] } }),
	],
	['field "status" of its items is gone', ({ schema }) => delete schema.properties!.status],
	['may be missing now', ({ schema }) => (schema.required = [])],
	['geminiCompatibleApi: it is gone', ({ copy }) => drop(copy.credentials, 'geminiCompatibleApi')],
])('sees that %s', async (words, change) => {
	expect(await sentencesAbout(change)).toContainEqual(expect.stringContaining(words));
});

it.each<[what: string, change: Change]>([
	[
		'a new version with a parameter in another form',
		({ nodeOf, field }) => {
			nodeOf('videoGenerate').version = [1, 2];
			field('wait').displayOptions = { show: { '@version': [1] } };
			const show = { '@version': [{ _cnd: { gte: 2 } }] };
			nodeOf('videoGenerate').properties.push({ ...field('wait'), displayOptions: { show } });
		},
	],
	[
		'additions and other words',
		({ nodeOf, field, schema }) => {
			nodeOf('videoDownload').outputs = ['main', 'main'];
			insideOf(field('wait')).push({ name: 'New', value: 'new' } as never);
			nodeOf('videoStatus').properties.push(newField('who'));
			schema.properties!.fps = { type: 'number' };
			Object.assign(field('prompt'), { displayName: 'Text', description: 'New' });
		},
	],
])('allows %s', async (_what, change) => {
	expect(await sentencesAbout(change)).toEqual([]);
});
