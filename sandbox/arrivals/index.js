'use strict';

const { COLUMNS, ...others } = require('./columns');

// What was recorded by `npm run arrivals -- --record`, and what it takes to repeat it.

const { records: ARRIVALS } = require('../service/gateway/arrivals.json');
const { records: TEXT_ARRIVALS } = require('../service/gateway/textArrivals.json');

const recordsOf = (name) => ARRIVALS.filter(({ column }) => column === name);

/** Each column is asked again what it was asked before; a new one what the first one was asked. */
const CASES = COLUMNS.flatMap(({ name, model }) => {
	const known = recordsOf(name);
	const cases = known.length > 0 ? known : recordsOf(COLUMNS[0].name);
	return cases.map(({ about, set }) => ({ column: name, model, about, set }));
});

/** Cases with the same list of images go through the same node: its rows are fixed. */
const shapeOf = ({ set: { images = [] } }) =>
	images.map(({ role, imageSource }) => `${role}:${imageSource}`).join(' ');

const IN_SIGHT = ['aspectRatio', 'duration', 'resolution'];
const OPTIONS = ['additionalFields', 'generateAudio', 'negativePrompt', 'seed'];

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

/** Returns the parameters of Generate Content; what is none of its fields is an option. */
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
	...{ ...others, COLUMNS, CASES, ARRIVALS, TEXT_ARRIVALS },
	...{ shapeOf, toParameters, toTextParameters },
};
