import type { IDataObject } from 'n8n-workflow';

import { isObject, toObjects, toText } from '../lib/json';
import { findSegments, type ByteRange, type Segment } from './segments';

/** What an answer rests on. */
export interface Source {
	/** The protocol's word: `web`, `maps`, `retrievedContext`, `image`, `urlContext`, `citation`. */
	kind: string;
	title?: string;
	uri?: string;
	/** Of a page that was to be read, such as `URL_RETRIEVAL_STATUS_ERROR`. */
	status?: string;
	license?: string;
	/** The parts of the text that it supports, as far as the service says so. */
	supports?: Segment[];
}

export interface Sources {
	sources: Source[];
	webSearchQueries: string[];
}

/** Sources and a range of the text that they support. */
interface Claim {
	by: Array<Source | undefined>;
	range: ByteRange;
	partIndex: number;
}

/** In all; a support of a few words names its words again for each of its sources. */
const MAX_QUOTED_CHARS = 1_000_000;

/**
 * Reads what a candidate names as its sources.
 *
 * @param text of the candidate, without thoughts
 * @param partStarts where each of its parts begins in the text, in bytes
 */
export function readSources(candidate: IDataObject, text: string, partStarts: number[]): Sources {
	const { groundingMetadata, urlContextMetadata, citationMetadata } = candidate;
	const grounding = isObject(groundingMetadata) ? groundingMetadata : {};
	const list = createList();
	const chunks = Array.isArray(grounding.groundingChunks) ? grounding.groundingChunks : [];
	const sources = (chunks as unknown[]).map((chunk) => list.add(toSource(chunk)));
	const claims = toObjects(grounding.groundingSupports).map((support) =>
		toClaim(
			support.segment,
			toIndices(support).map((index) => sources[index]),
		),
	);
	if (isObject(urlContextMetadata)) {
		for (const { retrievedUrl, urlRetrievalStatus } of toObjects(urlContextMetadata.urlMetadata)) {
			const status = toText(urlRetrievalStatus);
			list.add({ kind: 'urlContext', uri: toText(retrievedUrl), status });
		}
	}
	if (isObject(citationMetadata)) {
		const { citations, citationSources } = citationMetadata;
		for (const citation of [...toObjects(citations), ...toObjects(citationSources)]) {
			claims.push(toClaim(citation, [list.add({ kind: 'citation', ...toFacts(citation) })]));
		}
	}
	support(claims, text, partStarts);
	const queries = grounding.webSearchQueries;
	return {
		sources: list.sources,
		webSearchQueries: Array.isArray(queries)
			? (queries as unknown[]).map(toText).filter((query) => query !== undefined)
			: [],
	};
}

/** One source for one address, whoever names it; later words fill in what is missing. */
function createList() {
	const sources: Source[] = [];
	const byUri = new Map<string, Source>();
	const add = (source: Source | undefined): Source | undefined => {
		if (source?.uri === undefined && source?.title === undefined) return undefined;
		const known = source.uri === undefined ? undefined : byUri.get(source.uri);
		const { status } = source;
		if (known) return Object.assign(known, { ...source, ...known, ...(status && { status }) });
		const own = Object.fromEntries(
			Object.entries(source).filter(([, value]) => value !== undefined),
		) as unknown as Source;
		sources.push(own);
		if (own.uri !== undefined) byUri.set(own.uri, own);
		return own;
	};
	return { sources, add };
}

/** `{web: {uri, title}}`, and the same under other names. */
function toSource(chunk: unknown): Source | undefined {
	if (!isObject(chunk)) return undefined;
	const [kind, said] = Object.entries(chunk).find(([, value]) => isObject(value)) ?? [];
	return kind === undefined ? undefined : { kind, ...toFacts(said as IDataObject) };
}

const toFacts = ({ title, uri, sourceUri, license }: IDataObject) => ({
	title: toText(title),
	uri: toText(uri) ?? toText(sourceUri),
	license: toText(license),
});

const toIndices = ({ groundingChunkIndices: indices }: IDataObject): number[] =>
	Array.isArray(indices) ? (indices as unknown[]).filter((index) => typeof index === 'number') : [];

/** Zeros are often left out. */
function toClaim(segment: unknown, by: Claim['by']): Claim {
	const { startIndex, endIndex, partIndex, text } = isObject(segment)
		? segment
		: ({} as IDataObject);
	const toNumber = (value: unknown, missing: number) =>
		typeof value === 'number' ? value : missing;
	const quoted = typeof text === 'string' && text !== '' ? text : undefined;
	return {
		by,
		range: { startIndex: toNumber(startIndex, 0), endIndex: toNumber(endIndex, -1), text: quoted },
		partIndex: toNumber(partIndex, 0),
	};
}

function support(claims: Claim[], text: string, partStarts: number[]): void {
	const ranges = claims.map(({ range }) => range);
	const startOf = (claim: number) => partStarts[claims[claim].partIndex] ?? 0;
	let quotedChars = 0;
	findSegments(text, ranges, startOf).forEach((segment, i) => {
		if (!segment) return;
		for (const source of new Set(claims[i].by)) {
			quotedChars += segment.text.length;
			if (source && quotedChars <= MAX_QUOTED_CHARS) (source.supports ??= []).push(segment);
		}
	});
}
