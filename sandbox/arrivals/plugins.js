'use strict';

const { readdir, readFile } = require('node:fs/promises');
const path = require('node:path');
const vm = require('node:vm');
const { COLUMNS, fromRecord, toWords } = require('./columns');

// New API since autumn 2026 hands a request to the plugin of the channel's type. A plugin is a file of
// JavaScript whose `buildSubmitRequest` writes the vendor's request, or throws: then nothing is billed.

/** The kinds of channels, by `owned_by` of their models. */
const TYPES = {
	...{ 'google gemini': 24, 'vertex-ai': 41, doubaovideo: 54, kling: 50, vidu: 52 },
	...{ minimax: 35, ali: 17, jimeng: 51, xai: 48 },
};

const NOTHING = { unixNow: () => 0, jwtSignHS256: () => 'token', volcSignV4: () => ({}) };

/** Resolves to the plugins of a folder, the oldest versions first. */
async function loadPlugins(folder) {
	const names = await readdir(folder, { recursive: true });
	const files = names.filter((name) => name.endsWith('.js'));
	const plugins = files.map(async (name) => {
		const code = await readFile(path.join(folder, name), 'utf8');
		const script = `${code.replace(/^export /gm, '')}\n;({ meta, buildSubmitRequest, extractUsage, protocols })`;
		return vm.runInNewContext(script, { utils: NOTHING }, { filename: name });
	});
	const versionOf = ({ meta }) =>
		meta.version
			.split('.')
			.map((part) => part.padStart(4, '0'))
			.join();
	return (await Promise.all(plugins)).sort((one, other) =>
		versionOf(one).localeCompare(versionOf(other)),
	);
}

/** Returns the plugins that serve a model: those that name it, or all of its channel if none does. */
function pluginsFor(plugins, { model, owner }) {
	const all = plugins.filter(({ meta }) => meta.channelTypes.includes(TYPES[owner]));
	const naming = all.filter(({ meta }) => meta.models.includes(model));
	return naming.length > 0 ? naming : all;
}

const FIELDS = [
	...['prompt', 'model', 'mode', 'image', 'images', 'size', 'duration', 'seconds'],
	...['input_reference', 'metadata'],
];

/** Returns what the gateway hands to a plugin: the fields that it knows, and each picture as a list. */
function toRequestBody(body) {
	const known = Object.fromEntries(Object.entries(body).filter(([name]) => FIELDS.includes(name)));
	return body.image && !body.images ? { ...known, images: [body.image] } : known;
}

const entriesIn = (value) =>
	Object.entries(value ?? {}).flatMap(([name, inner]) =>
		typeof inner === 'object' ? entriesIn(inner) : [[name, inner]],
	);

const LENGTH = /^(duration[-_]?(seconds)?|seconds?)$/i;

/** The gateway itself refuses a field, however deep, if it has a price and is none of its values. */
function checkPriced({ meta }, model, body) {
	const profile = meta.usageProfiles?.find(({ models }) => models.includes(model));
	const schema = profile?.schema ?? meta.usageSchema;
	for (const [name, value] of entriesIn(body)) {
		const { enum: words, type } = schema[name] ?? {};
		const isWrong = words
			? !words.includes(value)
			: type === 'boolean' && typeof value !== 'boolean';
		const isNoLength = LENGTH.test(name) && !(value >= 0 && value <= 3600);
		if (isWrong || isNoLength) throw new Error(`${name} ${value} has no price`);
	}
}

/** Returns what the vendor would get of a plugin, and for how many seconds it charges; or why not. */
function runPlugin(plugin, { model }, readRequest) {
	const names = { model, upstreamModel: model, apiKey: 'access|secret', baseUrl: '' };
	const of = { ...names, auth: { projectId: 'project' }, files: [], userSetting: {} };
	let asked;
	try {
		const context = { ...of, ...readRequest(names) };
		checkPriced(plugin, model, JSON.parse(JSON.stringify(context.requestBody)));
		asked = plugin.buildSubmitRequest(context);
		asked.usage = plugin.extractUsage(context) ?? {};
	} catch (error) {
		return { refused: true, says: error.message };
	}
	const { url, body, usage } = JSON.parse(JSON.stringify(asked));
	const { seconds = usage.duration } = usage;
	return {
		received: {
			path: url.replace(/\?.*/, ''),
			body: toWords(typeof body === 'string' ? JSON.parse(body) : body),
		},
		factors: JSON.parse(JSON.stringify({ seconds })),
	};
}

/**
 * Returns the ways in which a gateway may hand a request to a plugin, by what to add to its name. By
 * /v1/videos, the plugin reads a request for its models itself. On the other route, gateways were seen to
 * say of each request that it is one from an image; the plugin could tell itself.
 */
function waysTo({ meta, protocols }, { model }, { sent, path }) {
	const body = fromRecord(sent);
	const decode = protocols?.openai_video?.decodeRequest;
	if (path === '/v1/videos' && decode && meta.models.includes(model)) {
		return [['', (names) => decode({ ...names, body: { kind: 'json', value: body } })]];
	}
	const requestBody = toRequestBody(body);
	return [
		['', () => ({ requestBody })],
		[' (image)', () => ({ requestBody, action: 'image_to_video' })],
	];
}

/**
 * Returns what the plugins make of a record's request, once for all that make the same. `of` names them
 * with their versions, and " (image)" if they are told that there is an image, where that matters.
 * @param {any[]} plugins
 */
function askPlugins(plugins, record) {
	const column = COLUMNS.find(({ name }) => name === record.column);
	const named = new Map();
	for (const plugin of pluginsFor(plugins, column)) {
		const { key, version } = plugin.meta;
		const results = waysTo(plugin, column, record).map(([way, readRequest]) => [
			`${key} ${version}${way}`,
			JSON.stringify(runPlugin(plugin, column, readRequest)),
		]);
		const [[, plain]] = results;
		for (const [of, result] of results.filter(([, one], n) => n === 0 || one !== plain)) {
			named.set(result, [...(named.get(result) ?? []), of]);
		}
	}
	return [...named].map(([result, of]) => ({ of, ...JSON.parse(result) }));
}

module.exports = { askPlugins, loadPlugins };
