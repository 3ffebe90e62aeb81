import type { Run } from '../item/run';
import { lowerFirst, sentences } from '../lib/text';
import { type Address, type Connection, toUrl } from '../service/connection';
import { toHttpUrl } from '../service/credential';
import { isUnknownTask, type Trouble } from '../service/trouble';
import { isFinal, type VideoTask } from '../service/videoTask';
import type { Step } from '../task/step';
import type { LookUp } from './addressRule';
import type { Linking } from './link';
import { type Downloading, type StoreRequest, storeVideo, type VideoFile } from './storeVideo';

/**
 * Videos under way at once, apart from submissions and polls, which must not wait for a long file.
 * Each holds a connection, none holds its file in memory.
 */
export const CONCURRENT_DOWNLOADS = 4;

interface DownloadRequest extends StoreRequest {
	/** The documented content endpoint of a task, or what the person gave. */
	address: Address;
	/** Tells the task once that address gives nothing: its `result_url` may. */
	checkTask?: () => Promise<Step>;
	/** Checks before the first try: whoever asks may ask too early, and tries take half a minute. */
	checkFirst?: boolean;
}

type DownloadResult =
	| { kind: 'file'; file: VideoFile }
	/** `task` where it was checked on the way. */
	| { kind: 'failed'; trouble: Trouble; task?: VideoTask };

export const toDownloading = (run: Run, connection: Connection): Downloading => ({
	connection,
	clock: run.clock,
	signal: run.signal,
	maxPauseMs: run.maxPauseMs,
	lookUp: createLookUp(run.context.helpers),
	store: async (stream, fileName, mimeType) =>
		await run.context.helpers.prepareBinaryData(stream, fileName, mimeType),
	linking: toLinking(run.context),
});

/** Either may be missing: in old n8n, and where n8n cannot tell. */
function toLinking(context: Run['context']): Linking {
	const { helpers } = context;
	return {
		sign:
			'createBinarySignedUrl' in helpers
				? (binary, expiresIn) => helpers.createBinarySignedUrl(binary, expiresIn)
				: undefined,
		editorUrl: 'getInstanceBaseUrl' in context ? context.getInstanceBaseUrl() : undefined,
	};
}

/**
 * n8n 2.41 resolves names for nodes, and says whether its own rules (N8N_SSRF_...) refuse what it
 * finds, also where its protection is off. Older ones have no such thing.
 */
function createLookUp(helpers: Partial<Run['context']['helpers']>): LookUp {
	return async (url) => {
		try {
			const filter = helpers.getSecureEgressFilter?.('enforced');
			if (!filter) return [];
			const { ok } = await filter.validateUrl(url);
			if (!ok) return 'refused';
			return await new Promise((resolve) => {
				const onResult = (_error: unknown, found: unknown) => resolve(toAddresses(found));
				filter.createSecureLookup()(url.hostname, { all: true }, onResult);
			});
		} catch {
			// No such name here. Behind a proxy only the proxy knows it.
			return [];
		}
	};
}

const toAddresses = (found: unknown): string[] =>
	Array.isArray(found) ? found.map(({ address }: { address: string }) => address) : [];

/** Downloads one video, with retries: from its address, or else from its task's `result_url`. */
export async function downloadVideo(
	request: DownloadRequest,
	downloading: Downloading,
): Promise<DownloadResult> {
	const { address, checkTask } = request;
	const early = request.checkFirst ? await checkTask?.() : undefined;
	if (early && isUnknown(early)) return { kind: 'failed', trouble: early.trouble };
	if (early && !metTrouble(early) && early.render.task.status !== 'SUCCESS') {
		const { task } = early.render;
		return { kind: 'failed', trouble: byState({ message: '', retryable: true }, task), task };
	}
	/** Of a task that will never have a video at this address. */
	let hopeless: Step | undefined;
	const isInVain = async ({ httpCode }: Trouble) => {
		if (!checkTask || httpCode === undefined || !NOT_THERE.has(httpCode)) return false;
		const found = await checkTask();
		if (isUnknown(found) || found.state === 'failed') hopeless = found;
		return hopeless !== undefined;
	};
	const first = await storeVideo(address, { ...request, isInVain }, downloading);
	if ('file' in first) return { kind: 'file', file: first.file };
	const { trouble } = first;
	if (first.everywhere || !checkTask) return { kind: 'failed', trouble };
	const check = hopeless ?? (await checkTask());
	if (isUnknown(check)) return { kind: 'failed', trouble: check.trouble };
	if (metTrouble(check)) {
		const words = `The task could not be checked either: ${lowerFirst(check.trouble.message)}`;
		return { kind: 'failed', trouble: addWords(trouble, words) };
	}
	const { task } = check.render;
	const other = toHttpUrl(task.result_url)?.href;
	if (
		other === undefined ||
		other === toHttpUrl(toUrl(address, downloading.connection.baseUrl))?.href
	) {
		return { kind: 'failed', trouble: byState(trouble, task), task };
	}
	const second = await storeVideo(other, request, downloading);
	if ('file' in second) return { kind: 'file', file: second.file };
	if (second.everywhere) return { kind: 'failed', trouble: second.trouble, task };
	const { message, description } = second.trouble;
	const words = sentences(
		`Its result_url did not work either: ${lowerFirst(message)}`,
		description,
	);
	return { kind: 'failed', trouble: addWords(trouble, words), task };
}

const metTrouble = (check: Step): check is Step & { trouble: Trouble } =>
	'trouble' in check && check.trouble !== undefined;

/** What the content endpoint says of a task without a video, and of one with it for a moment. */
const NOT_THERE = new Set([400, 404]);

/** The record says so itself: no try of any address changes that. */
const isUnknown = (check: Step): check is Step & { trouble: Trouble } =>
	metTrouble(check) && isUnknownTask(check.trouble);

const addWords = (trouble: Trouble, words: string | undefined): Trouble => ({
	...trouble,
	description: sentences(trouble.description, words),
});

/** A task without a video says more than the content endpoint does. */
function byState(trouble: Trouble, { status }: VideoTask): Trouble {
	if (status === 'SUCCESS') return trouble;
	const message = isFinal(status)
		? 'The render ended in FAILURE, so there is no video'
		: `The render is not finished and its task is still ${status}`;
	return { ...trouble, message, retryable: !isFinal(status) };
}
