'use strict';

// What an answer rests on, as the vendor's own API tells it. Offsets are bytes of the whole text.

const SITE = 'https://sources.example';

/** The sentence with this number, beginning again behind the last. */
function segmentOf(text, number) {
	const sentences = text.match(/[^.]+\.?\s*/g) ?? [text];
	const index = number % sentences.length;
	const startIndex = Buffer.byteLength(sentences.slice(0, index).join(''));
	const said = sentences[index].trimEnd();
	// The vendor leaves zeros out.
	return {
		...(startIndex > 0 && { startIndex }),
		endIndex: startIndex + Buffer.byteLength(said),
		text: said,
	};
}

const grounded = (chunk, segment, more = {}) => ({
	groundingMetadata: {
		...more,
		groundingChunks: [chunk],
		groundingSupports: [{ segment, groundingChunkIndices: [0], confidenceScores: [0.9] }],
	},
});
const page = (number, status) => {
	const urlRetrievalStatus = `URL_RETRIEVAL_STATUS_${status}`;
	const urlMetadata = [{ retrievedUrl: `${SITE}/page/${number}`, urlRetrievalStatus }];
	return { urlContextMetadata: { urlMetadata } };
};

const KINDS = {
	search: (number, segment) =>
		grounded({ web: { uri: `${SITE}/search/${number}`, title: `Found ${number}` } }, segment, {
			webSearchQueries: [`query ${number}`],
			searchEntryPoint: { renderedContent: '<div>Google Search</div>' },
		}),
	maps(number, segment) {
		const [uri, title] = [`${SITE}/maps/${number}`, `Place ${number}`];
		return grounded({ maps: { uri, title, placeId: `places/${number}` } }, segment);
	},
	url: (number) => page(number, 'SUCCESS'),
	failedUrl: (number) => page(number, 'ERROR'),
	citation: (number, { startIndex, endIndex }) => ({
		citationMetadata: {
			// As the vendor's API for everybody calls it; its cloud calls it `citations`.
			citationSources: [{ startIndex, endIndex, uri: `${SITE}/cited/${number}`, license: 'mit' }],
		},
	}),
};

/** What a plan names as sources, each by itself. */
const sourcesOf = ({ sources = [] }, text) =>
	[sources].flat().map((kind, number) => KINDS[kind](number, segmentOf(text, number)));

/** Several of them as one answer tells them: the places of chunks count on. */
function together(sources) {
	const whole = {};
	for (const source of sources) {
		for (const [name, record] of Object.entries(source)) {
			const into = (whole[name] ??= {});
			const before = into.groundingChunks?.length ?? 0;
			for (const [field, value] of Object.entries(record)) {
				if (!Array.isArray(value)) into[field] = value;
				else into[field] = [...(into[field] ?? []), ...value.map((one) => moved(one, before))];
			}
		}
	}
	return whole;
}

const moved = (entry, before) =>
	entry.groundingChunkIndices
		? { ...entry, groundingChunkIndices: entry.groundingChunkIndices.map((at) => at + before) }
		: entry;

/** How the chunks of a stream tell of them. */
const WAYS = {
	last: (sources, index, count) => (index === count - 1 ? together(sources) : {}),
	spread: (sources, index, count) =>
		together(sources.filter((_source, at) => Math.min(at, count - 1) === index)),
	growing: (sources, index, count) =>
		together(index === count - 1 ? sources : sources.slice(0, index + 1)),
};

module.exports = { sourcesOf, together, WAYS, SOURCE_KINDS: Object.keys(KINDS) };
