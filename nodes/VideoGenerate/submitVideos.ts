import type { IDataObject } from 'n8n-workflow';

import { type Failure, isFailure } from '../shared/failure/failure';
import { fileBytesOf } from '../shared/lib/heldFile';
import { withoutFiles } from '../shared/lib/json';
import { sentences, toItemName } from '../shared/lib/text';
import { delayedSignal } from '../shared/lib/time';
import { createSizeLimiter, type Limiter } from '../shared/lib/turns';
import type { Run } from '../shared/n8n/run';
import { createThrottle } from '../shared/n8n/throttle';
import type { Connection } from '../shared/services/connection';
import type { ListedTask } from '../shared/services/contract';
import { submit, type Submitted } from '../shared/services/submit';
import type { RenderJob, Sources } from '../shared/task/job';
import type { Ledger } from '../shared/task/ledger';
import { type Render, toRender } from '../shared/task/render';
import { claimOfDay } from '../shared/task/videoLimits';
import { createOrderSearch, noteOrder, type SentOrder } from './orderSearch';

/** The render of a job, why it has none, or `undefined` if the run ended before its submit. */
export type Begun = Render | Failure | undefined;

/** The bytes of pictures in the requests that are under way at once. In a request, each takes a third more, as base64. */
const MAX_PICTURE_BYTES = 64 * 1024 ** 2;

/** Milliseconds after Stop in which a submit under way may still tell its task ID. */
const SUBMIT_GRACE_MS = 700;

/** An order that may have been accepted, and is being looked for. */
interface Open {
	following: Promise<Begun>;
}

type WrittenJob = RenderJob & Required<Pick<RenderJob, 'request'>>;

type NoteTask = (job: RenderJob, render: Render, otherIds: string[]) => void;

/** Returns what submits a job and keeps its task in the moment in which the ID is known. */
export function createSubmits(
	run: Run,
	connection: Connection,
	ledger: Ledger,
	limiter: Limiter,
	{ filesOf, letGo }: Sources,
	noteTask: NoteTask,
) {
	const { send, open } = createSends(run, connection, ledger, limiter, filesOf, noteTask);
	const throttle = createThrottle(run, limiter);
	const bySize = createSizeLimiter(MAX_PICTURE_BYTES);

	const sendInTurn = async (job: WrittenJob): Promise<Begun | Open> => {
		for (;;) {
			let isHeld = false;
			const sendOne = async () => {
				isHeld = run.stopsOnFailure && open.size > 0;
				return isHeld ? undefined : await send(job);
			};
			// Outside of the throttle, so that a picture that waits keeps no other request from its place.
			const end = await bySize(
				fileBytesOf(job.request.video),
				async () => await throttle(sendOne, job.maxWaitMs),
			);
			if (!isHeld) return end;
			await Promise.all(open);
		}
	};

	return async (job: WrittenJob): Promise<Begun> => {
		ledger.begin(job);
		try {
			const giveBack = await claimOfDay(run, job.maxVideosPerDay);
			if (typeof giveBack !== 'function') return giveBack;
			const sent = await sendInTurn(job);
			const end = sent && 'following' in sent ? await sent.following : sent;
			if (!end || (isFailure(end) && end.kind === 'refused')) await giveBack();
			return end;
		} finally {
			ledger.end(job);
			letGo(job.itemIndex);
		}
	};
}

/** Returns what sends a job once, and the jobs whose orders are being looked for. */
function createSends(
	run: Run,
	connection: Connection,
	ledger: Ledger,
	limiter: Limiter,
	filesOf: Sources['filesOf'],
	noteTask: NoteTask,
) {
	const { clock, signal: over } = run;
	const signal = delayedSignal(run.stop, SUBMIT_GRACE_MS);
	const search = createOrderSearch(run, connection, ledger, limiter);
	const keep = createKeeper(run, ledger, noteTask);
	const open = new Set<Promise<Begun>>();

	const send = async (job: WrittenJob): Promise<Begun | Open> => {
		const { itemIndex, request } = job;
		const { video } = request;
		const sent = { video, fields: video.fields, submittedAtMs: clock.now() };
		const submission = {
			...{ request, loadFile: filesOf(itemIndex), submittedAtMs: sent.submittedAtMs, signal, over },
			onSent: (fields: IDataObject) =>
				void Object.assign(sent, { fields, submittedAtMs: clock.now() }),
		};
		const submitOne = async () => await submit(connection, submission);
		const answered = await (search ? search.during(video, submitOne) : submitOne());
		if (!answered) return undefined;
		if (!isFailure(answered)) return keep.render(job, answered);
		if (answered.kind !== 'unclear') return answered;
		if (!search) return keep.unclear(job, answered);
		run.report.warn(`${toItemName(itemIndex)} ${answered.message}. Looking in the list of tasks`);
		// It is no failure yet, so it does not end the run, and holds the orders that come next.
		const following = follow(job, answered, sent, search.find(sent)).then((begun) => {
			open.delete(following);
			return begun;
		});
		open.add(following);
		return { following };
	};

	/** Follows an order without a clear answer, if the service lists it. */
	const follow = async (
		job: WrittenJob,
		unclear: Failure,
		{ submittedAtMs }: SentOrder,
		finding: Promise<ListedTask | string>,
	): Promise<Begun> => {
		const found = await finding;
		if (typeof found === 'string') {
			run.onFailure();
			const description = sentences(unclear.description, found);
			return keep.unclear(job, { ...unclear, description });
		}
		sayFound(run, job, unclear, found);
		const { model, makes } = job.request.video;
		const task = { task_id: found.task_id, model, makes };
		const answer = withoutFiles(found.record);
		return keep.render(job, { task, otherIds: [], answer }, submittedAtMs);
	};
	return { send, open };
}

/** Returns what keeps the end of a submit in the moment in which it is known. */
function createKeeper(run: Run, ledger: Ledger, noteTask: NoteTask) {
	return {
		render(
			job: RenderJob,
			{ task, otherIds, answer }: Submitted,
			submittedAtMs = run.clock.now(),
		): Render {
			const hasLiveRecord = job.pollIntervalMs === undefined ? task.hasLiveRecord : undefined;
			noteOrder(task.task_id);
			const render = toRender({ ...task, hasLiveRecord }, { answer, submittedAtMs });
			ledger.keep(job, render);
			noteTask(job, render, otherIds);
			return render;
		},
		unclear(job: RenderJob, failure: Failure): Failure {
			ledger.keep(job, run.redaction.show(failure));
			return failure;
		},
	};
}

function sayFound(
	{ report }: Run,
	{ itemIndex }: RenderJob,
	{ message }: Failure,
	{ task_id }: ListedTask,
): void {
	const words = `${toItemName(itemIndex)} ${message}. The list of tasks of the service shows it, so it is followed: ${task_id}`;
	report.warn(words);
	report.hint(words, 'info');
}
