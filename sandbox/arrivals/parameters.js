'use strict';

const { OPTIONS } = require('./cases');
const { TEXT_OPTIONS } = require('./textCases');

const TEXT_MODEL = 'gemini-2.5-flash';

// Cases as parameters of the nodes, for a whole n8n and for its engine alone.

const fromItem = (name) => `={{ $json.set.${name} }}`;

/** Cases with the same list of further images go through the same node: its rows are fixed. */
const shapeOf = ({ set: { further = [] } }) =>
	further.map(({ role, imageSource }) => `${role}:${imageSource}`).join(' ');

/** The parameters of Video Generate by which an item says all that is set. */
const toParameters = ({ set: { further = [] } }) => ({
	model: { __rl: true, mode: 'id', value: '={{ $json.model }}' },
	imageSource: '={{ $json.set.imageSource ?? "none" }}',
	image: fromItem('image'),
	imageBinaryProperty: 'data',
	furtherImages: {
		image: further.map(({ role, imageSource }, row) => ({
			role,
			imageSource,
			image: `={{ $json.set.further[${row}].image }}`,
			imageBinaryProperty: 'data',
		})),
	},
	wait: 'none',
	options: {
		// The picture of the cases is on this machine.
		allowPrivateAddresses: true,
		...Object.fromEntries(
			[...OPTIONS, 'metadata', 'extraFields'].map((name) => [name, fromItem(name)]),
		),
	},
});

/** The parameters of Generate Content for a case. */
function toTextParameters({ file, extraFields, conversationJson, jsonSchema, ...set }) {
	const json = Object.entries({ extraFields, conversationJson })
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => [name, JSON.stringify(value)]);
	const isOption = ([name]) => TEXT_OPTIONS.includes(name);
	const own = Object.entries(set);
	return {
		model: { __rl: true, mode: 'id', value: TEXT_MODEL },
		prompt: '={{ $json.prompt }}',
		...Object.fromEntries(own.filter((pair) => !isOption(pair))),
		...(file && { images: 'data' }),
		...(jsonSchema && { jsonSchema: JSON.stringify(jsonSchema) }),
		streamResponse: false,
		options: Object.fromEntries([...json, ...own.filter(isOption)]),
	};
}

module.exports = { shapeOf, toParameters, toTextParameters };
