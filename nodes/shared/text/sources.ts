import type { IDataObject } from 'n8n-workflow';

import { isObject, toObject, toObjects, toText } from '../lib/json';

/**
 * Something that an answer rests on. `kind` is `urlContext`, `citation` or a word of the protocol,
 * such as `web`; `status` says whether the model could read a page; `supports` quotes the answer.
 */
type Source = IDataObject & { supports?: Array<{ text: string }> };

/** Quoting stops after so many characters: each source of a support repeats the support's words. */
const MAX_QUOTED_CHARS = 1_000_000;

/** @param text the text of the candidate, without thoughts */
export function readSources(candidate: IDataObject, text: string) {
	const grounding = toObject(candidate.groundingMetadata);
	const urlContext = toObject(candidate.urlContextMetadata);
	const citation = toObject(candidate.citationMetadata);
	/** The sources by address; a source without one is its own key. */
	const sources = new Map<unknown, Source>();

	/** Adds a source; to one with the same address, only missing facts and the new status. */
	const add = (kind: string, entry: IDataObject): Source | undefined => {
		const facts = Object.entries({
			title: toText(entry.title),
			uri: toText(entry.uri) ?? toText(entry.sourceUri),
			status: toText(entry.status),
			license: toText(entry.license),
		}).filter(([, fact]) => fact !== undefined);
		const source: Source = { kind, ...Object.fromEntries(facts) };
		const { uri, title, status } = source;
		if (uri === undefined && title === undefined) return undefined;
		const first = sources.get(uri ?? source);
		if (first) return Object.assign(first, { ...source, ...first, ...(status && { status }) });
		sources.set(uri ?? source, source);
		return source;
	};

	const bytes = Buffer.from(text);
	let quotedChars = 0;
	/** @param segment holds the words, or their place in bytes; a start of 0 is often left out */
	const support = (by: Array<Source | undefined>, segment: IDataObject) => {
		const { startIndex = 0, endIndex } = segment;
		for (const source of new Set(by)) {
			if (!source || quotedChars > MAX_QUOTED_CHARS) continue;
			let words = segment.text;
			if (!words && typeof startIndex === 'number' && typeof endIndex === 'number') {
				const end = Math.min(endIndex, startIndex + MAX_QUOTED_CHARS);
				words = bytes.toString('utf8', startIndex, end);
			}
			if (typeof words !== 'string' || words === '') continue;
			quotedChars += words.length;
			(source.supports ??= []).push({ text: words });
		}
	};

	const chunks = Array.isArray(grounding.groundingChunks) ? grounding.groundingChunks : [];
	const named = (chunks as unknown[]).map((chunk) => {
		// A chunk looks like `{web: {uri, title}}`.
		const kinds = Object.entries(toObject(chunk));
		const [kind, entry] = kinds.find(([, value]) => isObject(value)) ?? [];
		return kind === undefined ? undefined : add(kind, entry as IDataObject);
	});
	for (const supported of toObjects(grounding.groundingSupports)) {
		const { segment, groundingChunkIndices: indices } = supported;
		if (!isObject(segment) || !Array.isArray(indices)) continue;
		const by = (indices as unknown[]).map((i) => (typeof i === 'number' ? named[i] : undefined));
		support(by, segment);
	}
	for (const { retrievedUrl, urlRetrievalStatus } of toObjects(urlContext.urlMetadata)) {
		add('urlContext', { uri: retrievedUrl, status: urlRetrievalStatus });
	}
	for (const cited of [...toObjects(citation.citations), ...toObjects(citation.citationSources)]) {
		support([add('citation', cited)], cited);
	}
	const queries = [grounding.webSearchQueries].flat().map(toText);
	const webSearchQueries = queries.filter((query) => query !== undefined);
	return { sources: [...sources.values()], webSearchQueries };
}
