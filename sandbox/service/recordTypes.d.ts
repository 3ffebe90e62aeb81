import type { Plan, TaskStatus } from './planTypes';

/** A base64 text over 1 kB: its length and hash as it was sent. */
export interface ShortenedText {
	length: number;
	sha256: string;
}

/** The JSON that was sent, whole: also the fields that the service drops. */
export interface RequestBody {
	model?: string;
	prompt?: string;
	image?: string | ShortenedText;
	metadata?: Record<string, unknown>;
	contents?: Array<{ role?: string; parts: Array<Record<string, unknown>> }>;
	[field: string]: unknown;
}

export interface RequestRecord {
	n: number;
	/** Milliseconds since 1970. */
	at: number;
	origin: 'service' | 'foreign';
	method: string;
	url: string;
	path: string;
	query: Record<string, string | string[]>;
	headers: Record<string, string | string[] | undefined>;
	/** Parsed; a text where it was no JSON, `undefined` where there was none. */
	body: RequestBody | undefined;
	taskId: string | undefined;
	/** What was answered; `null` where nothing was, or the answer was cut. */
	status: number | null;
	/** The credential that the service read on this address. */
	key: 'bearer' | 'header' | 'query' | 'none';
	/** The client went away before it had the whole answer. */
	aborted: boolean;
	/** Bytes of body that were written. */
	sentBytes: number;
}

export interface SandboxTask {
	task_id: string;
	at: number;
	key: string;
	model: string;
	/** The whole prompt, with its plan. */
	prompt: string;
	/** The fields that the service read. */
	request: Record<string, unknown>;
	/** Top-level fields that were sent and dropped in silence. */
	dropped: string[];
	plan: Plan;
	mode: 'text-to-video' | 'image-to-video';
	/** The length that is billed. */
	seconds: number;
	video: string;
	renderMs: number;
	polls: number;
	downloads: number;
	successSaidAt: number | undefined;
	status: TaskStatus;
}

export interface RequestFilter {
	origin?: 'service' | 'foreign';
	method?: string;
	/** The start of the path, or a pattern. */
	path?: string | RegExp;
	taskId?: string;
	status?: number | null;
}
