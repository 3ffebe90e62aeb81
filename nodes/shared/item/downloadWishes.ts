import type { Reader } from './reader';

/** Hours of a link that nobody has set: those of an agent and of a chat. */
export const DEFAULT_LINK_HOURS = 24;
/** A year: longer than n8n keeps executions. */
const MAX_LINK_HOURS = 8_760;

/** A person's wishes for the file of a video. */
export interface DownloadWishes {
	/** The binary field of the item that gets the file. */
	binaryProperty: string;
	/** Without one, the file is named after the task. */
	fileName?: string;
	/** More bytes than that end the download. */
	maxSizeBytes?: number;
	/** Whether addresses that no credential names may be inside the network. */
	allowPrivate?: boolean;
	/** 0 for no link to the file; `undefined` where nobody has set it. */
	linkHours?: number;
	/** Milliseconds without a byte after which a try is given up. */
	timeoutMs?: number;
	/** Further tries of each address, after the last that brought the file on. */
	retries?: number;
}

/** Reads the options of all nodes that download. An agent cannot hand on a file, so it gets a link. */
export function readDownloadWishes(
	options: Reader['options'],
	binaryProperty: string,
	forAgent: boolean,
): DownloadWishes {
	// As people count them: of 1024 kilobytes.
	const megabytes = options.number('maxSize', { above: 0 });
	const linkHours = options.number('link', { min: 0, max: MAX_LINK_HOURS });
	return {
		binaryProperty,
		maxSizeBytes: megabytes === undefined ? undefined : megabytes * 1024 * 1024,
		allowPrivate: options.boolean('allowPrivateAddresses'),
		linkHours: linkHours ?? (forAgent ? DEFAULT_LINK_HOURS : undefined),
	};
}
