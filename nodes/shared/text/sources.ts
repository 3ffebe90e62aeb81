import type { IDataObject } from 'n8n-workflow';

import { isObject, toObjects, toText } from '../lib/json';

/** Something that an answer rests on. */
export interface Source {
	/** The protocol's word: `web`, `maps`, `retrievedContext`, `image`, `urlContext`, `citation`. */
	kind: string;
	title?: string;
	uri?: string;
	/** The state of a page that the model was to read, such as `URL_RETRIEVAL_STATUS_ERROR`. */
	status?: string;
	license?: string;
	/** The words of the answer that the source supports, if the service says so. */
	supports?: Array<{ text: string }>;
}

export interface Sources {
	sources: Source[];
	webSearchQueries: string[];
}

/** The limit for all quotes together: a support is quoted once for each of its sources. */
const MAX_QUOTED_CHARS = 1_000_000;

/**
 * Returns the sources that a candidate names.
 *
 * @param text the text of the candidate, without thoughts
 */
export function readSources(candidate: IDataObject, text: string): Sources {
	const { groundingMetadata, urlContextMetadata, citationMetadata } = candidate;
	const grounding = isObject(groundingMetadata) ? groundingMetadata : {};
	const urlContext = isObject(urlContextMetadata) ? urlContextMetadata : {};
	const citation = isObject(citationMetadata) ? citationMetadata : {};
	const sources: Source[] = [];
	const byUri = new Map<string, Source>();

	/**
	 * Adds a source. One address is one source, whoever names it: a later mention fills in what is
	 * missing, and a later status replaces the earlier one.
	 */
	const add = (source: Source): Source | undefined => {
		const { uri, title, status } = source;
		if (uri === undefined && title === undefined) return undefined;
		const known = uri === undefined ? undefined : byUri.get(uri);
		if (known) return Object.assign(known, { ...source, ...known, ...(status && { status }) });
		sources.push(source);
		if (uri !== undefined) byUri.set(uri, source);
		return source;
	};

	const bytes = Buffer.from(text);
	let quotedChars = 0;
	/** @param segment holds the words, or else their place in bytes */
	const support = (by: Array<Source | undefined>, segment: IDataObject) => {
		for (const source of new Set(by)) {
			if (!source || quotedChars > MAX_QUOTED_CHARS) continue;
			const words = segment.text || wordsAt(bytes, segment);
			if (typeof words !== 'string' || words === '') continue;
			quotedChars += words.length;
			(source.supports ??= []).push({ text: words });
		}
	};

	const chunks = Array.isArray(grounding.groundingChunks) ? grounding.groundingChunks : [];
	const named = (chunks as unknown[]).map((chunk) => {
		// A chunk looks like `{web: {uri, title}}`.
		const [kind, said] = Object.entries(isObject(chunk) ? chunk : {}).find(([, value]) =>
			isObject(value),
		) ?? [''];
		return kind === '' ? undefined : add({ kind, ...toFacts(said as IDataObject) });
	});
	for (const { segment, groundingChunkIndices } of toObjects(grounding.groundingSupports)) {
		if (!isObject(segment) || !Array.isArray(groundingChunkIndices)) continue;
		const indices = groundingChunkIndices as unknown[];
		support(
			indices.map((index) => named[index as number]),
			segment,
		);
	}
	for (const { retrievedUrl, urlRetrievalStatus } of toObjects(urlContext.urlMetadata)) {
		add({ kind: 'urlContext', ...toFacts({ uri: retrievedUrl, status: urlRetrievalStatus }) });
	}
	for (const cited of [...toObjects(citation.citations), ...toObjects(citation.citationSources)]) {
		support([add({ kind: 'citation', ...toFacts(cited) })], cited);
	}
	const queries = grounding.webSearchQueries;
	return {
		sources,
		webSearchQueries: (Array.isArray(queries) ? (queries as unknown[]) : [])
			.map(toText)
			.filter((query) => query !== undefined),
	};
}

/** Returns only the facts that a source has. */
function toFacts({ title, uri, sourceUri, license, status }: IDataObject): Partial<Source> {
	const facts = {
		title: toText(title),
		uri: toText(uri) ?? toText(sourceUri),
		status: toText(status),
		license: toText(license),
	};
	return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
}

/** Services often leave out a `startIndex` of zero. */
const wordsAt = (text: Buffer, { startIndex = 0, endIndex }: IDataObject): string =>
	typeof startIndex === 'number' && typeof endIndex === 'number'
		? text.toString('utf8', startIndex, Math.min(endIndex, startIndex + MAX_QUOTED_CHARS))
		: '';
