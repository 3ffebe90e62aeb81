import type { IDataObject } from 'n8n-workflow';

import { videoGenerateFields } from '../../../nodes/VideoGenerate/fields';
import { readModelFields, toValue } from '../../../nodes/VideoGenerate/modelFields';
import { fromSchema } from '../../../nodes/shared/models/fromSchema';
import { describeField } from '../../../nodes/shared/models/modelFields';
import { createReader } from '../../../nodes/shared/n8n/reader';
import { makeRun } from '../../support/makeRun';
import { ofFal, oneOf, orNull } from '../shared/models/support/answers';

const text = { type: 'string' };
const whole = { type: 'integer' };
const number = { type: 'number' };
const flag = { type: 'boolean' };
const object = { type: 'object' };
const listOf = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const SIZE = { anyOf: [object, oneOf('square', 'portrait')] };

/** Returns the only field of a model. */
const input = (field: object) => ofFal('ours', { it: field }).inputs[0];

it.each<[field: object, entered: unknown, sent: unknown]>([
	[text, 'Alice', 'Alice'],
	[text, '7', '7'],
	[text, 7, '7'],
	[text, '[verse]\n la', '[verse]\n la'],
	[orNull(text), 'Alice', 'Alice'],
	[oneOf('boxed', 'Karaoke'), 'karaoke', 'Karaoke'],
	[oneOf('boxed'), ' boxed ', 'boxed'],
	[oneOf(8, 16), '16', 16],
	[oneOf('8', '16'), 16, '16'],
	[whole, '40', 40],
	[whole, 0, 0],
	[{ ...whole, minimum: 1, maximum: 9 }, '9', 9],
	[number, '0.5', 0.5],
	[number, -1, -1],
	[flag, 'true', true],
	[flag, 'FALSE', false],
	[flag, false, false],
	[listOf(text), 'Nora, Emil', ['Nora', 'Emil']],
	[listOf(text), '["Nora, Anna"]', ['Nora, Anna']],
	[listOf(text), ['Nora', 7], ['Nora', '7']],
	[listOf(text), 'Nora', ['Nora']],
	[listOf(whole), '1, 2', [1, 2]],
	[listOf(whole), '7', [7]],
	[listOf(oneOf('en', 'de')), 'EN,de', ['en', 'de']],
	[listOf(object), '[{ "path": "a" }]', [{ path: 'a' }]],
	[listOf(object), { path: 'a' }, [{ path: 'a' }]],
	[object, '{ "text": "#fff" }', { text: '#fff' }],
	[object, { text: '#fff' }, { text: '#fff' }],
	[SIZE, 'Portrait', 'portrait'],
	[SIZE, '{ "width": 640 }', { width: 640 }],
	[{ anyOf: [text, whole] }, '7', 7],
	[{ anyOf: [text, whole] }, 'auto', 'auto'],
	[{}, [1], [1]],
])('a field that is %j sends %j', (field, entered, sent) => {
	expect(toValue(input(field), entered)).toEqual(sent);
});

it.each<[field: object, entered: unknown, wanted: string]>([
	[text, { a: 1 }, 'text'],
	[oneOf('boxed', 'karaoke'), 'round', 'one of: boxed, karaoke'],
	[oneOf('boxed'), ['boxed'], 'one of: boxed'],
	[oneOf('3', '4'), '5', 'one of: 3, 4'],
	[oneOf('3', '4', '5', '6'), '9', 'a whole number, from 3 to 6'],
	[oneOf('3s', '4s', '5s', '6s'), '9', 'from 3 to 6 seconds'],
	[oneOf('3s', '4s', '5s', '7s'), '9', 'one of: 3s, 4s, 5s, 7s'],
	[whole, '4.5', 'a whole number'],
	[whole, 'many', 'a whole number'],
	[whole, true, 'a whole number'],
	[{ ...whole, minimum: 1, maximum: 9 }, 10, 'a whole number, from 1 to 9'],
	[{ ...number, minimum: 0 }, '-1', 'a number, 0 or more'],
	[number, '8s', 'a number'],
	[flag, 'yes', 'true or false'],
	[listOf(text), [['a']], 'a list of texts'],
	[listOf(text, { maxItems: 2 }), 'a, b, c', 'a list of texts, at most 2'],
	[listOf(whole), '1, two', 'a list of whole numbers'],
	[listOf(oneOf('en', 'de')), 'en, fr', 'a list of texts, one of: en, de'],
	[listOf(object), 'a, b', 'a JSON list of objects'],
	[object, 'red', 'a JSON object'],
	[object, '[1]', 'a JSON object'],
	[SIZE, 'round', 'one of: square, portrait, or a JSON object'],
])('a field that is %j does not take %j, but %s', (field, entered, wanted) => {
	expect(toValue(input(field), entered)).toBeUndefined();
	expect(describeField(input(field))).toBe(wanted);
});

const SUBTITLES = ofFal('veed/subtitles', {
	'video_url*': text,
	'preset*': oneOf('boxed', 'karaoke'),
	size: { ...whole, minimum: 10, maximum: 100 },
});

/** Reads rows as n8n gives them; `typed` as the person wrote them. */
function read(rows: unknown, takes = fromSchema(SUBTITLES), typed = rows) {
	const toNode = (field: unknown): IDataObject => ({ options: { modelFields: { field } } });
	const run = makeRun({
		...{ fields: videoGenerateFields, parameters: [toNode(rows)] },
		more: { getNode: () => ({ name: 'Node', type: 'videoGenerate', parameters: toNode(typed) }) },
	});
	return readModelFields(createReader(run, 0), takes, { model: 'veed/subtitles', label: 'fal' });
}

const preset = { name: 'preset', value: 'karaoke' };

it('rows become fields; an expression that gives nothing leaves its field to the model', () => {
	const size = { name: 'size', value: '' };
	const typed = [preset, { name: 'size', value: '={{ $json.size }}' }];
	expect(read([preset, size], undefined, typed)).toEqual({ preset: 'karaoke' });
	expect(read([])).toEqual({});
});

it.each<[rows: IDataObject[], says: string, advice: string]>([
	[
		[preset, { name: 'size', value: '200' }],
		'Model Fields, row 2: size must be a whole number, from 10 to 100',
		'It is "200". ',
	],
	[
		[{ name: 'preset', value: 'round' }],
		'Model Fields, row 1: preset must be one of: boxed, karaoke',
		'It is "round". ',
	],
	[
		[{ name: 'presett', value: 'boxed' }],
		'Model Fields, row 1: "veed/subtitles" has no field "presett"',
		'The nearest name is "preset".',
	],
	[[preset, preset], 'Model Fields, row 2: preset is in row 1, too', 'Remove one of them.'],
	[
		[{ name: 'preset', value: '' }],
		'Model Fields, row 1: preset has no value',
		'It takes one of: boxed, karaoke.',
	],
	[[{ name: '', value: 'a' }], 'Model Fields, row 1: Name is empty', 'Fill in Name.'],
])('%j is refused by its row', (rows, message, advice) => {
	const description = expect.stringContaining(advice) as string;
	expect(() => read(rows)).toThrow(expect.objectContaining({ message, description }) as Error);
});

it('without a schema, Additional Fields (JSON) is the way', () => {
	const message = 'fal does not publish what its models take, which Model Fields needs';
	const none = { ...fromSchema(SUBTITLES), modelFields: undefined };
	expect(() => read([preset], none)).toThrow(message);
});
