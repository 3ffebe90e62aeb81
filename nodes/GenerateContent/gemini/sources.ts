import type { IDataObject } from 'n8n-workflow';

import { toObject, toObjects, toText } from '../../shared/lib/json';
import { onlyFilled } from './protocol';

/**
 * Returns what an answer rests on, once for each address. `kind` is `urlContext`, `citation` or a word
 * of the protocol, such as `web`; `status` says whether the model could read a page.
 *
 * @param candidates the candidate in each chunk: some services repeat what earlier chunks told
 */
export function readSources(candidates: IDataObject[]): IDataObject[] {
	const sources = candidates.flatMap((candidate) => {
		const { groundingChunks } = toObject(candidate.groundingMetadata);
		const { urlMetadata } = toObject(candidate.urlContextMetadata);
		// The vendor's API for everybody calls them `citationSources`, its cloud `citations`.
		const { citations, citationSources } = toObject(candidate.citationMetadata);
		return [
			// A chunk looks like `{web: {uri, title}}`.
			...toObjects(groundingChunks).flatMap((chunk) =>
				Object.entries(chunk).map(([kind, entry]) => toSource(kind, toObject(entry))),
			),
			...toObjects(urlMetadata).map(({ retrievedUrl: uri, urlRetrievalStatus: status }) =>
				toSource('urlContext', { uri, status }),
			),
			...[citations, citationSources]
				.flatMap(toObjects)
				.map((cited) => toSource('citation', cited)),
		];
	});
	const named = sources.filter(({ uri, title }) => uri !== undefined || title !== undefined);
	return [...new Map(named.map((source) => [source.uri ?? source.title, source])).values()];
}

const toSource = (kind: string, { title, uri, status }: IDataObject): IDataObject =>
	onlyFilled({ kind, title: toText(title), uri: toText(uri), status: toText(status) });
