import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { createVideoAgent } from '../shared/agent/videoAgent';
import { addVideo, CONCURRENT_DOWNLOADS } from '../shared/download/downloadVideo';
import { park, sayNotDurable, whyNotDurable } from '../shared/durable/park';
import type { ItemResult, Results } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { workAll } from '../shared/item/runItems';
import { isBase64, mapTexts } from '../shared/lib/json';
import { delayedSignal } from '../shared/lib/time';
import { createLimiter } from '../shared/lib/turns';
import type { Connection } from '../shared/service/connection';
import { submit } from '../shared/service/videoApi';
import { type BatchReport, createBatchReport } from '../shared/task/batchReport';
import { saveTaskId, SUBMIT_GRACE_MS } from '../shared/task/customData';
import { createLedger, type Ledger } from '../shared/task/ledger';
import { openFetch, openSeldomFetch } from '../shared/task/openFetch';
import type { Outcome, Render } from '../shared/task/render';
import { toItemResult } from '../shared/task/renderResult';
import { poll, type Rendering, renderVideo } from '../shared/task/renderVideo';
import type { VideoJob } from './readJob';
import { type Talk, toEndWords } from './talk';

/** The videos of one run. */
export interface Batch {
	/** Works from the ledger or the submit to the item; leaves a durable wait open. */
	work: (job: VideoJob) => Promise<ItemResult | undefined>;
	/** Resolves to the node's output while it sleeps for the open ones; `undefined` where none is open. */
	waitDurably: (results: Results) => Promise<INodeExecutionData[] | undefined>;
	report: BatchReport;
}

/**
 * @param maxVideos how many videos the run may submit
 * @param talk tells somebody who listens how far the videos are
 */
