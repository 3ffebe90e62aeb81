import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { createReader, findInputField, type Reader } from '../../../../nodes/shared/n8n/reader';
import { makeRun } from '../../../support/makeRun';

const field = (type: string, more: object = {}) =>
	({ displayName: 'The Field', name: 'x', type, default: '', ...more }) as INodeProperties;

/** Reads the value as a parameter of the node and as one of its options: there is no difference. */
function read<T>(given: unknown, as: (read: Reader) => T, of = field('string')): T {
	const set: IDataObject = given === undefined ? {} : { x: given as string };
	const collection = { ...field('collection'), name: 'options', options: [of] };
	const run = makeRun({ fields: [of, collection], parameters: [{ ...set, options: set }] });
	const reader = createReader(run, 0);
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

it('a boolean comes from the editor, an expression or a sheet', () => {
	const boolean = (given: unknown) =>
		read(given, ({ boolean: as }) => as('x'), field('boolean', { default: true }));
	expect([true, ' TRUE ', 1, '1'].map(boolean)).toEqual([true, true, true, true]);
	expect([false, 'False', 0, '0'].map(boolean)).toEqual([false, false, false, false]);
	for (const given of ['yes', 2]) {
		expect(() => boolean(given)).toThrow('The Field must be true or false');
	}
});

describe('a number', () => {
	const number = (given: unknown, range = {}) => read(given, (reader) => reader.number('x', range));

	it('is read from text, too, and missing where an expression gave nothing', () => {
		const given = [7, ' 7.5 ', 0, undefined, null, ''];
		const read = [7, 7.5, 0, undefined, undefined, undefined];
		expect(given.map((one) => number(one))).toEqual(read);
	});

	it.each([
		[{}, -1, '7 s', 'a number'],
		[{ above: 0 }, 0.1, 0, 'a number greater than 0'],
		[{ min: 0, max: 2 }, 2, 2.1, 'a number, from 0 to 2'],
		[{ min: 1, whole: true }, 1, 1.5, 'a whole number, 1 or more'],
	])('in %j may be %p, and not %p', (range, inside, outside, says) => {
		expect(number(inside, range)).toBe(inside);
		expect(() => number(outside, range)).toThrow(`The Field must be ${says}`);
	});

	it('is the default of the editor where that is asked for', () => {
		const orDefault = (given: unknown) =>
			read(given, (reader) => reader.numberOrDefault('x', {}), field('number', { default: 5 }));
		expect([orDefault(undefined), orDefault(0)]).toEqual([5, 0]);
	});
});

it('a text is trimmed; what is no text is refused by name', () => {
	const text = (given: unknown) => read(given, (reader) => reader.text('x'));
	expect([' a ', 7, false].map(text)).toEqual(['a', '7', 'false']);
	for (const given of [undefined, null, ' \n']) {
		expect(() => text(given)).toThrow('The Field is empty');
	}
	expect(() => text({ a: 1 })).toThrow('The Field must be text');
	const optional = (given: unknown) => read(given, (reader) => reader.optionalText('x'));
	expect([' a ', '  ', null].map(optional)).toEqual([' a ', '', '']);
});

it('a choice is one of those that the editor offers', () => {
	const options = [
		{ name: 'One', value: 'one' },
		{ name: 'No. 2', value: 'two' },
	];
	const choice = (given: unknown) =>
		read(given, (reader) => reader.choice('x'), field('options', { options, default: 'two' }));
	expect(choice('one')).toBe('one');
	expect(() => choice('No. 2')).toThrow('The Field must be one of: one, two');
});

it('an option that is absent, or whose expression gave nothing, is not what the editor adds it with', () => {
	const of = field('boolean', { default: true });
	const options = [{ name: 'Two', value: 'two' }];
	const choice = { ...field('options', { options, default: 'two' }), name: 'y' };
	const collection = { ...field('collection'), name: 'options', options: [of, choice] };
	const parameters = [{ y: '', options: { y: '' } }];
	const reader = createReader(makeRun({ fields: [of, choice, collection], parameters }), 0);
	expect([reader.boolean('x'), reader.options.boolean('x')]).toEqual([true, false]);
	expect(() => reader.choice('y')).toThrow('The Field is empty');
	expect(reader.options.choice('y')).toBe('two');
});

it('an object is given as it is or as text; what is none is refused by name', () => {
	const object = (given: unknown) => read(given, (reader) => reader.object('x'));
	expect([{ a: 1 }, '{"a":1}', '', undefined].map(object)).toEqual([{ a: 1 }, { a: 1 }, {}, {}]);
	expect(() => object('{')).toThrow('The Field is not valid JSON');
	expect(() => object('[]')).toThrow('The Field must be a JSON object');
	const deep = (levels: number) => object('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
	expect(deep(100)).toHaveProperty('a');
	expect(() => deep(101)).toThrow('The Field is nested more than 100 levels deep');
});

it('a list of rows comes from the editor or from an expression', () => {
	const values = [field('string', { displayName: 'Y', name: 'y' })];
	const list = field('fixedCollection', { options: [{ name: 'row', displayName: 'Row', values }] });
	const rows = (given: unknown) =>
		read(given, (reader) => reader.rows('x').map((row) => row.text('y')), list);
	expect(rows({ row: [{ y: 'a' }, { y: 'b' }] })).toEqual(['a', 'b']);
	expect(rows([{ y: 'a' }])).toEqual(['a']);
	expect(rows({})).toEqual([]);
	expect(() => rows([{}])).toThrow('The Field, row 1: Y is empty');
	for (const other of ['text', { y: 'a' }, { rows: [{ y: 'a' }] }]) {
		expect(() => rows(other)).toThrow('The Field must be a list of objects');
	}
});

it('a group of options comes from the editor or from an expression', () => {
	const group = field('collection', { options: [field('number', { name: 'y', default: 5 })] });
	const options = { ...field('collection'), name: 'options', options: [group] };
	const number = (x: unknown) => {
		const run = makeRun({ fields: [options], parameters: [{ options: { x } as IDataObject }] });
		return createReader(run, 0).options.group('x').numberOrDefault('y', { min: 1 });
	};
	expect([{ y: 7 }, '{"y":8}', undefined].map(number)).toEqual([7, 8, 5]);
	expect(() => number(5)).toThrow('The Field must be a JSON object');
	expect(() => number({ y: 0 })).toThrow('The Field must be a number, 1 or more');
});

it('a field of the incoming item is named by its path', () => {
	const of = (x: string, json: IDataObject) => {
		const run = makeRun({ fields: [field('string')], parameters: [{ x }] });
		return findInputField(createReader({ ...run, items: [{ json }] }, 0), 'x');
	};
	expect(of('film.name', { film: { name: 7 } })).toBe('7');
	expect(of('film.name', { 'film.name': ' cats ' })).toBe('cats');
	for (const json of [{}, { film: ' ' }, { film: [1] }]) expect(of('film', json)).toBeUndefined();
	for (const name of ['constructor', 'film.constructor'])
		expect(of(name, { film: {} })).toBeUndefined();
});

it('a file is named by a field that the item has', () => {
	// n8n looks a name up once more.
	const assertBinaryData = (_index: number, given: unknown) => {
		if (typeof given === 'string') throw new Error('no such file');
		return given;
	};
	const of = (x: string) => {
		const more = { helpers: { assertBinaryData } };
		const run = makeRun({ fields: [field('string')], parameters: [{ x }], more });
		const binary = { data: { data: '', mimeType: 'video/mp4' } };
		return createReader({ ...run, items: [{ json: {}, binary }] }, 0).file('x');
	};
	expect(of('data')).toHaveProperty('mimeType', 'video/mp4');
	expect(() => of('constructor')).toThrow('The item has no binary field "constructor"');
});
