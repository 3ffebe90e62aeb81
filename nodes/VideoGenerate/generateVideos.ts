import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toAgentResult, toAgentWait } from '../shared/agent/videoAgent';
import { addFiles, CONCURRENT_DOWNLOADS } from '../shared/download/downloadFiles';
import { isFailure } from '../shared/failure/failure';
import { createLimiter } from '../shared/lib/turns';
import { type ItemResult, type Results, toOutput } from '../shared/n8n/output';
import { createRun, type Run } from '../shared/n8n/run';
import { attempt, runItems } from '../shared/n8n/runItems';
import type { Connection } from '../shared/services/connection';
import { createLedger, notePaidTasks } from '../shared/task/ledger';
import { noteBegin } from '../shared/task/lostRuns';
import { type Outcome, type Render, toItemResult } from '../shared/task/render';
import { createDryRuns } from './dryRun';
import { videoGenerateFields } from './fields';
import type { VideoJob } from './job';
import { park, sayNotDurable, whyNotDurable } from './park';
import { createJobPrices } from './price';
import { createProgress, type Progress } from './progress';
import { createJobReader, type JobReader } from './readJob';
import { createRenders } from './renderVideo';
import { noteStop } from './savedIds';
import { createChain, followLedger } from './shots';

/** Reads and checks all items, submits, waits and downloads. Resolves to the output of the node. */
export async function generateVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = createRun(context, 'videoGenerationApi', videoGenerateFields, { submits: true });
	const removeNote = noteStop(run);
	const progress = createProgress(run);
	try {
		await noteBegin(run);
		notePaidTasks(run);
		const reader = createJobReader(run);
		const { results, worker: batch } = await runItems(run, reader.read, (connection, jobs) =>
			createBatch(run, connection, jobs, reader, progress),
		);
		const parked = batch && (await waitDurably(run, batch, results));
		if (parked) {
			progress.onSleep(results);
			return parked;
		}
		await batch?.addPrices();
		progress.sumUp(results, batch !== undefined, batch?.tellsPrices);
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
 * @param reader has read the jobs, without their pictures
 */
export function createBatch(
	run: Run,
	connection: Connection,
	jobs: VideoJob[],
	reader: Omit<JobReader, 'read'>,
	progress: Progress,
) {
	const ledger = createLedger(run);
	// Dry runs alone are refused where the real run would be; beside real jobs, they do not count.
	const real = jobs.filter(({ dryRun }) => !dryRun);
	ledger.limitTo(reader.maxVideos(), followLedger(ledger, real.length > 0 ? real : jobs));
	const wait = findWait(run, jobs);
	const notes = new Set<string>();
	const renders = createRenders(
		run,
		connection,
		ledger,
		{ ...reader, concurrency: jobs[0].concurrency },
		progress,
	);
	const render = createChain(run, ledger, renders.render);
	const dryRun = createDryRuns(connection, run.forAgent);
	const priceOf = createJobPrices(connection);
	// People who build a workflow look at it.
	const tellsPrice = run.context.getMode() === 'manual' && !run.forAgent;
	const downloads = createLimiter(CONCURRENT_DOWNLOADS, run.signal);
	const rendering = new Map<VideoJob, Render>();
	const unpriced: VideoJob[] = [];

	const finish = async (job: VideoJob, outcome: Outcome): Promise<ItemResult | undefined> => {
		const task = outcome && !isFailure(outcome) ? outcome : undefined;
		if (task) ledger.noteEnd(task);
		const brokeTooOften = task && ledger.brokeTooOften(task.render.task.task_id);
		if (task?.state === 'rendering') {
			rendering.set(job, task.render);
			return toItemResult(outcome, job);
		}
		const withFile =
			job.downloadVideo && task?.state === 'done'
				? await downloads(async () => await addFiles(task.render, job, run, connection))
				: undefined;
		// If the run ends before the download begins, the item has the task alone.
		const result = withFile ?? toItemResult(outcome, { ...job, brokeTooOften });
		// What comes in the record itself is stored now; the sum of a run keeps all its renders.
		delete task?.render.task.inline;
		const isFree = task?.state !== 'done' || task.render.task.cost !== undefined;
		if (tellsPrice && !isFree) unpriced.push(job);
		progress.onOutcome(job, connection, { outcome, result });
		return run.forAgent ? toAgentResult(result, outcome, connection) : result;
	};

	return {
		/** The renders that a durable wait is to follow. */
		rendering,
		tellsPrices: connection.service.price !== undefined || connection.service.writing === 'family',
		async prepare(job: VideoJob): Promise<VideoJob> {
			const ready = await reader.prepare(job);
			ready.notes.forEach((note) => notes.add(note));
			return ready;
		},
		/** Takes a job from its ledger entry or its submit to its item; leaves a durable wait open. */
		async work(wanted: VideoJob): Promise<ItemResult | undefined> {
			tellNotes(run.report, notes);
			if (wanted.dryRun) return await dryRun(wanted);
			const possible = wanted.wait === 'none' ? wanted : { ...wanted, wait };
			const job = run.forAgent ? { ...possible, ...toAgentWait(possible, ledger) } : possible;
			return await finish(job, await render(job));
		},
		/** Asks for list prices in the end, so that no such request is under way beside others. */
		addPrices: async () => await tellPrices(run, unpriced, priceOf, progress),
		/** Waits in process for a job whose durable wait is not possible; after Stop, not at all. */
		pollOn: async (job: VideoJob, started: Render) =>
			await finish(job, await renders.poll(job, started)),
	};
}

/** WaveSpeed is asked once for each different request, in turn: all of them together may take so long. */
const PRICES_WITHIN_MS = 30_000;

async function tellPrices(
	{ clock }: Run,
	jobs: VideoJob[],
	priceOf: ReturnType<typeof createJobPrices>,
	progress: Progress,
): Promise<void> {
	const untilMs = clock.now() + PRICES_WITHIN_MS;
	for (const job of jobs) {
		if (clock.now() > untilMs) return;
		progress.onPrice(job, await priceOf(job));
	}
}

type Batch = ReturnType<typeof createBatch>;

/** Resolves to the output while the node sleeps; `undefined` if no video is open any more. */
async function waitDurably(
	run: Run,
	{ rendering, pollOn }: Batch,
	results: Results,
): Promise<INodeExecutionData[] | undefined> {
	if (rendering.size === 0) return undefined;
	if (!run.signal.aborted) {
		const parked = await park(run, rendering, results);
		if ('items' in parked) return parked.items;
		sayNotDurable(run, parked.whyNot);
	}
	const ends = [...rendering].map(async ([job, render]) => {
		results[job.itemIndex] = await attempt(run, job.itemIndex, pollOn(job, render));
	});
	await Promise.all(ends);
	return undefined;
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
function tellNotes(report: Run['report'], notes: Set<string>): void {
	if (notes.size === 0) return;
	const message = `${[...notes].join('. ')}. Look at one result before you pay for many.`;
	notes.clear();
	report.warn(message);
	report.hint(message, 'warning');
}

/** n8n's editor keeps the last output for later steps until then; it asks for no new run. */
const PAYS_AGAIN =
	'Executing a later step pays again once you reload the page, or change this node or one before it.';
const PIN = `While you build, pin this output. ${PAYS_AGAIN}`;
/** n8n pins no files. */
const USE_TASK_ID = `While you build, get the files by their task IDs with Video Download. ${PAYS_AGAIN}`;

/** Tells who builds a workflow how to pay for its videos once. */
function tellToPin({ context, forAgent, report, taskIds }: Run, results: Results): void {
	if (context.getMode() !== 'manual' || forAgent || taskIds.size === 0) return;
	const hasFiles = results.some((result) => result && 'binary' in result);
	report.hint(hasFiles ? USE_TASK_ID : PIN, 'info');
}
