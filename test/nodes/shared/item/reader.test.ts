import type { INodeProperties } from 'n8n-workflow';

import { createReader, type Reader } from '../../../../nodes/shared/item/reader';
import { makeRun } from '../../../support/makeRun';

const field = (type: string, more: object = {}) =>
	({ displayName: 'The Field', name: 'x', type, default: '', ...more }) as INodeProperties;

/** Reads the value as a parameter of the node and as one of its options: there is no difference. */
function read<T>(given: unknown, as: (read: Reader) => T, of = field('string')): T {
	const parameters = [{ x: given as string, options: { x: given as string } }];
	const collection = { ...field('collection'), name: 'options', options: [of] };
	const reader = createReader(makeRun({ fields: [of, collection], parameters }), 0);
	const attempt = (from: Reader) => {
		try {
			return { value: as(from) };
		} catch (error) {
			return { says: (error as Error).message };
		}
	};
	const ends = [attempt(reader), attempt(reader.options)];
	expect(ends[1]).toEqual(ends[0]);
	if ('says' in ends[0]) throw new Error(ends[0].says);
	return ends[0].value as T;
}

describe('a boolean', () => {
	const boolean = (given: unknown, byDefault = true) =>
		read(given, ({ boolean: as }) => as('x'), field('boolean', { default: byDefault }));

	it.each([true, 'true', ' TRUE ', 1, '1'])('%p is true', (given) => {
		expect([boolean(given, true), boolean(given, false)]).toEqual([true, true]);
	});

	it.each([false, 'false', 'False', 0, '0'])('%p is false', (given) => {
		expect([boolean(given, true), boolean(given, false)]).toEqual([false, false]);
	});

	it.each([undefined, null, ''])('%p is the default', (given) => {
		expect([boolean(given, true), boolean(given, false)]).toEqual([true, false]);
	});

	it.each(['yes', 2, {}, [], NaN])('%p is refused by name', (given) => {
		expect(() => boolean(given)).toThrow('The Field must be true or false');
	});
});

describe('a number', () => {
	const number = (given: unknown, range = {}) => read(given, (reader) => reader.number('x', range));

	it.each([
		[7, 7],
		['7', 7],
		[' 7.5 ', 7.5],
		[0, 0],
		['-1e3', -1000],
		[undefined, undefined],
		[null, undefined],
		['', undefined],
	])('%p is %p', (given, value) => expect(number(given)).toBe(value));

	it.each([NaN, Infinity, -Infinity, 'NaN', 'Infinity', ' ', 'seven', '7 s', true, {}, [7]])(
		'%p is refused by name',
		(given) => expect(() => number(given)).toThrow('The Field must be a number'),
	);

	it.each([
		[{ above: 0 }, 0.1, 0, 'a number greater than 0'],
		[{ min: 0 }, 0, -0.1, 'a number, 0 or more'],
		[{ min: 0, max: 2 }, 2, 2.1, 'a number, from 0 to 2'],
		[{ min: 1, whole: true }, 1, 1.5, 'a whole number, 1 or more'],
	])('in %j may be %p, and not %p', (range, inside, outside, says) => {
		expect(number(inside, range)).toBe(inside);
		expect(() => number(outside, range)).toThrow(`The Field must be ${says}`);
	});

	it('is the default of the editor where that is asked for', () => {
		const orDefault = (given: unknown) =>
			read(given, (reader) => reader.numberOrDefault('x'), field('number', { default: 5 }));
		expect([orDefault(undefined), orDefault(''), orDefault(0)]).toEqual([5, 5, 0]);
	});
});

describe('a text', () => {
	const text = (given: unknown) => read(given, (reader) => reader.text('x'));

	it.each([
		[' a ', 'a'],
		[7, '7'],
		[false, 'false'],
	])('%p is %p', (given, value) => expect(text(given)).toBe(value));

	it.each([undefined, null, '', ' \n', 'undefined', 'null'])('%p is empty', (given) => {
		expect(() => text(given)).toThrow('The Field is empty');
	});

	it.each([{}, [], { a: 1 }, NaN, Infinity])('%p is refused by name', (given) => {
		expect(() => text(given)).toThrow('The Field must be text');
	});

	it('that may be missing is as it was typed', () => {
		const optional = (given: unknown) => read(given, (reader) => reader.optionalText('x'));
		expect([optional(' a '), optional('  '), optional(null)]).toEqual([' a ', '', '']);
	});
});

describe('a choice', () => {
	const options = [
		{ name: 'One', value: 'one' },
		{ name: 'No. 2', value: 'two' },
	];
	const choice = (given: unknown) =>
		read(given, (reader) => reader.choice('x'), field('options', { options, default: 'two' }));

	it('is one of those that the editor offers, or its default', () => {
		expect([choice('one'), choice(' ONE'), choice(undefined)]).toEqual(['one', 'one', 'two']);
	});

	it.each(['No. 2', 'three', 1, {}])('%p is refused with those that can be had', (given) => {
		expect(() => choice(given)).toThrow('The Field must be one of: one, two (No. 2)');
	});
});

describe('an object', () => {
	const object = (given: unknown) => read(given, (reader) => reader.object('x'));

	it.each([
		[{ a: 1 }, { a: 1 }],
		['{"a":1}', { a: 1 }],
		['', {}],
		[undefined, {}],
	])('%p is %p', (given, value) => expect(object(given)).toEqual(value));

	it('that is no JSON, or no object, is refused by name', () => {
		expect(() => object('{')).toThrow('The Field is not valid JSON');
		for (const given of ['[]', [], '1', 7, true]) {
			expect(() => object(given)).toThrow('The Field must be a JSON object');
		}
	});
});

it('what was given is read in the type of its field', () => {
	const given = (value: unknown, type: string) =>
		read(value, (reader) => reader.given('x'), field(type, { default: 'other' }));
	expect([given('false', 'boolean'), given('7', 'number'), given(7, 'string')]).toEqual([
		...[false, 7, '7'],
	]);
	for (const type of ['boolean', 'number', 'string']) expect(given('', type)).toBeUndefined();
});

describe('a list of rows', () => {
	const values = [field('string', { name: 'y' })];
	const list = field('fixedCollection', { options: [{ name: 'row', displayName: 'Row', values }] });
	const rows = (given: unknown) =>
		read(given, (reader) => reader.rows('x').map((row) => row.value('y')), list);

	it.each([
		[{ row: [{ y: 'a' }, { y: 'b' }] }, ['a', 'b']],
		[[{ y: 'a' }], ['a']],
		[{}, []],
		['', []],
	])('%j is %j', (given, expected) => expect(rows(given)).toEqual(expected));

	it.each([5, 'text', ['a'], [null], { row: 5 }, { row: [5] }])(
		'%j is refused, for nothing in it would be used',
		(given) => expect(() => rows(given)).toThrow('The Field must be a list of objects'),
	);
});

describe('JSON', () => {
	const deep = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
	const object = (given: unknown) => read(given, ({ object: as }) => as('x'), field('json'));

	it('may be deep', () => expect(object(deep(100))).toHaveProperty('a.a'));

	it.each([101, 20_000])('is refused where n8n could not send it: %d levels', (levels) => {
		expect(() => object(deep(levels))).toThrow('The Field is nested deeper than 100 levels');
	});
});
