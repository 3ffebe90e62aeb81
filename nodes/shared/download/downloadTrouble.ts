import type { ServiceError } from '../service/trouble';

/** Why a download, or one try of it, gave no file. */
export interface DownloadFault {
	error: ServiceError;
	/** When the service wants to be asked again. */
	retryAfterMs?: number;
	/** No other address of the same video would do better. */
	everywhere?: boolean;
	/** What comes now is not the file whose beginning is already handed on. */
	changed?: boolean;
}

const MIB = 1024 * 1024;

const endedEarly = (description: string): DownloadFault => ({
	error: { message: 'The download ended early', description, retryable: true },
});

export const connectionCut = (size: number) =>
	endedEarly(`the connection was cut after ${size} bytes`);

export const stalled = (size: number, timeoutMs: number) =>
	endedEarly(`no byte came for ${timeoutMs / 1000} seconds after ${size} bytes`);

export const tooShort = (size: number, total: number) =>
	endedEarly(`${size} of ${total} bytes came`);

export const endsInsideBox = (size: number) =>
	endedEarly(`the file ends inside a box after ${size} bytes`);

export const NO_ANSWER: DownloadFault = {
	error: { message: 'The service did not answer in time', retryable: true },
};

export const EMPTY: DownloadFault = {
	error: { message: 'The service sent an empty file', retryable: true },
};

export const NO_MP4: DownloadFault = {
	error: { message: 'What the service sent is no MP4 file', retryable: true },
};

export const CHANGED: DownloadFault = {
	error: { message: 'The video changed while it was downloaded', retryable: true },
	changed: true,
};

export const ANOTHER_PART: DownloadFault = {
	error: { message: 'The service sent another part of the video than asked for', retryable: true },
};

export const STOPPED: DownloadFault = {
	error: { message: 'The download was stopped', retryable: true },
	everywhere: true,
};

export const tooLarge = (maxBytes: number): DownloadFault => ({
	error: {
		message: `The video is larger than the ${Math.round(maxBytes / MIB)} MB that Max Size allows`,
		description: 'Raise Max Size in the options.',
		retryable: false,
	},
	everywhere: true,
});

/** n8n's own storage said no, say for want of space: another try would only cost time. */
export const notStored = (reason: unknown): DownloadFault => ({
	error: {
		message: 'n8n could not store the video',
		description: reason instanceof Error ? reason.message : undefined,
		retryable: false,
	},
	everywhere: true,
});
