'use strict';

/**
 * Every vendor that is stood in for. A vendor has a `name`, which is also the path under which it
 * is found; `routes`; `hasKey(exchange)`; `refuse(kind, message)`, its words for an error; and what a
 * gateway has to be told to ask it: `channel`.
 */
const VENDORS = [
	require('./gemini'),
	require('./vertex'),
	require('./ark'),
	require('./openai'),
	require('./kling'),
	require('./vidu'),
	require('./minimax'),
	require('./dashscope'),
	require('./jimeng'),
];

/** @returns {object[]} the channels to enter in a gateway, with keys that open nothing */
const channelsAt = (url) =>
	VENDORS.map(({ name, channel }) => ({
		vendor: name,
		type: channel.type,
		label: channel.label,
		base_url: `${url}/${name}`,
		key: channel.key,
		models: channel.models,
		...(channel.other && { other: channel.other }),
	}));

module.exports = { VENDORS, channelsAt };