export function openBatch(
	run: Run,
	connection: Connection,
	jobs: VideoJob[],
	maxVideos = Infinity,
	talk?: Talk,
): Batch {
	const ledger = createLedger(run, connection.baseUrl);
	keepToLimit(run, jobs, ledger, maxVideos);
	const report = createBatchReport(run, run.items.length - jobs.length);
	const downloads = createLimiter(CONCURRENT_DOWNLOADS, run.signal);
	const agent = run.forAgent ? createVideoAgent(run, connection, ledger) : undefined;
	const wait = findWait(run, jobs);
	const open = new Map<VideoJob, Render>();

	const read = new Set(jobs.map(({ itemIndex }) => itemIndex));
	for (const i of run.items.keys()) if (!read.has(i)) talk?.onRefused(i);

	const { clock, signal, maxPauseMs } = run;
	const submitSignal = delayedSignal(run.stop, SUBMIT_GRACE_MS);
	const fetchTask = openFetch(connection, { clock, signal });
	const rendering: Rendering = {
		...{ clock, signal, maxPauseMs, ledger, fetchTask },
		limiter: createLimiter(jobs[0].concurrency, signal),
		openSeldomFetch: openSeldomFetch(connection, fetchTask, { clock, signal }),
		submit: async (body) => await submit(connection, body, submitSignal),
		keep(job, render) {
			ledger.keep(job, render);
			saveTaskId(run, job.itemIndex, render.task.task_id);
			if (job.wait !== 'none') talk?.onTask(job.itemIndex, render);
		},
		// "Retry execution" is an execution of its own, to be found by the ID as well.
		onReused({ itemIndex }, render) {
			saveTaskId(run, itemIndex, render.task.task_id);
			talk?.onTask(itemIndex, render);
		},
		onNoTask(job, { state, trouble }) {
			if (state === 'unclear') ledger.keepUnclear(job, run.show(trouble));
			run.onFailure();
		},
		onProgress(job, render) {
			report.onProgress(job, render);
			talk?.onProgress(job.itemIndex, render);
		},
		onEnd(job, { state }) {
			if (state === 'timedOut' ? job.timeOutFails : state !== 'done') run.onFailure();
		},
	};

	const finish = async (job: VideoJob, outcome: Outcome): Promise<ItemResult | undefined> => {
		if (outcome.state === 'failed') ledger.forget(job);
		if (outcome.state === 'open') {
			open.set(job, outcome.render);
			return toItemResult(outcome, job);
		}
		const result =
			job.downloadVideo && outcome.state === 'done'
				? await downloads(async () => await addVideo(outcome.render, job, run, connection))
				: toItemResult(outcome, job);
		report.onOutcome(outcome, result);
		const words = talk && toEndWords(run, connection, job, outcome, result);
		if (words !== undefined) talk?.onEnd(job.itemIndex, words);
		return agent ? agent.tell(result, outcome) : result;
	};

	return {
		report,
		async work(wanted) {
			if (wanted.dryRun) {
				report.onDryRun();
				talk?.onRefused(wanted.itemIndex);
				return toDryRun(wanted, run.forAgent);
			}
			const job = wanted.wait === 'none' ? wanted : { ...wanted, wait };
			if (!agent) return await finish(job, await renderVideo(job, rendering));
			return await ledger.inTurn(job, async () => {
				// Calls for the same request have had their turn since, and may have submitted each its own.
				keepToLimit(run, [job], ledger, maxVideos);
				const brief = agent.toBrief(job);
				return await finish(brief, await renderVideo(brief, rendering));
			});
		},
		async waitDurably(results) {
			if (open.size === 0) return undefined;
			if (run.signal.aborted) {
				// Nobody waits for them any more, so this is where they are told of.
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
				await finish(job, await poll(job, open.get(job)!, rendering));
			await workAll(run, [...open.keys()], results, { work: goOn });
			return undefined;
		},
	};
}

/**
 * Returns one way of waiting for all jobs that wait: the node gives its items together, so where one
 * sleeps, a job beside it gains nothing from holding the process. Where n8n cannot wait durably, all
 * wait in process, and the node says so.
 */
function findWait(run: Run, jobs: VideoJob[]): VideoJob['wait'] {
	if (jobs.every(({ wait }) => wait !== 'durable')) return 'inProcess';
	const why = whyNotDurable(run);
	if (why === undefined) return 'durable';
	sayNotDurable(run, why);
	return 'inProcess';
}

/**
 * Refuses all jobs where they are more than Max Videos per Run. Called before anything is sent, because
 * a submit cannot be taken back. A dry run is refused like the run that it foretells.
 */
function keepToLimit(
	{ context, forAgent }: Run,
	jobs: VideoJob[],
	ledger: Ledger,
	max: number,
): void {
	if (max === Infinity) return;
	const real = jobs.filter(({ dryRun }) => !dryRun);
	const { wanted, before } = ledger.count(real.length > 0 ? real : jobs);
	if (wanted === 0 || before + wanted <= max) return;
	const videos = `${max} ${max === 1 ? 'video' : 'videos'}`;
	const message = forAgent
		? `This execution may submit ${videos} (Max Videos per Run), and ${before} of them ${before === 1 ? 'is' : 'are'} submitted already`
		: `This run would submit ${wanted} videos, and Max Videos per Run is ${max}`;
	const description = forAgent
		? 'Nothing was submitted. Do not ask for further videos; tell the person that the limit is reached.'
		: 'Nothing was submitted. Send fewer items, or raise Max Videos per Run.';
	throw new NodeOperationError(context.getNode(), message, { description });
}

const DRY_RUN_FOR_AGENT =
	'Dry Run is on: the request was checked and not submitted. There is no video and no task, and nothing is billed. Tell the person so.';
/** A longer text in the alphabet of base64 is taken for a file. */
const MAX_BARE_CHARS = 1_000;
/** A file's beginning tells what it is. */
const SHOWN_CHARS = 40;

/** Returns the item of a job that is not submitted: its request, without the bytes of pictures. */
function toDryRun({ request, family, carried }: VideoJob, forAgent: boolean): ItemResult {
	const json: IDataObject = {
		...carried,
		dry_run: true,
		model: request.model,
		...(family !== undefined && { family }),
		request: mapTexts(request, withoutBytes) as IDataObject,
		...(forAgent && { message: DRY_RUN_FOR_AGENT }),
	};
	return { json };
}

/** Returns a file in base64 as its beginning and its size, and any other text as it is. */
function withoutBytes(text: string): string {
	const isUri = /^data:[^,]{0,200};base64,/.test(text);
	if (!isUri && (text.length <= MAX_BARE_CHARS || !isBase64(text))) return text;
	const base64 = text.slice(isUri ? text.indexOf(',') + 1 : 0);
	return `${text.slice(0, SHOWN_CHARS)}... (${Buffer.byteLength(base64, 'base64')} bytes)`;
}
