import { toAgentJson } from '../shared/agent/videoAgent';
import { listFailed } from '../shared/failure/failure';
import { isReason, type Reason } from '../shared/failure/reason';
import { toText, valueAt, withoutFiles, withoutGaps } from '../shared/lib/json';
import { sentences } from '../shared/lib/text';
import { type Clock, toIso } from '../shared/lib/time';
import type { Done, ItemResult } from '../shared/n8n/output';
import type { Reader } from '../shared/n8n/reader';
import type { Run } from '../shared/n8n/run';
import type { Connection } from '../shared/services/connection';
import type { ListedTask, Service, TaskQuery } from '../shared/services/contract';
import { completeTask } from '../shared/services/fetchTask';
import { readTaskPages } from '../shared/services/taskList';
import { readTask } from '../shared/services/videoTask';
import { type Render, toRender, toRenderItem } from '../shared/task/render';

interface ListJob {
	itemIndex: number;
	query: TaskQuery;
	/** In one of the four words. */
	status?: string;
	limit: number;
	rawResponse: boolean;
}

/** ISO 8601, as the editor and expressions write a time. */
const TIME = /^[\d\sT:.+Z-]+(\[[\w/+-]+\])?$/;

export function readQuery(read: Reader, { clock }: Pick<Run, 'clock'>): ListJob {
	const filters = read.group('filters');
	const returnAll = read.boolean('returnAll');
	return {
		itemIndex: read.itemIndex,
		query: {
			model: read.optionalText('model').trim() || undefined,
			sinceMs: readTime(filters, clock),
			nowMs: clock.now(),
		},
		status: filters.isSet('status') ? filters.choice('status') : undefined,
		limit: returnAll ? Infinity : read.numberOrDefault('limit', { min: 1, whole: true }),
		rawResponse: read.options.boolean('rawResponse'),
	};
}

/** Returns milliseconds since 1970. A time without a zone is one of the workflow's. */
function readTime(
	{ evaluate, isSet, label, refuse, value }: Reader,
	clock: Clock,
): number | undefined {
	if (!isSet('since')) return undefined;
	// An expression may give an object of Luxon, or a date.
	const given = value('since');
	const text = given instanceof Date ? given.toISOString() : String(given).trim();
	const ms = TIME.test(text)
		? evaluate(` DateTime.fromISO(${JSON.stringify(text.replace(' ', 'T'))}).toMillis() `)
		: NaN;
	if (typeof ms === 'number' && ms > clock.now()) {
		const zone = `n8n reads it in the time zone of the workflow, and its own time is ${evaluate(' $now.toISO() ')}`;
		return refuse(`${label('since')} lies in the future`, `${zone}. Enter an earlier time.`);
	}
	if (typeof ms === 'number' && Number.isFinite(ms)) return ms;
	return refuse(
		`${label('since')} must be a time`,
		'Enter it as 2026-11-29T08:00:00, or as {{ $now.minus(1, "day") }}.',
	);
}

/** Returns what lists the tasks of a key. */
export function createLists(run: Run, connection: Connection) {
	const { service } = connection;
	return async ({ query, status, limit, rawResponse }: ListJob): Promise<ItemResult> => {
		const refusal = whyNoList(service, query);
		if (refusal) return listFailed(refusal);
		const tasks: Listed[] = [];
		for await (const page of readTaskPages(connection, query, run)) {
			if (isReason(page)) return listFailed(page);
			const listed = page.tasks.map((task) => toListed(task, connection));
			tasks.push(...listed.filter(({ render }) => !status || render.task.status === status));
			if (tasks.length >= limit || run.signal.aborted) break;
		}
		if (tasks.length === 0) run.report.hint(sayNone(query, service), 'info');
		const toJson = ({ render, ...facts }: Listed) =>
			run.forAgent
				? { ...toAgentJson(render.task, connection), ...toAgentFacts(render), ...facts }
				: toRenderItem(render, { rawResponse }, facts);
		const shown = tasks.slice(0, limit).map((one) => withoutGaps(toJson(one)));
		return { json: { tasks: shown } } satisfies Done;
	};
}

function sayNone({ model, sinceMs }: TaskQuery, { label, recent }: Service): string {
	const ofModel = model === undefined ? '' : ` of ${model}`;
	const since = sinceMs === undefined ? '' : ` since ${toIso(sinceMs)}`;
	return sentences(
		`The list of ${label} shows no such task${ofModel}${since}`,
		recent?.endedOnly && 'A task may come there only once it has ended: try it again later',
	)!;
}

/** Returns why a service lists no tasks, before it is asked. */
function whyNoList(
	{ label, recent, usagePage }: Service,
	{ model }: TaskQuery,
): Reason | undefined {
	const no = (message: string, description: string) => ({ message, description, passes: false });
	if (!recent) {
		return no(
			`the service (${label}) has no list of tasks`,
			usagePage
				? `Look at ${usagePage}: it shows what your key has ordered.`
				: 'Look at the usage or log page of the service: it shows what your key has ordered.',
		);
	}
	return recent.perModel && model === undefined
		? no(`${label} lists tasks by their model`, 'Choose it in Model.')
		: undefined;
}

/** Returns what tells tasks apart. */
const toAgentFacts = ({ task: { model }, submittedAtMs }: Render) =>
	withoutGaps({ model, submitted_at: toIso(submittedAtMs) });

interface Listed {
	render: Render;
	/** By which people know their task, if the list shows what was sent. */
	prompt?: string;
	message?: string;
}

/** Where the models of a service have their prompt. */
const PROMPTS = ['prompt', 'text'];

/** Returns a listed task as a look at it would have told it. */
function toListed(
	{ task_id, record, input, models, note, submittedAtMs, finishedAtMs }: ListedTask,
	connection: Connection,
): Listed {
	const task = readTask(record, task_id, connection.service);
	if (task) completeTask(task, record, connection);
	const render = toRender(
		{ task_id, ...task, model: task?.model ?? models[0] },
		{ answer: withoutFiles(record), submittedAtMs, finishedAtMs },
	);
	const prompt = PROMPTS.map((name) => toText(valueAt(input, name))).find(Boolean);
	return { render, prompt, message: note };
}
