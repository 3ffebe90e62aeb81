import { allows, drop, insideOf, newField, sees } from './support/changedPackage';

// Would contract.test.ts see a promise that is broken?

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
	({ copy }) => drop(copy.credentials, 'nativeTextApi'),
	'nativeTextApi: it is gone',
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
