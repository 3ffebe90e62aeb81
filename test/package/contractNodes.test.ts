import { allows, drop, named, newField, sees } from './support/changedPackage';

describe('nodes', () => {
	sees('a lost node', ({ copy }) => drop(copy.nodes, 'videoStatus'), 'videoStatus v1: it is gone');
	sees('a lost version', ({ nodeOf }) => (nodeOf('videoStatus').version = [2]), 'v1: it is gone');
	sees(
		'a lost tool',
		({ nodeOf }) => delete nodeOf('videoStatus').usableAsTool,
		'no tool any more',
	);
	sees(
		'another order of outputs',
		({ nodeOf }) => {
			const status = nodeOf('videoStatus');
			const swap = (outputs: string) =>
				outputs.replace(
					/"Done"([^"]+"\w+"[^"]+)"Rendering"(?=[^\]]+Failed)/,
					'"Rendering"$1"Done"',
				);
			status.outputs = swap(status.outputs as string) as typeof status.outputs;
		},
		'outputs with {"durableStep":"","routeByState":true} were',
	);
	allows('a new version with a parameter in another form', ({ nodeOf, field }) => {
		nodeOf('videoGenerate').version = [1, 2];
		field('wait').displayOptions = { show: { '@version': [1] } };
		const form = {
			default: 'durable',
			displayOptions: { show: { '@version': [{ _cnd: { gte: 2 } }] } },
		};
		nodeOf('videoGenerate').properties.push({ ...field('wait'), ...form });
	});
	allows('a further output behind the others', ({ nodeOf }) => {
		nodeOf('videoDownload').outputs = ['main', 'main'];
	});
});

describe('fields of items', () => {
	const field = 'field "status" of its items';
	sees('a lost one', ({ schema }) => delete schema.properties!.status, `${field} is gone`);
	sees(
		'another type',
		({ schema }) => (schema.properties!.poll_count = { type: 'string' }),
		'type was "integer", is "string"',
	);
	sees(
		'a lost value',
		({ schema }) => (schema.properties!.status = { type: 'string', enum: ['SUCCESS'] }),
		`${field}: value "FAILURE" is gone`,
	);
	sees('one that may be missing', ({ schema }) => (schema.required = []), 'may be missing now');
	sees('a lost schema', ({ schema }) => delete schema.properties, `${field} is gone`);
	allows('a new one', ({ schema }) => (schema.properties!.fps = { type: 'number' }));
});

describe('credentials', () => {
	sees(
		'a lost one',
		({ copy }) => drop(copy.credentials, 'nativeTextApi'),
		'nativeTextApi: it is gone',
	);
	sees(
		'a lost field',
		({ copy }) => drop(named(copy.credentials, 'nativeTextApi').properties, 'headerName'),
		'"headerName" is gone',
	);
	sees(
		'another one in a node',
		({ nodeOf }) => (nodeOf('videoStatus').credentials = []),
		'credential videoGenerationApi is gone',
	);
	sees(
		'a further one that a node needs',
		({ nodeOf }) => nodeOf('videoStatus').credentials!.push({ name: 'other', required: true }),
		'credential other is required now',
	);
	allows('a new field', ({ copy }) => copy.credentials[0].properties.push(newField('region')));
});
