import { MAX_PARTS, readModel } from '../../../../nodes/shared/models/readSchema';
import {
	answerOfFal,
	answerOfKie,
	answerOfReplicate,
	type Fields,
	ofFal,
	ofKie,
	oneOf,
	orNull,
	readAt,
} from './support/answers';

/** Returns the only field of a model of fal, without what is `undefined`. */
const read = (field: object, schemas?: object) => {
	const { inputs } = ofFal('ours', { it: field }, schemas);
	return JSON.parse(JSON.stringify(inputs[0])) as object;
};
const plain = { name: 'it', isList: false, required: false };
const ENUM = { enum: ['a', 'b'], type: 'string' };
const File = { type: 'object', properties: { url: {} } };
const itself = { allOf: [{ $ref: '#/components/schemas/Itself' }] };

it.each<[string, object, object]>([
	['a text', { type: 'string', default: 'a' }, { type: 'string', default: 'a' }],
	[
		'a range',
		{ type: 'integer', minimum: 2, maximum: 9 },
		{ type: 'integer', minimum: 2, maximum: 9 },
	],
	['an enum', ENUM, { type: 'string', list: ['a', 'b'] }],
	['a const', { const: 5 }, { list: [5] }],
	['$ref', { $ref: '#/components/schemas/Enum' }, { type: 'string', list: ['a', 'b'] }],
	[
		'allOf beside a default, as Replicate writes it',
		{ allOf: [{ $ref: '#/components/schemas/Enum' }], default: 'b', 'x-order': 1 },
		{ type: 'string', list: ['a', 'b'], default: 'b' },
	],
	['null as default', { type: 'integer', nullable: true, default: null }, { type: 'integer' }],
	['null in anyOf', orNull({ type: 'integer' }), { type: 'integer' }],
	[
		'null in type and enum',
		{ type: ['string', 'null'], enum: ['a', null] },
		{ type: 'string', list: ['a'] },
	],
	[
		'an object or a range',
		{ anyOf: [File, { type: 'integer', maximum: 9 }] },
		{ type: 'integer', maximum: 9, orObject: true },
	],
	[
		'an object or an enum',
		{ anyOf: [File, ENUM] },
		{ type: 'string', list: ['a', 'b'], orObject: true },
	],
	[
		'a list of values of an enum',
		{ type: 'array', items: ENUM },
		{ isList: true, type: 'string', list: ['a', 'b'] },
	],
	[
		'described, on one line',
		{ type: 'string', description: `Of the\nvoice ${'x '.repeat(200)}` },
		{ type: 'string', description: `Of the voice ${'x '.repeat(92)}x...` },
	],
	[
		'two enums',
		{ anyOf: [{ const: 'auto' }, { type: 'integer', enum: [4] }] },
		{ list: ['auto', 4] },
	],
	['an enum or any text', { anyOf: [ENUM, { type: 'string' }] }, { type: 'string' }],
	['a text or a number', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, {}],
	[
		'a list',
		{ type: 'array', items: { type: 'string' }, maxItems: 2 },
		{ isList: true, type: 'string', maxItems: 2 },
	],
	[
		'a list of objects',
		{ type: 'array', items: { $ref: '#/components/schemas/File' } },
		{ isList: true, type: 'object' },
	],
	['what refers to itself', { $ref: '#/components/schemas/Itself' }, {}],
	['what refers to nothing', { $ref: '#/components/schemas/Lost' }, {}],
])('a field can be %s', (_name, field, wanted) => {
	const schemas = { Enum: { ...ENUM, title: 'Enum' }, File, Itself: itself };
	expect(read(field, schemas)).toEqual({ ...plain, ...wanted });
});

it('200 fields with 20 values each are read', () => {
	const values = Array.from({ length: 20 }, (_one, i) => `value ${i}`);
	const field = { ...orNull(oneOf(...values)), title: 'It', description: 'It', default: 'value 1' };
	const names = Array.from({ length: 200 }, (_one, i) => `field${i}*`);
	const model = ofFal('ours', Object.fromEntries(names.map((name) => [name, field])));
	expect(model).not.toHaveProperty('isTooLarge');
	expect(model.inputs).toHaveLength(200);
	expect(model.inputs[199]).toMatchObject({ list: values, required: true });
});

it.each(['anyOf', 'oneOf', 'allOf'])(
	'what refers to itself in %s is read up to a bound',
	(name) => {
		let reads = 0;
		const document = {
			get itself() {
				reads++;
				return { [name]: Array(8).fill({ $ref: '#/itself' }) };
			},
		};
		const model = readModel('ours', { input: { properties: { it: document.itself } }, document });
		expect(model).toHaveProperty('isTooLarge', true);
		expect(reads).toBeLessThan(MAX_PARTS);
	},
);

