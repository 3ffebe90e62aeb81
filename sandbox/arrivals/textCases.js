'use strict';

const { OPTIONS } = require('./cases');

// What Generate Content may send beside contents: its own options, and the protocol's fields that
// people write into Extra Fields, in both spellings.

const SCHEMA = { type: 'OBJECT', properties: { city: { type: 'STRING' } } };
const JSON_SCHEMA = { type: 'object', properties: { city: { type: 'string' } } };
const WIDER_SCHEMA = { ...JSON_SCHEMA, additionalProperties: false };

const TEXT_VALUES = {
	aspectRatio: '16:9',
	candidateCount: 2,
	fileUrls: {
		files: [
			{ url: 'https://www.youtube.com/watch?v=9hE5-98ZeCg' },
			{ url: 'https://example.com/a.pdf' },
			{ url: 'gs://bucket/a', mediaType: 'audio/mp3' },
		],
	},
	frequencyPenalty: 0.5,
	imageSize: '2K',
	includeThoughts: true,
	maxOutputTokens: 100,
	presencePenalty: 0.5,
	responseModalities: ['TEXT'],
	safetySettings: { settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
	seed: 7,
	stopSequences: ['END'],
	temperature: 0.2,
	thinkingBudget: 0,
	thinkingLevel: 'low',
	tools: ['googleSearch', 'codeExecution', 'googleMaps', 'urlContext'],
	topK: 3,
	topP: 0.5,
	voice: 'Kore',
};

/** Two options that are one place. */
const PLACE = { latitude: 52.52, longitude: 13.405 };

const inConfig = (fields) => ({ generationConfig: fields });

const EXTRA = [
	...[
		{ mediaResolution: 'MEDIA_RESOLUTION_LOW' },
		{ audioTimestamp: true },
		{ responseLogprobs: true, logprobs: 2 },
		{ routingConfig: { autoMode: {} } },
		{ enableAffectiveDialog: true },
		{ modelSelectionConfig: {} },
		{ enableEnhancedCivicAnswers: true },
		{ speechConfig: { languageCode: 'de-DE' } },
		{ imageConfig: { aspectRatio: '16:9' } },
		{ thinkingConfig: { includeThoughts: true } },
		{ responseMimeType: 'application/json', responseSchema: SCHEMA },
		{ responseMimeType: 'application/json', responseJsonSchema: JSON_SCHEMA },
		{ max_output_tokens: 100 },
		{ thinking_config: { thinking_budget: 0 } },
	].map(inConfig),
	{ tools: [{ functionDeclarations: [{ name: 'now' }] }] },
	{ contents: [{ parts: [{ text: 'Hello.' }] }] },
	{ toolConfig: { functionCallingConfig: { mode: 'NONE' } } },
	{ toolConfig: { retrievalConfig: { languageCode: 'de' } } },
	{ cachedContent: 'cachedContents/x' },
	{ labels: { team: 'a' } },
	{ serviceTier: 'flex' },
	{ store: true },
	{ modelArmorConfig: { promptTemplateName: 'x' } },
	{ system_instruction: { parts: [{ text: 'Be short.' }] } },
	{ generation_config: { temperature: 0.2 } },
	{ safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
	{ tool_config: { functionCallingConfig: { mode: 'NONE' } } },
	{ cached_content: 'cachedContents/x' },
];

/** Returns the fields that a case is about, as paths. */
function pathOf(value) {
	const [[name, inner]] = Object.entries(value);
	return /Config$/.test(name) && name !== 'modelArmorConfig'
		? `${name}.${Object.keys(inner).at(-1)}`
		: name;
}

/** `[{ about, set }]`; `set` holds options of the node, and fields of its own parameters. */
const TEXT_CASES = [
	{ about: 'System Instruction', set: { systemInstruction: 'Be short.' } },
	{ about: 'Conversation', set: { conversationJson: [{ role: 'model', text: 'Hi' }] } },
	{ about: 'an input file', set: { file: true } },
	{ about: 'JSON Output', set: { jsonOutput: true } },
	{ about: 'JSON Schema', set: { jsonOutput: true, jsonSchema: JSON_SCHEMA } },
	{ about: 'JSON Schema in wider words', set: { jsonOutput: true, jsonSchema: WIDER_SCHEMA } },
	...Object.entries(TEXT_VALUES).map(([option, value]) => ({
		about: option,
		set: { [option]: value },
	})),
	{ about: 'latitude, longitude', set: PLACE },
	...EXTRA.map((extraFields) => ({
		about: `Extra Fields: ${pathOf(extraFields)}`,
		set: { extraFields },
	})),
];

const TEXT_MODEL = 'gemini-2.5-flash';

// Cases as parameters of the nodes, for a whole n8n and for its engine alone.

const fromItem = (name) => `={{ $json.set.${name} }}`;

const TEXT_OPTIONS = Object.keys({ ...TEXT_VALUES, ...PLACE });

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

module.exports = { TEXT_CASES, shapeOf, toParameters, toTextParameters };
