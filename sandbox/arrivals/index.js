'use strict';

const { COLUMNS, PNG, fromWords, judge, lostPaths, toWords } = require('./columns');

// What was recorded by `npm run sandbox -- arrivals --record`, and what it takes to repeat it.

/**
 * `set` is what is set of a node, by the names of its parameters and options; `images`: rows. `sent`
 * is the body as the node sent it, where pictures and addresses are words.
 * @typedef {Record<string, any>} Json
 * @typedef {{ column: string, model: string, about: string, set: Json }} Case
 * @typedef {{ column: string, about: string, set: Json, sent?: Json, refused?: Json }} Arrival
 * @typedef {{ about: string, set: Json, sent: Json, received?: Json }} TextArrival
 */

/** @type {Arrival[]} */
const ARRIVALS = require('../service/gateway/arrivals.json').records;
/** @type {TextArrival[]} */
const TEXT_ARRIVALS = require('../service/gateway/textArrivals.json').records;

/** Each column is asked again what it was asked before; a new one all that others were. */
const CASES = COLUMNS.flatMap(({ name, model }) => {
	const known = ARRIVALS.filter(({ column }) => column === name);
	const all = [...new Map(ARRIVALS.map((record) => [record.about, record])).values()];
	const cases = known.length > 0 ? known : all;
	return cases.map(({ about, set }) => ({ column: name, model, about, set }));
});

/**
 * Cases with the same list of images go through the same node: its rows are fixed.
 * @type {(one: Case) => string}
 */
const shapeOf = ({ set: { images = [] } }) =>
	images.map(({ role, imageSource }) => `${role}:${imageSource}`).join(' ');

const IN_SIGHT = ['aspectRatio', 'duration', 'resolution'];
const ELSEWHERE = [...IN_SIGHT, 'imageSource', 'image', 'images', 'returnLastFrame'];
const OPTIONS = [...new Set(ARRIVALS.flatMap(({ set }) => Object.keys(set)))].filter(
	(name) => !ELSEWHERE.includes(name),
);

const fromItem = (name) => `={{ $json.set.${name} }}`;
const allFromItem = (names) => Object.fromEntries(names.map((name) => [name, fromItem(name)]));

/** Returns the parameters of Video Generate by which an item says all that is set. */
const toParameters = ({ set: { images = [] } }) => ({
	model: { __rl: true, mode: 'id', value: '={{ $json.model }}' },
	imageSource: '={{ $json.set.imageSource ?? "none" }}',
	image: fromItem('image'),
	imageBinaryProperty: 'data',
	...allFromItem(IN_SIGHT),
	wait: 'none',
	options: {
		...allFromItem(OPTIONS),
		lastFrame: allFromItem(['returnLastFrame']),
		images: {
			image: images.map(({ role, imageSource }, row) => ({
				role,
				imageSource,
				image: fromItem(`images[${row}].image`),
				imageBinaryProperty: 'data',
			})),
		},
	},
});

/**
 * Returns the parameters of Generate Content; what is none of its fields is an option.
 * @param {Json} set
 */
function toTextParameters({
	file,
	systemInstruction,
	outputFormat,
	schemaType,
	jsonSchema,
	...set
}) {
	return {
		model: { __rl: true, mode: 'id', value: 'gemini-2.5-flash' },
		prompt: '={{ $json.prompt }}',
		...(systemInstruction && { systemInstruction }),
		...(file && { inputBinaryFields: 'data' }),
		...(outputFormat && { outputFormat }),
		...(jsonSchema && { schemaType, jsonSchema: JSON.stringify(jsonSchema) }),
		options: set,
	};
}

module.exports = {
	...{ ARRIVALS, CASES, COLUMNS, PNG, TEXT_ARRIVALS },
	...{ fromWords, judge, lostPaths, shapeOf, toParameters, toTextParameters, toWords },
};
