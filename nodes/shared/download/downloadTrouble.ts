import type { Trouble } from '../service/trouble';

/** Why a download, or one try of it, gave no file. */
export interface DownloadTrouble {
	trouble: Trouble;
	/** When the service wants to be asked again. */
	retryAfterMs?: number;
	/** No other address of the same video would do better. */
	everywhere?: boolean;
	/** What comes now is not the file whose beginning is already handed on. */
	changed?: boolean;
}

const MIB = 1024 * 1024;

const endedEarly = (description: string): DownloadTrouble => ({
	trouble: { message: 'The download ended early', description, retryable: true },
});

export const connectionCut = (size: number) =>
	endedEarly(`The connection was cut after ${size} bytes`);

export const stalled = (size: number, timeoutMs: number) =>
	endedEarly(`No data arrived for ${timeoutMs / 1000} seconds after ${size} bytes`);

export const tooShort = (size: number, total: number) =>
	endedEarly(`Only ${size} of ${total} bytes arrived`);

export const endsInsideBox = (size: number) =>
	endedEarly(`The MP4 file ends inside a box after ${size} bytes`);

export const NO_ANSWER: DownloadTrouble = {
	trouble: { message: 'The service did not answer in time', retryable: true },
};

export const EMPTY: DownloadTrouble = {
	trouble: { message: 'The service sent an empty file', retryable: true },
};

export const NO_MP4: DownloadTrouble = {
	trouble: { message: 'The file is not an MP4', retryable: true },
};

export const CHANGED: DownloadTrouble = {
	trouble: { message: 'The video changed while it was being downloaded', retryable: true },
	changed: true,
};

export const ANOTHER_PART: DownloadTrouble = {
	trouble: {
		message: 'The service sent a different part of the video than requested',
		retryable: true,
	},
};

export const STOPPED: DownloadTrouble = {
	trouble: { message: 'The download was stopped', retryable: true },
	everywhere: true,
};

export const tooLarge = (maxBytes: number): DownloadTrouble => ({
	trouble: {
		message: `The video is larger than the ${Math.round(maxBytes / MIB)} MB that Max Size allows`,
		description: 'Raise Max Size in the options.',
		retryable: false,
	},
	everywhere: true,
});

/** n8n's own storage said no, say for want of space: another try would only cost time. */
export const notStored = (reason: unknown): DownloadTrouble => ({
	trouble: {
		message: 'n8n could not store the video',
		description: reason instanceof Error ? reason.message : undefined,
		retryable: false,
	},
	everywhere: true,
});
