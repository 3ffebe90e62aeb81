import { readDownloadOptions } from '../shared/download/downloadOptions';
import { toObject } from '../shared/lib/json';
import { readCarriedAround, readCarriedFiles } from '../shared/n8n/carried';
import { type Reader, readOutputField, refuseNothing } from '../shared/n8n/reader';
import type { Run } from '../shared/n8n/run';
import { toAsked } from '../shared/task/asked';
import type { RenderJob } from '../shared/task/job';
import { MAX_PER_DAY } from '../shared/task/videoLimits';
import { createHeldPictures } from './heldPictures';
import type { VideoJob } from './job';
import { checkPromptEarly, readKnown, readRequest, readWords } from './readRequest';
import { beginWith, findShots, readFilm } from './shots';
import { createWriters } from './writers';

/** Returns what reads the items of one run into jobs. */
export function createJobReader(run: Run) {
	const { forAgent, parameters, summaries } = run;
	const shots = findShots(run);
	const writers = createWriters(run);
	const held = createHeldPictures(run);
	const readers = new Map<number, Reader>();
	let maxVideos = Infinity;
	/** Returns whether the ledger has the task of an item that is to be paid for, or its unclear end. */
	const isKnown = ({ itemIndex, dryRun }: Pick<VideoJob, 'itemIndex' | 'dryRun'>) =>
		!dryRun && (run.taskIds.has(itemIndex) || run.unclear.has(itemIndex));
	const readModel = async (read: Reader) => {
		const words = readWords(read);
		await checkPromptEarly(read, words, writers.connect);
		return words.model;
	};
	return {
		/** Returns the smallest Max Videos per Execution of all items so far, readable or not. */
		maxVideos: () => maxVideos,
		/** Reads an item without its pictures, so that the limits are checked before they take memory. */
		async read(read: Reader): Promise<VideoJob> {
			const { itemIndex } = read;
			readers.set(itemIndex, read);
			const shot = shots.get(itemIndex);
			if (shot) summaries.set(itemIndex, { ...summaries.get(itemIndex), place: shot.place });
			const cost = read.options.group('cost');
			maxVideos = Math.min(maxVideos, cost.numberOrDefault('maxVideos', { min: 0, whole: true }));
			const { dryRun, maxVideosPerDay } = readCostOptions(read, toObject(parameters.options).cost);
			const waiting = readWait(read, forAgent);
			const file = readFile(read, waiting.wait, forAgent);
			readFilm(read);
			const { model, family } = isKnown({ itemIndex, dryRun })
				? await readKnown(writers, read, shot)
				: { model: await readModel(read), family: undefined };
			return {
				itemIndex,
				model,
				asked: toAsked(run, itemIndex, read),
				family: family?.label,
				notes: [],
				shot,
				dryRun,
				maxVideosPerDay,
				...waiting,
				...file,
				...(dryRun && { wait: 'none', downloadVideo: false }),
				rawResponse: read.options.boolean('rawResponse'),
				carried: forAgent ? undefined : { ...readCarriedAround(read), ...shot?.place },
				carriedFiles: forAgent ? undefined : readCarriedFiles(read),
			};
		},
		/** Reads the request of a job, unless its item had a known task. */
		async prepare(job: VideoJob): Promise<VideoJob> {
			if (isKnown(job)) return job;
			const read = readers.get(job.itemIndex)!;
			// A job with its request is not read again.
			readers.delete(job.itemIndex);
			const { family, ...sent } = await readRequest(run, writers, held, read, job);
			return { ...job, ...sent, family: family?.label };
		},
		/** Reads the request of a job whose item had a known task. */
		async readRequest(job: RenderJob & Pick<VideoJob, 'shot' | 'beginsWith'>) {
			const read = readers.get(job.itemIndex)!;
			const { request, asked } = await readRequest(run, writers, held, read, job);
			return { asked, request: beginWith(job, request) };
		},
		filesOf: held.filesOf,
		letGo: held.letGo,
	};
}

export type JobReader = ReturnType<typeof createJobReader>;

/** @param written the group as the person wrote it */
function readCostOptions({ options }: Reader, written: unknown) {
	const cost = options.group('cost');
	// An expression that gives nothing must not take a limit away.
	for (const name of ['dryRun', 'maxVideos', 'maxVideosPerDay']) {
		refuseNothing(cost, name, toObject(written)[name]);
	}
	return {
		dryRun: cost.boolean('dryRun'),
		maxVideosPerDay: cost.number('maxVideosPerDay', { min: 0, max: MAX_PER_DAY, whole: true }),
	};
}

const toMs = (seconds?: number) => (seconds === undefined ? undefined : seconds * 1000);

/** Reads how to wait for the video. */
function readWait(read: Reader, forAgent: boolean) {
	const { options } = read;
	const polling = options.group('polling');
	// An agent can follow an unfinished task, so a time-out is no reason to fail.
	const isTaskEnough = forAgent && !polling.isSet('onTimeout');
	return {
		wait: read.choice('wait') as VideoJob['wait'],
		pollIntervalMs: toMs(polling.number('pollInterval', { above: 0 })),
		maxWaitMs: options.numberOrDefault('maxWait', { above: 0 }) * 60_000,
		briefly: forAgent && !options.isSet('maxWait'),
		timeOutFails: !isTaskEnough && polling.choice('onTimeout') === 'fail',
		concurrency: Math.max(1, Math.floor(polling.numberOrDefault('concurrency', { above: 0 }))),
	};
}

/** Reads what to do with the file. */
function readFile(read: Reader, wait: VideoJob['wait'], forAgent: boolean) {
	return {
		downloadVideo: wait !== 'none' && read.boolean('downloadVideo'),
		...readDownloadOptions(read.options, readOutputField(read.options), forAgent),
	};
}
