'use strict';

const { COLUMNS, PNG, fromRecord, fromWords, judge, lostPaths, toWords } = require('./columns');

// What was recorded by `npm run sandbox -- arrivals --record`, and what it takes to repeat it.

/**
 * `set` is what is set of a node, by the names of its parameters and options; `images`: rows. `sent`
 * is the body as the node sent it, where pictures and addresses are words; `notes`: what Dry Run said.
 * `plugins`: what newer gateways made of it, once for all plugins that make the same.
 * @typedef {Record<string, any>} Json
 * @typedef {{ column: string, model: string, about: string, set: Json }} Case
 * @typedef {{ of: string[] } & Json} Result
 * @typedef {{ column: string, about: string, set: Json, sent: Json, path?: string, notes?: string[], plugins?: Result[] }} Arrival
 * @typedef {{ about: string, set: Json, sent: Json, received?: Json }} TextArrival
 */

/** @type {Arrival[]} */
const ARRIVALS = require('../service/gateway/arrivals.json').records;
const keyOf = ({ column, about }) => `${column}: ${about}`;
const DIFFERENT = new Map(
	require('../service/gateway/openAiArrivals.json').records.map((one) => [keyOf(one), one]),
);
/** The same by `/v1/videos`: most differ in their path alone. @type {Arrival[]} */
const BY_OPENAI_VIDEOS = ARRIVALS.map(
	(one) => DIFFERENT.get(keyOf(one)) ?? { ...one, path: '/v1/videos' },
);
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
 * Returns combinations of what the cases of a column set one by one, so many for each column.
 * @type {(cases: Case[], count: number, random: () => number) => Case[]}
 */
function combine(cases, count, random) {
	const pick = (list) => list[Math.floor(random() * list.length)];
	return [...new Set(cases.map(({ column }) => column))].flatMap((column) => {
		const own = cases.filter((one) => one.column === column);
		const names = new Set(own.flatMap(({ set }) => Object.keys(set)));
		const settings = [...names].filter((name) => !NO_SETTINGS.includes(name));
		return Array.from({ length: count }, (_none, n) => {
			const { imageSource, image, images } = pick(own).set;
			const chosen = settings
				.filter(() => random() < 0.5)
				.map((name) => [name, pick(own.filter(({ set }) => name in set)).set[name]]);
			const set = { ...Object.fromEntries(chosen), imageSource, image, images };
			return { ...own[0], about: `combination ${n}`, set: JSON.parse(JSON.stringify(set)) };
		});
	});
}

/**
 * Returns what a gateway and each plugin made of a record, with the verdict.
 * @type {(record: Arrival) => Array<{ of: string, verdict: string, why?: string }>}
 */
const verdictsOf = (record) =>
	[{ ...record, of: ['gateway'] }, ...(record.plugins ?? [])].flatMap((result) =>
		result.of.map((of) => ({ of, ...judge(record, result) })),
	);

/**
 * Cases with the same list of images go through the same node: its rows are fixed.
 * @type {(one: Case) => string}
 */
const shapeOf = ({ set: { images = [] } }) =>
	images.map(({ role, imageSource }) => `${role}:${imageSource}`).join(' ');

const NO_SETTINGS = ['imageSource', 'image', 'images', 'additionalFields'];
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
		cost: { dryRun: '={{ $json.dryRun ?? false }}' },
		film: allFromItem(['returnLastFrame']),
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
	...{ ARRIVALS, BY_OPENAI_VIDEOS, CASES, COLUMNS, PNG, TEXT_ARRIVALS },
	...{ combine, fromRecord, fromWords, lostPaths, shapeOf, toParameters, toTextParameters },
	...{ toWords, verdictsOf },
};
