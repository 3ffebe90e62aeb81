import type { LiteralAnswer, Sandbox } from '../../../../sandbox/service';

/** A way to a video, and what each host on it really received. */
export interface WayRow {
	way: string;
	/** Who speaks https, in place of http. */
	https?: 'service' | 'storage';
	/** How the content endpoint answers, or a Source URL for Video Download. */
	content?: (sandbox: Sandbox) => LiteralAnswer;
	url?: (sandbox: Sandbox, task_id: string) => string;
	/** The task's result_url. */
	resultUrl?: (sandbox: Sandbox) => string;
	/** For Video Download alone, which can be told not to try again. */
	once?: true;
	/** Each request in order: which host, with or without the key, and what it answered. */
	goes: string[];
	/** Part of the message, where no video comes of it. */
	fails?: RegExp;
}

export const KEY = 'sandbox-key';
export const FILE = '/files/landscape.mp4';
/** The storage host under the service's own name. */
export const otherPort = ({ foreignUrl }: Sandbox) =>
	foreignUrl.replace('localhost', '127.0.0.1') + FILE;
export const contentOf = (task_id: string) => `/v1/videos/${task_id}/content`;
