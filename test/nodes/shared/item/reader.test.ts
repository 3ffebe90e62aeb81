import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { createReader, type Reader } from '../../../../nodes/shared/item/reader';
import { makeRun } from '../../../support/makeRun';

const field = (type: string, more: object = {}) =>
	({ displayName: 'The Field', name: 'x', type, default: '', ...more }) as INodeProperties;

/** Reads the value as a parameter of the node and as one of its options: there is no difference. */
function read<T>(given: unknown, as: (read: Reader) => T, of = field('string')): T {
	const set: IDataObject = given === undefined ? {} : { x: given as string };
	const parameters = [{ ...set, options: set }];
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

	it.each([
		[
			[true, ' TRUE ', 1, '1'],
			[true, true],
		],
		[
			[false, 'False', 0, '0'],
			[false, false],
		],
	])('%p are %p where the default is true, and where it is false', (all, expected) => {
		for (const given of all)
			expect([boolean(given, true), boolean(given, false)]).toEqual(expected);
	});

	it('that is an option is off where it is absent, though the editor adds it switched on', () => {
		const on = field('boolean', { default: true });
		const collection = { ...field('collection'), name: 'options', options: [on] };
		const values = [undefined, null, '', false, 'true', true] as Array<string | boolean>;
		const found = values.map((x) => {
			const run = makeRun({ fields: [on, collection], parameters: [{ x, options: { x } }] });
			const reader = createReader(run, 0);
			return [reader.boolean('x'), reader.options.boolean('x')];
		});
		expect(found.map(([parameter]) => parameter)).toEqual([true, true, true, false, true, true]);
		expect(found.map(([, option]) => option)).toEqual([false, false, false, false, true, true]);
	});

	it('of another kind is refused by name', () => {
		for (const given of ['yes', 2, {}, [], NaN]) {
			expect(() => boolean(given)).toThrow('The Field must be true or false');
		}
	});
});

describe('a number', () => {
	const number = (given: unknown, range = {}) => read(given, (reader) => reader.number('x', range));

	it('is read from text, too, and missing where an expression gave nothing', () => {
		expect([7, '7', ' 7.5 ', 0, '-1e3'].map((given) => number(given))).toEqual([
			7, 7, 7.5, 0, -1000,
		]);
		for (const given of [undefined, null, '']) expect(number(given)).toBeUndefined();
	});

	it('that is none is refused by name', () => {
		for (const given of [NaN, Infinity, 'NaN', 'Infinity', ' ', 'seven', '7 s', true, {}, [7]]) {
			expect(() => number(given)).toThrow('The Field must be a number');
		}
	});

	it.each([
		[{ above: 0 }, 0.1, 0, 'a number greater than 0'],
		[{ min: 0 }, 0, -0.1, 'a number, 0 or more'],
		[{ min: 0, max: 2 }, 2, 2.1, 'a number, from 0 to 2'],
		[{ min: 1, whole: true }, 1, 1.5, 'a whole number, 1 or more'],
		[{ min: 1, whole: true }, 2 ** 53 - 1, '12345678901234567890', 'a whole number, 1 or more'],
	])('in %j may be %p, and not %p', (range, inside, outside, says) => {
		expect(number(inside, range)).toBe(inside);
		expect(() => number(outside, range)).toThrow(`The Field must be ${says}`);
	});

	it('is the default of the editor where that is asked for', () => {
		const orDefault = (given: unknown) =>
			read(given, (reader) => reader.numberOrDefault('x', {}), field('number', { default: 5 }));
		expect([orDefault(undefined), orDefault(''), orDefault(0)]).toEqual([5, 5, 0]);
	});
});

describe('a text', () => {
	const text = (given: unknown) => read(given, (reader) => reader.text('x'));

	it('is trimmed; what is no text is refused by name', () => {
		expect([' a ', 7, false].map(text)).toEqual(['a', '7', 'false']);
		for (const given of [
			undefined,
			null,
			'',
			' \n',
			'\u200B',
			'\u3164\u2800',
			'undefined',
			'null',
		]) {
			expect(() => text(given)).toThrow('The Field is empty');
		}
		for (const given of [{}, [], { a: 1 }, NaN, Infinity]) {
			expect(() => text(given)).toThrow('The Field must be text');
		}
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

	it('of another kind is refused with those that can be had', () => {
		for (const given of ['No. 2', 'three', 1, {}]) {
			expect(() => choice(given)).toThrow('The Field must be one of: one, two (No. 2)');
		}
	});

	it('is refused where its expression gave nothing, unless it is an option', () => {
		const fields = [field('options', { options, default: 'two' })];
		const reader = createReader(makeRun({ fields, parameters: [{ x: '' }] }), 0);
		expect(() => reader.choice('x')).toThrow('The Field is empty');
	});
});

describe('an object', () => {
	const object = (given: unknown) => read(given, (reader) => reader.object('x'));

	it('is given as an object or as text', () => {
		for (const given of [{ a: 1 }, '{"a":1}']) expect(object(given)).toEqual({ a: 1 });
		for (const given of ['', undefined]) expect(object(given)).toEqual({});
	});

	it('that is no JSON, or no object, is refused by name', () => {
		expect(() => object('{')).toThrow('The Field is not valid JSON');
		for (const given of ['[]', [], '1', 7, true]) {
			expect(() => object(given)).toThrow('The Field must be a JSON object');
		}
	});
});

describe('a list of rows', () => {
	const values = [field('string', { name: 'y' })];
	const list = field('fixedCollection', { options: [{ name: 'row', displayName: 'Row', values }] });
	const rows = (given: unknown) =>
		read(given, (reader) => reader.rows('x').map((row) => row.value('y')), list);

	it('comes from the editor or from an expression', () => {
		expect(rows({ row: [{ y: 'a' }, { y: 'b' }] })).toEqual(['a', 'b']);
		expect(rows([{ y: 'a' }])).toEqual(['a']);
		for (const given of [{}, '']) expect(rows(given)).toEqual([]);
	});

	it('is refused where nothing in it would be used', () => {
		for (const given of [5, 'text', ['a'], [null], { row: 5 }, { row: [5] }]) {
			expect(() => rows(given)).toThrow('The Field must be a list of objects');
		}
	});
});

describe('a group of options', () => {
	const group = field('collection', { options: [field('number', { name: 'y', default: 5 })] });
	const read = (x: unknown) => {
		const options = { ...field('collection'), name: 'options', options: [group] };
		const run = makeRun({ fields: [options], parameters: [{ options: { x } as IDataObject }] });
		return createReader(run, 0).options.group('x').numberOrDefault('y', { min: 1 });
	};

	it('comes from the editor or from an expression', () => {
		expect([{ y: 7 }, '{"y":8}', {}, '', undefined].map(read)).toEqual([7, 8, 5, 5, 5]);
	});

	it('that is no object is refused by name, and so is what is wrong in it', () => {
		for (const x of [5, 'seven', [7], true]) expect(() => read(x)).toThrow(/^The Field (is|must)/);
		expect(() => read({ y: 0 })).toThrow('The Field must be a number, 1 or more');
	});
});
