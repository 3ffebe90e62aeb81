import type { IDataObject } from 'n8n-workflow';

import {
	createSandbox,
	type Entry,
	type LiteralAnswer,
	type Plan,
	type RequestRecord,
	type Sandbox,
	type SandboxTask,
} from '../../../sandbox/service';
import { hurry, until } from '../../support/clock';
import type { EngineNode, RunResult } from '../../support/engine';
import {
	KEY,
	type Mode,
	MODES,
	planned,
	type Stage,
	toInput,
	videoGenerate,
	videoStatus,
} from '../../support/stage';

/** How a failing item's message reads, and what else its error must hold. */
interface Failing {
	message: RegExp;
	fields?: IDataObject;
}

/** The status that the item of a task tells, its failure, or that there is no item at all. */
export type End = 'SUCCESS' | 'FAILURE' | 'IN_PROGRESS' | 'queued' | 'no item' | Failing;

/** One fault, and what must become of it in each of the three On Error modes. */
export interface FaultRow {
	fault: string;
	/** One item each. */
	plans: Plan[];
	ends: End[];
	/** Video Generate without. */
	node?: 'Video Status';
	parameters?: IDataObject;
	/** The node's own, e.g. Retry On Fail. */
	settings?: Partial<EngineNode>;
	/** The key of the first, second and third mode. */
	apiKey?: (mode: number) => string;
	baseUrl?: (sandbox: Sandbox) => string;
	/** Submissions that go out; one per item without. */
	posts?: number;
	/** Tasks that are created, and charged; one per item without. */
	paid?: number;
	/** Polls of each task; any number without. */
	looks?: number;
	/** Times as fast as real time, see support/clock. */
	hurry?: number;
	/** Somebody stops the run once this is true of its requests. */
	stopWhen?: (requests: RequestRecord[]) => boolean;
	/** Happens as soon as every task has been polled. */
	meanwhile?: (sandbox: Sandbox) => Promise<void>;
}

export type More = Partial<Omit<FaultRow, 'fault' | 'plans' | 'ends'>>;

/** A row of one item. */
export const row = (fault: string, plan: Plan, end: End, more: More = {}): FaultRow => ({
	fault,
	plans: [plan],
	ends: [end],
	...more,
});

export const failing = (message: RegExp, fields?: IDataObject): Failing => ({ message, fields });
export const isFailing = (end: End): end is Failing => typeof end === 'object';

export type Answer = string | LiteralAnswer;
export const always = (answer: Answer): Entry => ({ always: answer });
export const times = (fault: string, count: number) => Array<string>(count).fill(fault);

export const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
/** Asks to come back in a minute. */
export const LATER = { status: 429, text: '', headers: { 'retry-after': '60' } };

/** A row in one mode: what n8n has of it, and what the service. */
export interface Play {
	row: FaultRow;
	mode: Mode;
	result: RunResult;
	tasks: SandboxTask[];
	submissions: RequestRecord[];
	polls: RequestRecord[];
}

/** What does not fail ends alike in all modes. */
const modesOf = ({ ends, stopWhen }: FaultRow) =>
	stopWhen || ends.some(isFailing) ? MODES : MODES.slice(0, 1);

/** Rows at a time: they wait for most of their time, but no request may be late for lack of a processor. */
const AT_A_TIME = 4;
/** Longer than a busy machine takes to answer, where no request has to be given up. */
const PATIENT_MS = 15_000;

const isSilent = ({ plans }: FaultRow) => /hang|stall|drip/i.test(JSON.stringify(plans));

/**
 * Plays all rows, each in its modes, side by side; those together that are hurried alike.
 * @returns what became of each, or why it could not be played, in the same order
 */
export async function playAll(stage: Stage, rows: FaultRow[]) {
	const results: Array<PromiseSettledResult<Play[]>> = [];
	const hasteOf = (row: FaultRow) => `${row.hurry} ${isSilent(row)}`;
	for (const alike of new Set(rows.map(hasteOf))) {
		const waiting = [...rows.keys()].filter((n) => hasteOf(rows[n]) === alike);
		const first = rows[waiting[0]];
		const haste = first.hurry && hurry(first.hurry, isSilent(first) ? undefined : PATIENT_MS);
		const worker = async () => {
			for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) {
				[results[n]] = await Promise.allSettled([play(stage, rows[n])]);
			}
		};
		await Promise.all(Array.from({ length: AT_A_TIME }, worker));
		if (haste) haste.restore();
	}
	return results;
}

/** Plays a row in its modes, at a service of its own; the prompts tell whose is what there. */
async function play(stage: Stage, row: FaultRow): Promise<Play[]> {
	const modes = modesOf(row);
	const lacksRoute = stage.service.routes === 'openAiVideos';
	const sandbox = await createSandbox({ renderMs: 60, ...stage.service });
	try {
		const runs = Promise.all(modes.map(async (mode) => await run(stage, sandbox, row, mode)));
		if (row.meanwhile) {
			await until(() => sandbox.tasks().filter(({ polls }) => polls > 0).length === modes.length);
			await row.meanwhile(sandbox);
		}
		return (await runs).map((result, i) => ({
			...{ row, result },
			...recordsOf(sandbox, modes[i], lacksRoute),
		}));
	} finally {
		await sandbox.close();
	}
}

async function run({ engine }: Stage, sandbox: Sandbox, row: FaultRow, mode: Mode) {
	const { apiKey = () => KEY, baseUrl = ({ url }) => url, settings, parameters, stopWhen } = row;
	const access = { baseUrl: baseUrl(sandbox), apiKey: apiKey(MODES.indexOf(mode)) };
	const credentials = { videoGenerationApi: access };
	let items = toInput(...row.plans.map((plan, i) => ({ prompt: planned(`${mode} ${i}`, plan) })));
	if (row.node === 'Video Status') {
		const { outputs } = await engine.run({
			node: videoGenerate({ wait: 'none' }),
			items,
			credentials,
		});
		items = toInput(...outputs()[0].map(({ json: { task_id } }) => ({ task_id })));
	}
	const makeNode = row.node === 'Video Status' ? videoStatus : videoGenerate;
	const node = makeNode(parameters, { ...settings, onError: mode });
	const execution = engine.start({ node, items, credentials });
	if (stopWhen) {
		await until(() => stopWhen(recordsOf(sandbox, mode, false).requests));
		await execution.stop();
	}
	return await execution.done;
}

function recordsOf(sandbox: Sandbox, mode: Mode, lacksRoute: boolean) {
	const tasks = sandbox.tasks().filter(({ prompt }) => prompt.startsWith(mode));
	const ids = new Set(tasks.map(({ task_id }) => task_id));
	const requests = sandbox.requests.filter(
		({ taskId = '', body }) => ids.has(taskId) || body?.prompt?.startsWith(mode),
	);
	// A submit to a route that the service lacks is told apart by its answer alone.
	const isLacking = ({ path, status }: RequestRecord) =>
		path === '/v1/video/generations' && status === 404 && lacksRoute;
	const submissions = requests.filter((one) => one.method === 'POST' && !isLacking(one));
	const ofTask = lacksRoute ? /^\/v1\/videos\/[^/]+$/ : /^\/v1\/video\/generations\/./;
	const polls = requests.filter(({ method, path }) => method === 'GET' && ofTask.test(path));
	return { mode, tasks, requests, submissions, polls };
}
