import type { ServiceAnswer } from '../service/http';

/** What an answer tells of the file that it brings, or brings a part of (RFC 9110, section 14). */
export interface FileFacts {
	/** The first byte that it brings; `NaN` where a part does not say which it is. */
	from: number;
	/** Bytes of the whole file, where told. */
	total?: number;
	etag?: string;
	lastModified?: string;
	/** What the server says of parts; many say nothing and give them all the same. */
	acceptRanges?: string;
}

export function readFacts({
	status,
	headers,
}: Pick<ServiceAnswer, 'status' | 'headers'>): FileFacts {
	const facts = {
		etag: headers.etag,
		lastModified: headers['last-modified'],
		acceptRanges: headers['accept-ranges']?.toLowerCase(),
	};
	if (status !== 206) return { ...facts, from: 0, total: readLength(headers) };
	const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
	return { ...facts, from: Number(from ?? NaN), total: toNumber(total) };
}

/** Of an encoded body the length is not that of the file. */
const readLength = (headers: Record<string, string>) =>
	headers['content-encoding'] ? undefined : toNumber(headers['content-length']);

const toNumber = (digits: string | undefined) =>
	/^\d+$/.test(digits ?? '') ? Number(digits) : undefined;

/**
 * Asks for what follows the first `size` bytes, on condition that the file is still the same.
 * Nothing is asked of a server that knows no parts. A weak ETag makes no condition.
 */
export function rangeHeaders(known: FileFacts | undefined, size: number): Record<string, string> {
	if (!known || size === 0 || known.acceptRanges === 'none') return {};
	const { etag, lastModified, acceptRanges } = known;
	const condition = etag?.startsWith('"') ? etag : lastModified;
	if (acceptRanges !== 'bytes' && condition === undefined) return {};
	return { Range: `bytes=${size}-`, ...(condition !== undefined && { 'If-Range': condition }) };
}

/** Whether a part goes on where `size` bytes of `known` ended. */
export const isRest = (part: FileFacts, known: FileFacts, size: number) =>
	part.from === size && isSameFile(part, known);

/** Whether two answers may be of one file: nothing that both tell differs. */
const isSameFile = (one: FileFacts, other: FileFacts) =>
	(['total', 'etag', 'lastModified'] as const).every(
		(fact) => one[fact] === undefined || other[fact] === undefined || one[fact] === other[fact],
	);
