'use strict';

const { sublimeSearch } = require('@n8n/utils/search/sublime-search');

/** Returns the names of the nodes that n8n's nodes panel finds for words, in its order. */
const findNodes = (words, nodes) =>
	sublimeSearch(
		words,
		nodes.map((properties) => ({ properties })),
	).map(({ item }) => item.properties.name);

module.exports = { findNodes };
