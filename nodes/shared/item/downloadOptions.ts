import type { Reader } from './reader';

/** How many hours a link lasts if nobody has set it; used for agents and chats. */
export const DEFAULT_LINK_HOURS = 24;
/** A year: longer than n8n keeps executions. */
const MAX_LINK_HOURS = 8_760;

export interface DownloadOptions {
	/** The binary field of the item that gets the file. */
	binaryProperty: string;
	/** If absent, the file is named after the task. */
	fileName?: string;
	/** A file with more bytes ends the download. */
	maxSizeBytes?: number;
	/** 0 for no link to the file; `undefined` if nobody has set it. */
	linkHours?: number;
	/** A try is given up after this many milliseconds with less than 1 KB per second. */
	timeoutMs?: number;
	/** Return Last Frame is on: the picture is added beside the video. */
	asksLastFrame?: boolean;
	/** How many more tries each address gets after the last one that made progress. */
	retries?: number;
}

/** Returns how many hours a link to the file lasts; `undefined` if nobody has set it. */
export const readLinkHours = (options: Reader['options']) =>
	options.number('link', { min: 0, max: MAX_LINK_HOURS });

/** Reads the options of all downloading nodes. An agent cannot pass on a file: it gets a link. */
export function readDownloadOptions(
	options: Reader['options'],
	binaryProperty: string,
	forAgent: boolean,
): DownloadOptions {
	const linkHours = readLinkHours(options);
	return {
		binaryProperty,
		fileName: options.optionalText('fileName').trim() || undefined,
		linkHours: linkHours ?? (forAgent ? DEFAULT_LINK_HOURS : undefined),
	};
}
