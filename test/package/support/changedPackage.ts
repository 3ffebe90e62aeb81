import type { INodeProperties } from 'n8n-workflow';

import { changesSince, readContract } from './contract';
import { loadPackage, type ItemSchema, type LoadedPackage } from './loader';

// Would contract.test.ts see it? The package as it is, and a copy of it with one thing changed.

interface Changed {
	copy: LoadedPackage;
	nodeOf(name: string): LoadedPackage['nodes'][number];
	/** A parameter of Video Generate, unless another node is named. */
	field(name: string, nodeName?: string): INodeProperties;
	/** One of the Options of Video Generate. */
	option(name: string): INodeProperties;
	/** The schema of the items of Video Generate. */
	schema: ItemSchema;
}

type Change = (changed: Changed) => unknown;

const named = <T extends { name: string }>(list: T[], name: string) =>
	list.find((one) => one.name === name)!;

export const drop = (list: Array<{ name: string }>, name: string) =>
	list.splice(list.indexOf(named(list, name)), 1);

export const insideOf = (field: INodeProperties) => field.options as INodeProperties[];

export const newField = (name: string, rest: Partial<INodeProperties> = {}): INodeProperties => ({
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
	const field = (name: string, nodeName = 'videoGenerate') =>
		named(nodeOf(nodeName).properties, name);
	const option = (name: string) => named(insideOf(field('options')), name);
	change({ copy, nodeOf, field, option, schema });
	const released = readContract(loaded);
	return changesSince(released, readContract(copy, released));
}

/** A test that the change leads to a sentence that holds `words`. */
export const sees = (name: string, change: Change, words: string) =>
	it(`sees ${name}`, async () => {
		expect(await sentencesAbout(change)).toContainEqual(expect.stringContaining(words));
	});

/** A test that nothing is said about the change. */
export const allows = (name: string, change: Change) =>
	it(`allows ${name}`, async () => expect(await sentencesAbout(change)).toEqual([]));
