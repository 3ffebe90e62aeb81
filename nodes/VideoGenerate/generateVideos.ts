import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toAgentResult, toAgentWait } from '../shared/agent/videoAgent';
import { addVideo, CONCURRENT_DOWNLOADS } from '../shared/download/downloadVideo';
import { park, sayNotDurable, whyNotDurable } from '../shared/durable/park';
import { familyNamed } from '../shared/family/families';
import { type ListPrice, loadPrices } from '../shared/fields/price';
import { mergeCarried } from '../shared/item/carried';
import { type ItemResult, type Results, toOutput } from '../shared/item/output';
import { createRun, type Run } from '../shared/item/run';
import { attempt, runItems } from '../shared/item/runItems';
import { isBase64, mapTexts } from '../shared/lib/json';
import { createLimiter } from '../shared/lib/turns';
import { findRoute } from '../shared/service/askService';
import type { Connection } from '../shared/service/connection';
import type { Route } from '../shared/service/routes';
import { DATA_URI } from '../shared/service/form';
import type { SubmitRequest } from '../shared/service/submit';
import { createLedger, notePaidTasks } from '../shared/task/ledger';
import { noteBegin } from '../shared/task/lostRuns';
import { type Outcome, type Render, toItemResult } from '../shared/task/render';
import { createRenders } from '../shared/task/renderVideo';
import { noteStop } from '../shared/task/savedIds';
import { videoGenerateFields } from './fields';
import { createProgress, type Progress } from './progress';
import type { VideoJob } from './job';
import { createJobReader } from './readJob';
import { createChain, followLedger } from './shots';
import { isFailure } from '../shared/service/reason';

/** Reads and checks all items, submits, waits and downloads. Resolves to the output of the node. */
export async function generateVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = createRun(context, 'videoGenerationApi', videoGenerateFields, { submits: true });
	const removeNote = noteStop(run);
	const progress = createProgress(run);
	try {
		await noteBegin(run);
		notePaidTasks(run);
		const { read, maxVideos } = createJobReader(run);
		const { results, worker: batch } = await runItems(run, read, (connection, jobs) =>
			createBatch(run, connection, jobs, maxVideos(), progress),
		);
		const parked = await batch?.waitDurably(results);
		if (parked) {
			progress.onSleep(results);
			return parked;
		}
		progress.sumUp(results, batch !== undefined);
		tellToPin(run, results);
		return toOutput(run, results);
	} finally {
		removeNote();
		await progress.end();
	}
}

/**
 * Returns the work on the videos of one run.
 *
 * @param maxVideos how many videos the execution may submit
 */