it('a list that is too long is neither read nor counted again', () => {
	let counted = 0;
	const ownKeys = (list: object) => {
		counted++;
		return Reflect.ownKeys(list);
	};
	const allOf = new Proxy(new Array(200_000).fill({}), { ownKeys });
	const properties = { a: { $ref: '#/it' }, b: { $ref: '#/it' }, c: { $ref: '#/it' } };
	const model = readModel('ours', { input: { properties }, document: { it: { allOf } } });
	expect(model).toHaveProperty('isTooLarge', true);
	expect(counted).toBe(1);
});

const FIELDS = { 'prompt*': { type: 'string' }, image: { type: 'string', deprecated: true } };
const FIELDS_OF: Record<string, Fields> = { ours: FIELDS, other: { image: {} } };
const PROMPT = [{ name: 'prompt', type: 'string', isList: false, required: true }];

it.each<[string, unknown]>([
	['fal', { models: ['other', 'ours'].flatMap((id) => answerOfFal(id, FIELDS_OF[id]).models) }],
	['replicate', answerOfReplicate(FIELDS)],
	// Two pages of kie show a schema that names another model.
	[
		'kie',
		answerOfKie({ properties: { prompt: { type: 'string' } }, required: ['prompt'] }, 'other'),
	],
])('reads the answer of %s, without what is deprecated', (service, answer) => {
	expect(JSON.parse(JSON.stringify(readAt(service, 'ours', answer)))).toEqual({
		id: 'ours',
		inputs: PROMPT,
	});
});

it.each([
	['one set', { required: ['a', 'b'] }, [['a', 'b']]],
	[
		'several sets',
		{ anyOf: [{ required: ['a', 'b'] }, { required: ['c', 'd'] }] },
		[
			['a', 'b'],
			['c', 'd'],
		],
	],
	['a field that is not taken at all', { required: ['a'] }, undefined],
	['something else', { anyOf: [{ type: 'string' }] }, undefined],
	['nothing', undefined, undefined],
])('reads what excludes each other: %s', (_what, not, apart) => {
	expect(readModel('ours', { input: { properties: { a: ENUM }, not } })?.apart).toEqual(apart);
});

it('reads a name of kie that ends in a space', () => {
	const { inputs } = ofKie('ours', { 'image_urls ': { type: 'array' } });
	expect(inputs).toMatchObject([{ name: 'image_urls', isList: true }]);
});

it('unites the sets of fields of a model', () => {
	const text = { type: 'string' };
	const images = (maxItems: number) => ({ type: 'array', items: text, maxItems });
	const form = (properties: object, ...required: string[]) => ({
		...{ type: 'object', required, properties: { prompt: text, ...properties } },
	});
	const forms = [
		form(
			{ image_urls: images(7), ratio: { enum: ['16:9'] }, audio: { type: 'boolean' } },
			'prompt',
		),
		form(
			{ image_urls: images(4), ratio: { const: 'auto' }, audio: { const: false } },
			'prompt',
			'ratio',
		),
		form({ videos: { type: 'array' }, images: images(1) }, 'prompt'),
		form({ videos: images(1) }, 'prompt'),
	];
	const inputs = readAt('kie', 'ours', answerOfKie({ oneOf: forms }))?.inputs;
	expect(JSON.parse(JSON.stringify(inputs))).toEqual([
		{ name: 'prompt', type: 'string', isList: false, required: true },
		{ name: 'image_urls', type: 'string', isList: true, maxItems: 7, required: false },
		{ name: 'ratio', isList: false, list: ['16:9', 'auto'], required: false },
		{ name: 'audio', type: 'boolean', isList: false, required: false },
		{ name: 'videos', type: 'string', isList: true, required: false },
		{ name: 'images', type: 'string', isList: true, maxItems: 1, required: false },
	]);
});

it.each<[string, string, unknown]>([
	['no task model', 'kie', { code: 200, data: { openapi: { paths: { '/api/v1/chat': {} } } } }],
	['no schema', 'fal', { models: [{ endpoint_id: 'ours', openapi: { error: {} } }] }],
	['no version', 'replicate', { latest_version: null }],
	['an error', 'kie', { code: 429, msg: 'Too fast', data: null }],
	['a page', 'fal', '<html>'],
])('reads no model from %s', (_name, service, answer) => {
	expect(readAt(service, 'ours', answer)).toBeUndefined();
});
