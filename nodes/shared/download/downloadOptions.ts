import type { Reader } from '../n8n/reader';

/** How many hours a link lasts if nobody has set it; used for agents and chats. */
export const DEFAULT_LINK_HOURS = 24;
/** A year: longer than n8n keeps executions. */
const MAX_LINK_HOURS = 8_760;

/** Those of Video Download; Download File in Video Generate always uses them. */
export const DEFAULT_TIMEOUT_S = 120;
export const DEFAULT_RETRIES = 5;

/** What a node's options say of a download. */
export interface DownloadOptions {
	/** The binary field of the item that gets the file. */
	binaryProperty: string;
	/** If absent, the file is named after the task. */
	fileName?: string;
	/** 0 for no link to the file; `undefined` if nobody has set it. */
	linkHours?: number;
	/** A file with more bytes ends the download. */
	maxSizeBytes?: number;
	/** A try is given up once nothing has arrived for this many milliseconds. */
	timeoutMs?: number;
	/** How many times a download that was cut, or refused for now, begins again. */
	retries?: number;
}

/** Returns how many hours a link to the file lasts; `undefined` if nobody has set it. */
export const readLinkHours = (options: Reader) =>
	options.number('link', { min: 0, max: MAX_LINK_HOURS });

/** Reads the options of all downloading nodes. An agent cannot pass on a file: it gets a link. */
export function readDownloadOptions(
	options: Reader,
	binaryProperty: string,
	forAgent: boolean,
): DownloadOptions {
	return {
		binaryProperty,
		fileName: options.optionalText('fileName').trim() || undefined,
		linkHours: readLinkHours(options) ?? (forAgent ? DEFAULT_LINK_HOURS : undefined),
	};
}

/** Reads the options of Video Download alone. */
export function readTransferOptions(options: Reader) {
	// A megabyte here has 1024 kilobytes, as people count.
	const megabytes = options.number('maxSize', { above: 0 });
	return {
		maxSizeBytes: megabytes === undefined ? undefined : megabytes * 1024 * 1024,
		timeoutMs: options.numberOrDefault('timeout', { above: 0 }) * 1000,
		retries: Math.floor(options.numberOrDefault('retries', { min: 0 })),
	};
}