export function createBatch(
	run: Run,
	connection: Connection,
	jobs: VideoJob[],
	maxVideos: number,
	progress: Progress,
) {
	const ledger = createLedger(run);
	// Dry runs alone are refused where the real run would be; beside real jobs, they do not count.
	const real = jobs.filter(({ dryRun }) => !dryRun);
	ledger.limitTo(maxVideos, followLedger(ledger, real.length > 0 ? real : jobs));
	const renders = createRenders(run, connection, ledger, jobs[0].concurrency, progress);
	const renderShot = createChain(run, ledger, renders.render);
	const downloads = createLimiter(CONCURRENT_DOWNLOADS, run.signal);
	const wait = findWait(run, jobs);
	/** The renders that a durable wait is to follow. */
	const rendering = new Map<VideoJob, Render>();
	/** The route that a submit would take, for dry runs. */
	let route: Promise<Route> | undefined;
	let prices: ReturnType<typeof loadPrices> | undefined;
	tellNotes(run, jobs);

	const finish = async (job: VideoJob, outcome: Outcome): Promise<ItemResult | undefined> => {
		const task = outcome && !isFailure(outcome) ? outcome : undefined;
		if (task) ledger.noteEnd(task);
		if (task?.state === 'rendering') {
			rendering.set(job, task.render);
			return toItemResult(outcome, job);
		}
		const withFile =
			job.downloadVideo && task?.state === 'done'
				? await downloads(async () => await addVideo(task.render, job, run, connection))
				: undefined;
		// If the run ends before the download begins, the item has the task alone.
		const result = withFile ?? toItemResult(outcome, job);
		progress.onOutcome(job, outcome, result, connection);
		return run.forAgent ? toAgentResult(result, outcome, connection) : result;
	};

	return {
		/** Takes a job from its ledger entry or its submit to its item; leaves a durable wait open. */
		async work(wanted: VideoJob): Promise<ItemResult | undefined> {
			if (wanted.dryRun) {
				const taken = wanted.route ?? (await (route ??= findRoute(connection)));
				const { model } = wanted;
				const family = familyNamed(wanted.family ?? '');
				const request = wanted.requestFor(taken, false);
				if (family) prices ??= loadPrices(connection);
				const list_price = family && (await prices)?.(family, model, request);
				return toDryRun(wanted, { request, list_price }, taken, connection, run.forAgent);
			}
			const possible = wanted.wait === 'none' ? wanted : { ...wanted, wait };
			const brief = run.forAgent ? toAgentWait(possible, ledger) : {};
			const job = { ...possible, ...brief };
			if (!job.shot) return await finish(job, await renders.render(job));
			const end = await renderShot(job);
			return await finish(end.job, end.outcome);
		},
		/** Resolves to the output while the node sleeps; `undefined` if no video is open any more. */
		async waitDurably(results: Results): Promise<INodeExecutionData[] | undefined> {
			if (rendering.size === 0) return undefined;
			if (run.signal.aborted) {
				// Nobody waits for these any more, so they are reported here.
				for (const [job, render] of rendering) {
					results[job.itemIndex] = await finish(job, { state: 'stopped', render });
				}
				return undefined;
			}
			const parked = await park(run, rendering, results);
			if ('items' in parked) return parked.items;
			sayNotDurable(run, parked.whyNot);
			const goOn = async (job: VideoJob, render: Render) =>
				await finish(job, await renders.poll(job, render));
			const waits = [...rendering].map(async ([job, render]) => {
				results[job.itemIndex] = await attempt(run, job.itemIndex, goOn(job, render));
			});
			await Promise.all(waits);
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

/** Says once for all items what is sent without being known to arrive. */
function tellNotes({ report }: Run, jobs: VideoJob[]): void {
	const notes = [...new Set(jobs.flatMap((job) => job.notes))];
	if (notes.length === 0) return;
	const message = `${notes.join('. ')}. Look at one video before you pay for many.`;
	report.warn(message);
	report.hint(message, 'warning');
}

const PIN =
	'While you build, pin this output. Without it, the next step that you execute pays for new videos.';
/** n8n pins no files. */
const USE_TASK_ID =
	'While you build, get this video by its task ID with Video Download: another run of this node pays for a new one.';

/** Tells who builds a workflow how to pay for its videos once. */
function tellToPin({ context, forAgent, report, stop, taskIds }: Run, results: Results): void {
	if (context.getMode() !== 'manual' || forAgent || stop.aborted || taskIds.size === 0) return;
	const hasFiles = results.some((result) => result && 'binary' in result);
	report.hint(hasFiles ? USE_TASK_ID : PIN, 'info');
}

const DRY_RUN_FOR_AGENT =
	'Dry Run is on: the request was checked and not submitted. There is no video and no task, and nothing is billed. Tell the person so.';
/** A longer text in the alphabet of base64 counts as a file. */
const MAX_BARE_CHARS = 1_000;
/** The beginning of a file shows its type. */
const SHOWN_CHARS = 40;

/** Returns the item of a job that is not submitted: its request, without the bytes of pictures. */
function toDryRun(
	{ model, family, notes, carried, sendsForm }: VideoJob,
	{ request, list_price }: { request: SubmitRequest; list_price?: ListPrice },
	route: Route,
	{ requestBody }: Connection,
	forAgent: boolean,
): ItemResult {
	const own: IDataObject = {
		dry_run: true,
		billed: 'no',
		model,
		...(family !== undefined && { family }),
		route: route.submitPath,
		body: route.takesForms && (requestBody === 'form' || sendsForm) ? 'form' : 'json',
		request: mapTexts(request, shortenFile) as IDataObject,
		...(list_price && { list_price }),
		...(notes.length > 0 && { notes }),
		...(forAgent && { message: DRY_RUN_FOR_AGENT }),
	};
	return { json: mergeCarried(carried, own) };
}

/** Returns the beginning and the size of a file in base64; any other text unchanged. */
function shortenFile(text: string): string {
	const isUri = DATA_URI.test(text);
	if (!isUri && (text.length <= MAX_BARE_CHARS || !isBase64(text))) return text;
	const base64 = text.slice(isUri ? text.indexOf(',') + 1 : 0);
	return `${text.slice(0, SHOWN_CHARS)}... (${Buffer.byteLength(base64, 'base64')} bytes)`;
}
