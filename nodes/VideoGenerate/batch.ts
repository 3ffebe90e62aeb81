import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { tellAgent, toBrief } from '../shared/agent/videoAgent';
import { addVideo, CONCURRENT_DOWNLOADS } from '../shared/download/downloadVideo';
import { park, sayNotDurable, whyNotDurable } from '../shared/durable/park';
import { isFailed, type ItemResult, type Results } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { workAll } from '../shared/item/runItems';
import { isBase64, mapTexts } from '../shared/lib/json';
import { sentences } from '../shared/lib/text';
import { createLimiter } from '../shared/lib/turns';
import type { Connection } from '../shared/service/connection';
import { createBatchReport } from '../shared/task/batchReport';
import { createLedger } from '../shared/task/ledger';
import type { Outcome, Render } from '../shared/task/render';
import { openRenders } from '../shared/task/renderVideo';
import { toItemResult } from '../shared/task/taskResult';
import { followLedger, openFilms } from './chain';
import type { VideoJob } from './readJob';
import { RETRY } from './shots';
import { type Talk, toEndWords } from './talk';

/**
 * Returns the work on the videos of one run.
 * @param maxVideos how many videos the run may submit
 * @param talk tells listeners how far the videos are
 */
export function openBatch(
	run: Run,
	connection: Connection,
	jobs: VideoJob[],
	maxVideos = Infinity,
	talk?: Talk,
) {
	const ledger = createLedger(run, connection.baseUrl);
	// Dry runs alone are refused where the real run would be; beside real jobs, they do not count.
	const real = jobs.filter(({ dryRun }) => !dryRun);
	ledger.limitTo(maxVideos, followLedger(ledger, real.length > 0 ? real : jobs));
	const report = createBatchReport(run);
	const renders = openRenders(run, connection, ledger, jobs[0].concurrency, {
		onTask(job, render) {
			if (job.wait !== 'none' || render.reused) talk?.onTask(job.itemIndex, render);
		},
		onProgress(job, render) {
			report.onProgress(job, render);
			talk?.onProgress(job.itemIndex, render);
		},
	});
	const renderInOrder = openFilms(run, ledger, renders.render);
	const downloads = createLimiter(CONCURRENT_DOWNLOADS, run.signal);
	const wait = findWait(run, jobs);
	const open = new Map<VideoJob, Render>();

	const read = new Set(jobs.map(({ itemIndex }) => itemIndex));
	for (const i of run.items.keys()) if (!read.has(i)) talk?.onRefused(i);
	for (const { itemIndex, shot } of real) if (shot?.before !== undefined) talk?.onLater(itemIndex);

	const finish = async (job: VideoJob, outcome: Outcome): Promise<ItemResult | undefined> => {
		if (outcome.state === 'failed') ledger.forget(job);
		if (outcome.state === 'open') {
			open.set(job, outcome.render);
			return toItemResult(outcome, job);
		}
		const withFile =
			job.downloadVideo && outcome.state === 'done'
				? await downloads(async () => await addVideo(outcome.render, job, run, connection))
				: undefined;
		// If the run ends before the download begins, the item has the task alone.
		const result = withFile ?? toItemResult(outcome, job);
		// Others begin with it, so that running all again would cost more than its own video.
		if (isFailed(result) && job.shot && run.stopsOnFailure) {
			const { failure } = result;
			failure.description = sentences(failure.description, RETRY);
		}
		report.onOutcome(job.itemIndex, outcome, result);
		talk?.onEnd(job.itemIndex, toEndWords(run, connection, job, outcome, result));
		return run.forAgent ? tellAgent(result, outcome, connection) : result;
	};

	return {
		report,
		/** Takes a job from its ledger entry or its submit to its item; leaves a durable wait open. */
		async work(wanted: VideoJob): Promise<ItemResult | undefined> {
			if (wanted.dryRun) {
				report.onDryRun();
				talk?.onRefused(wanted.itemIndex);
				return toDryRun(wanted, run.forAgent);
			}
			const possible = wanted.wait === 'none' ? wanted : { ...wanted, wait };
			const job = run.forAgent ? { ...possible, ...toBrief(possible, ledger) } : possible;
			const end = await renderInOrder(job);
			return await finish(end.job, end.outcome);
		},
		/** Resolves to the output while the node sleeps; `undefined` if no video is open any more. */
		async waitDurably(results: Results): Promise<INodeExecutionData[] | undefined> {
			if (open.size === 0) return undefined;
			if (run.signal.aborted) {
				// Nobody waits for these any more, so they are reported here.
				for (const [job, render] of open) {
					results[job.itemIndex] = await finish(job, { state: 'stopped', render });
				}
				return undefined;
			}
			const parked = await park(run, open, results);
			if ('items' in parked) {
				talk?.onSleep(results);
				return parked.items;
			}
			sayNotDurable(run, parked.whyNot);
			const goOn = async (job: VideoJob) =>
				await finish(job, await renders.poll(job, open.get(job)!));
			await workAll(run, [...open.keys()], results, { work: goOn });
			return undefined;
		},
	};
}

/**
 * Returns one way of waiting for all jobs that wait. The node outputs its items together, so if one
 * job sleeps, another gains nothing from holding the process. If n8n cannot wait durably, all wait
 * in process, and the node says so.
 */
function findWait(run: Run, jobs: VideoJob[]): VideoJob['wait'] {
	if (jobs.every(({ wait }) => wait !== 'durable')) return 'inProcess';
	const why = whyNotDurable(run);
	if (why === undefined) return 'durable';
	sayNotDurable(run, why);
	return 'inProcess';
}

const DRY_RUN_FOR_AGENT =
	'Dry Run is on: the request was checked and not submitted. There is no video and no task, and nothing is billed. Tell the person so.';
/** A longer text in the alphabet of base64 counts as a file. */
const MAX_BARE_CHARS = 1_000;
/** The beginning of a file shows its type. */
const SHOWN_CHARS = 40;

/** Returns the item of a job that is not submitted: its request, without the bytes of pictures. */
function toDryRun({ request, family, carried }: VideoJob, forAgent: boolean): ItemResult {
	const json: IDataObject = {
		...carried,
		dry_run: true,
		model: request.model,
		...(family !== undefined && { family }),
		request: mapTexts(request, shortenFile) as IDataObject,
		billed: 'no',
		...(forAgent && { message: DRY_RUN_FOR_AGENT }),
	};
	return { json };
}

/** Returns the beginning and the size of a file in base64; any other text unchanged. */
function shortenFile(text: string): string {
	const isUri = /^data:[^,]{0,200};base64,/.test(text);
	if (!isUri && (text.length <= MAX_BARE_CHARS || !isBase64(text))) return text;
	const base64 = text.slice(isUri ? text.indexOf(',') + 1 : 0);
	return `${text.slice(0, SHOWN_CHARS)}... (${Buffer.byteLength(base64, 'base64')} bytes)`;
}
