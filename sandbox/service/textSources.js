'use strict';

// What an answer rests on, as the vendor's own API tells it.

const SITE = 'https://sources.example';

const page = (number, status) => ({
	urlContextMetadata: {
		urlMetadata: [
			{
				retrievedUrl: `${SITE}/page/${number}`,
				urlRetrievalStatus: `URL_RETRIEVAL_STATUS_${status}`,
			},
		],
	},
});

const KINDS = {
	search: (number) => ({
		groundingMetadata: {
			groundingChunks: [{ web: { uri: `${SITE}/search/${number}`, title: `Found ${number}` } }],
			webSearchQueries: [`query ${number}`],
			searchEntryPoint: { renderedContent: '<div>Google Search</div>' },
		},
	}),
	maps(number) {
		const [uri, title] = [`${SITE}/maps/${number}`, `Place ${number}`];
		const placeId = `places/${number}`;
		return { groundingMetadata: { groundingChunks: [{ maps: { uri, title, placeId } }] } };
	},
	url: (number) => page(number, 'SUCCESS'),
	failedUrl: (number) => page(number, 'ERROR'),
	citation: (number) => ({
		citationMetadata: {
			// As the vendor's API for everybody calls it; its cloud calls it `citations`.
			citationSources: [{ startIndex: 0, endIndex: 9, uri: `${SITE}/cited/${number}` }],
		},
	}),
};

/** The fields of a candidate that tell what a plan names as sources. */
function sourcesOf({ sources = [] }) {
	const whole = {};
	for (const [number, kind] of [sources].flat().entries()) {
		for (const [name, record] of Object.entries(KINDS[kind](number))) {
			const into = (whole[name] ??= {});
			for (const [field, value] of Object.entries(record)) {
				into[field] = Array.isArray(value) ? [...(into[field] ?? []), ...value] : value;
			}
		}
	}
	return whole;
}

module.exports = { sourcesOf, SOURCE_KINDS: Object.keys(KINDS) };
