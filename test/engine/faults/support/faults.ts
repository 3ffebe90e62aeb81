import type { IDataObject } from 'n8n-workflow';

import {
	createSandbox,
	type Entry,
	type LiteralAnswer,
	type Plan,
	type RequestRecord,
	type Sandbox,
} from '../../../../sandbox/service';
import { hurry, until } from '../../../support/clock';
import type { EngineNode, RunResult } from '../../../support/engine';
import {
	byId,
	KEY,
	type Mode,
	MODES,
	planned,
	type Stage,
	toInput,
	videoGenerate,
	videoStatus,
} from '../../../support/stage';

/** How a failing item's message reads, and what else its error must hold. */
interface Failing {
	message: RegExp;
	fields?: IDataObject;
}

/** The status that the item of a task tells, its failure, or that there is no item at all. */
export type End = 'SUCCESS' | 'FAILURE' | 'IN_PROGRESS' | 'queued' | 'no item' | Failing;

export type NamedApi =
	'fal' | 'google' | 'kie' | 'openRouter' | 'replicate' | 'runway' | 'wavespeed';

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
	baseUrl?: string;
	/** The service that the credential names, and a model of it. */
	named?: { api: NamedApi; model: string };
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
const isFailing = (end: End): end is Failing => typeof end === 'object';

export type Answer = string | LiteralAnswer;
export const always = (answer: Answer): Entry => ({ always: answer });
export const times = (fault: string, count: number) => Array<string>(count).fill(fault);

export const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
/** Asks to come back in a minute. */
export const LATER = { status: 429, text: '', headers: { 'retry-after': '60' } };

/** The IDs by which the executions list finds a run. */
export const searchable = (customData: Record<string, string> = {}) =>
	Object.entries(customData)
		.filter(([key]) => key.startsWith('video_task_ids'))
		.flatMap(([, entry]) => entry.split(','));

/** Plays each row in its modes, each at a service of its own; what does not fail ends alike in all modes. */
export function testFaults(stage: Stage, rows: FaultRow[]) {
	it.each(rows)('$fault', async (row) => {
		const modes = row.stopWhen || row.ends.some(isFailing) ? MODES : MODES.slice(0, 1);
		const haste = row.hurry && hurry(row.hurry);
		try {
			await Promise.all(modes.map(async (mode) => await play(stage, row, mode)));
		} finally {
			if (haste) haste.restore();
		}
	});
}

async function play({ engine }: Stage, row: FaultRow, mode: Mode) {
	const { settings, stopWhen, named } = row;
	const model = named && { model: byId(named.model) };
	const parameters = { ...model, ...row.parameters };
	const sandbox = await createSandbox({ renderMs: 60, profile: named?.api ?? 'contract' });
	try {
		const url = row.baseUrl ?? sandbox.url;
		const access = { api: named?.api ?? 'newApi', baseUrl: url, proxyUrl: url, apiKey: KEY };
		const credentials = { videoGenerationApi: access };
		let items = toInput(...row.plans.map((plan, i) => ({ prompt: planned(`video ${i}`, plan) })));
		if (row.node === 'Video Status') {
			const node = videoGenerate({ wait: 'none' });
			const { outputs } = await engine.run({ node, items, credentials });
			items = toInput(...outputs()[0].map(({ json: { task_id } }) => ({ task_id })));
		}
		const makeNode = row.node === 'Video Status' ? videoStatus : videoGenerate;
		const node = makeNode(parameters, { ...settings, onError: mode });
		const execution = engine.start({ node, items, credentials });
		if (stopWhen) {
			await until(() => stopWhen(sandbox.requests));
			await execution.stop();
		}
		check(row, mode, await execution.done, sandbox);
	} finally {
		await sandbox.close();
	}
}

function check(row: FaultRow, mode: Mode, result: RunResult, sandbox: Sandbox): void {
	const { plans, ends, posts = plans.length, paid = plans.length, looks, stopWhen } = row;
	const throws = mode === 'stopWorkflow' && ends.some(isFailing) && !stopWhen;
	expect(result.status).toBe(stopWhen ? 'canceled' : throws ? 'error' : 'success');
	if (throws) {
		const messages = ends.filter(isFailing).map(({ message }) => message.source);
		expect(result.error?.message).toMatch(new RegExp(messages.join('|')));
	} else ends.forEach((end, i) => checkItem(row, mode, result, end, i));
	const tasks = sandbox.tasks();
	expect(lostTasks(row, result, sandbox)).toEqual([]);
	expect(tasks.length).toBeLessThanOrEqual(paid);
	// A batch that is stopped by its first failure submits nothing more.
	if (throws && plans.length > 1) return;
	expect({ posts: sandbox.submissions().length, paid: tasks.length }).toEqual({ posts, paid });
	if (looks === undefined) return;
	expect(tasks.map(({ task_id }) => sandbox.polls(task_id).length)).toEqual(tasks.map(() => looks));
}

function checkItem(row: FaultRow, mode: Mode, result: RunResult, end: End, index: number): void {
	const outputs = result.outputs();
	const isIts = ({ pairedItem }: { pairedItem?: unknown }) =>
		(pairedItem as IDataObject | undefined)?.item === index;
	const output = outputs.findIndex((items) => items.some(isIts));
	if (end === 'no item') return expect(output).toBe(-1);
	const { json, binary } = outputs[output].find(isIts)!;
	if (isFailing(end)) {
		const message = expect.stringMatching(end.message) as unknown;
		expect(json.error).toMatchObject({ message, ...end.fields });
		if (mode === 'continueErrorOutput') expect(output).toBe(outputs.length - 1);
		return;
	}
	expect(json).toMatchObject({ status: end });
	expect(json.error).toBeUndefined();
	if (end === 'SUCCESS') expect(json.result_url).toMatch(/^https?:\/\//);
	if (row.parameters?.downloadVideo && !row.stopWhen) {
		expect(binary?.data.mimeType).toBe('video/mp4');
	}
}

/** Bytes of a submit's answer before its ID. */
const ID_STARTS = '{"id":"'.length;

/**
 * Paid tasks that nobody can find again, although their ID came: each is in its item, or in the failure,
 * and by custom data the executions list finds it.
 */
function lostTasks({ node }: FaultRow, result: RunResult, sandbox: Sandbox): string[] {
	const { message, description, context } = result.error ?? {};
	const items = result.outputs().flat();
	const shown = JSON.stringify([items.map(({ json }) => json), message, description, context]);
	const found = searchable(result.customData);
	const isKnown = (task_id: string) =>
		shown.includes(JSON.stringify(task_id).slice(1, -1)) && found.includes(task_id);
	// Video Status has its IDs from its input.
	if (node === 'Video Status') return [];
	return sandbox
		.submissions()
		.filter(
			({ taskId = '', status, sentBytes, aborted }) =>
				taskId && status === 200 && sentBytes >= ID_STARTS + taskId.length && !aborted,
		)
		.flatMap(({ taskId }) => (isKnown(taskId!) ? [] : [taskId!]));
}
