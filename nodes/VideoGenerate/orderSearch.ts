import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { isReason, type Reason } from '../shared/failure/reason';
import { DATA_URI } from '../shared/http/form';
import { readReference } from '../shared/lib/heldFile';
import { mapTexts, toCanonicalJson } from '../shared/lib/json';
import { lowerFirst, sentences } from '../shared/lib/text';
import { type Clock, createClock } from '../shared/lib/time';
import type { Limiter } from '../shared/lib/turns';
import { claim } from '../shared/n8n/claim';
import { toList } from '../shared/n8n/output';
import type { Run } from '../shared/n8n/run';
import type { Connection } from '../shared/services/connection';
import type { ListedTask, WrittenVideo } from '../shared/services/contract';
import { readTaskPages } from '../shared/services/taskList';
import type { Ledger } from '../shared/task/ledger';

/** An order as it was sent. */
export interface SentOrder {
	/** As it was asked for: equal ones cannot be told apart while their answers are out. */
	video: WrittenVideo;
	/** Its fields as they went out, with the addresses of files that were uploaded. */
	fields: IDataObject;
	submittedAtMs: number;
}

/** One that nobody knows whether it was accepted. */
interface Unclear extends SentOrder {
	key: string;
	/** How often the list is looked at for it, at most, and until when: a look may be slow. */
	looksLeft: number;
	untilMs: number;
	/** Why the last look has shown no list. */
	trouble?: Reason;
	/** Ends the search with its task, or with words on why there is none. */
	end: (found: ListedTask | string) => void;
}

const LOOK_EVERY_MS = 5_000;
/** A list may lag behind. */
const LOOK_FOR_MS = 60_000;
const LOOKS = LOOK_FOR_MS / LOOK_EVERY_MS;
const LOOK_LIMIT_MS = 10_000;
/** A list is asked for what is older, because its clock may be another one. */
const DAY_MS = 24 * 60 * 60_000;
const MAX_LIST_PAGES = 10;

/** The IDs of orders with a clear answer, and what orders under way ask for: of all executions in this process. */
const knownIds = new Set<string>();
const underWay: string[] = [];
const MAX_KNOWN_IDS = 10_000;

/** Notes the task of an order, which is no other order's then. */
export function noteOrder(task_id: string): void {
	knownIds.add(task_id);
	const [oldest] = knownIds;
	if (knownIds.size > MAX_KNOWN_IDS) knownIds.delete(oldest);
}

/**
 * Returns what searches the service's list of tasks for orders without a clear answer, if the list shows what was
 * sent: a task of the same model and input that began after the order was sent, and that no other order has. It
 * counts once two looks in a row show the same, and no equal order is under way. Nothing is sent again.
 */
export function createOrderSearch(
	run: Pick<Run, 'context' | 'stop'>,
	connection: Connection,
	{ paid }: Pick<Ledger, 'paid'>,
	limiter: Limiter,
	clock: Clock = createClock(run.stop),
) {
	const { recent, label } = connection.service;
	if (!recent?.showsInput) return undefined;
	const newTasks = createNewTasks(connection, clock, limiter);
	const { wanted, seen, settle, settleAll } = createWanted();

	/** Gives equal orders the tasks that are theirs. */
	const match = async (orders: Unclear[], listed: ListedTask[]) => {
		const [{ key, video }] = orders;
		const ofRun = new Set(paid.map(({ task }) => task?.task_id));
		const isFree = ({ task_id }: ListedTask) => !ofRun.has(task_id) && !knownIds.has(task_id);
		const tasks = listed.filter((task) => isFree(task) && mayBe(task, orders, newTasks));
		const ids = toList(tasks.map(({ task_id }) => task_id));
		const isSame = ids !== '' && seen.get(key) === ids;
		seen.set(key, ids);
		if (underWay.includes(toKey(video.model, video.fields))) {
			for (const order of orders) renew(order, clock);
		} else if (!isSame || (recent.endedOnly && !isLast(orders, clock))) {
			return;
		} else if (tasks.length > orders.length) {
			settleAll(orders, tooMany(label));
		} else {
			for (const [order, task] of pair(orders, tasks, newTasks)) {
				// It keeps it from executions of this node on other workers. An ID once known is kept, so it also
				// counts as claimed where the database cannot be asked.
				const isOurs = await claim(run.context, `found ${task.task_id}`).catch(() => true);
				if (isOurs) settle(order, task);
				else settleAll([order], TAKEN);
			}
		}
	};

	// One at a time: two would claim the same tasks.
	const watch = oneAtATime(async () => {
		while (wanted.size > 0) {
			await clock.pause(LOOK_EVERY_MS);
			if (run.stop.aborted) settleAll(wanted, STOPPED);
			for (const ofModel of groupBy([...wanted], ({ video }) => video.model)) {
				const listed = await newTasks.list(ofModel);
				const trouble = isReason(listed) ? listed : undefined;
				for (const order of ofModel) order.trouble = trouble;
				// What earlier looks have shown stays.
				if (isReason(listed)) continue;
				for (const orders of groupBy(ofModel, ({ key }) => key)) await match(orders, listed);
			}
			for (const order of [...wanted].filter((one) => isOver(one, clock))) {
				const { trouble } = order;
				settleAll([order], trouble ? unread(label, trouble) : notListed(label, recent.endedOnly));
			}
		}
	});

	return {
		/** Sends an order. */
		during: async <Answer>({ model, fields }: WrittenVideo, send: () => Promise<Answer>) =>
			await during(underWay, toKey(model, fields), send),
		/** Resolves to the task of an order without a clear answer, or to words on why none was found. */
		find: async (sent: SentOrder) =>
			await new Promise<ListedTask | string>((resolve) => {
				const key = toKey(sent.video.model, sent.fields);
				wanted.add(renew({ ...sent, key, looksLeft: 0, untilMs: 0, end: resolve }, clock));
				const onError = () => settleAll(wanted, `The search in the list of ${label} broke off.`);
				watch().catch(onError);
			}),
	};
}

/** Returns the orders that are looked for, the tasks of each as the last look showed them, and what ends a search. */
function createWanted() {
	const wanted = new Set<Unclear>();
	const seen = new Map<string, string>();
	const settle = (order: Unclear, found: ListedTask | string) =>
		void (wanted.delete(order) && order.end(found));
	const settleAll = (orders: Iterable<Unclear>, why: string) => {
		for (const order of orders) settle(order, sentences(why, sayCandidates(seen.get(order.key)))!);
	};
	return { wanted, seen, settle, settleAll };
}

const renew = (order: Unclear, clock: Clock): Unclear =>
	Object.assign(order, { looksLeft: LOOKS, untilMs: clock.now() + LOOK_FOR_MS });

/** Counts a look. */
const isOver = (order: Unclear, clock: Clock): boolean =>
	--order.looksLeft <= 0 || order.untilMs <= clock.now();

/** Returns what starts a work, and once more if it is wanted meanwhile. */
function oneAtATime(work: () => Promise<void>) {
	let going: Promise<void> | undefined;
	return async (): Promise<void> => {
		await going;
		await (going ??= work().finally(() => (going = undefined)));
	};
}

/** Keeps a key in a list while a work goes on. */
async function during<Result>(list: string[], key: string, work: () => Promise<Result>) {
	list.push(key);
	try {
		return await work();
	} finally {
		list.splice(list.indexOf(key), 1);
	}
}

/** The next look is another try. */
const ONE_TRY = { maxPauseMs: 0, limitMs: LOOK_LIMIT_MS };

/** Returns what lists the tasks of a model that began after orders were sent, by the service's own clock. */
function createNewTasks(connection: Connection, clock: Clock, limiter: Limiter) {
	/** The service's clock less ours; the largest that was told is the closest, as HTTP tells whole seconds. */
	let skewMs = -Infinity;
	const isSince = ({ submittedAtMs = 0 }: ListedTask, sentAtMs: number) =>
		submittedAtMs >= sentAtMs + skewMs;

	const read = async (model: string, firstMs: number): Promise<ListedTask[] | Reason> => {
		const query = { model, sinceMs: firstMs - DAY_MS, nowMs: clock.now() };
		const tasks: ListedTask[] = [];
		let pages = 0;
		for await (const page of readTaskPages(connection, query, { ...ONE_TRY, clock })) {
			if (isReason(page)) return page;
			skewMs = Math.max(skewMs, page.skewMs);
			tasks.push(...page.tasks.filter((task) => isSince(task, firstMs)));
			if (page.latestMs < firstMs + skewMs || ++pages >= MAX_LIST_PAGES) break;
		}
		return tasks;
	};
	return {
		async list(orders: SentOrder[]): Promise<ListedTask[] | Reason> {
			const firstMs = Math.min(...orders.map(({ submittedAtMs }) => submittedAtMs));
			const ask = async () => await read(orders[0].video.model, firstMs);
			// A run that has ended takes up no further work, but this is of one that is sent.
			return (await limiter(ask)) ?? (await ask());
		},
		isAfter: (task: ListedTask, { submittedAtMs }: SentOrder) => isSince(task, submittedAtMs),
	};
}

type NewTasks = ReturnType<typeof createNewTasks>;

/** Returns whether a task may be that of one of these equal orders. */
const mayBe = (task: ListedTask, orders: Unclear[], { isAfter }: NewTasks): boolean =>
	toKey(orders[0].video.model, task.input) === orders[0].key &&
	orders.some((order) => isAfter(task, order));

/** Returns each task with an order that was sent before it began: the latest with the latest. */
function pair(
	orders: Unclear[],
	tasks: ListedTask[],
	{ isAfter }: NewTasks,
): Array<[Unclear, ListedTask]> {
	const left = [...orders].sort((one, other) => other.submittedAtMs - one.submittedAtMs);
	const latestFirst = [...tasks].sort((one, other) => begin(other) - begin(one));
	return latestFirst.flatMap((task): Array<[Unclear, ListedTask]> => {
		const at = left.findIndex((order) => isAfter(task, order));
		return at < 0 ? [] : [[left.splice(at, 1)[0], task]];
	});
}

function groupBy<One>(all: One[], keyOf: (one: One) => string): One[][] {
	const groups = new Map<string, One[]>();
	for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
	return [...groups.values()];
}

/** Where a list has a task once it has ended, another one may still come until the last look. */
const isLast = (orders: Unclear[], clock: Clock) =>
	orders.some(({ looksLeft, untilMs }) => looksLeft <= 1 || untilMs <= clock.now() + LOOK_EVERY_MS);

const begin = ({ submittedAtMs = 0 }: ListedTask) => submittedAtMs;

/** Returns what tells an order from others: its model and its input, files by their hashes. */
const toKey = (model: string, input: unknown): string =>
	`${model} ${toCanonicalJson(mapTexts(input, toFileHash))}`;

function toFileHash(text: string): string {
	const held = readReference(text);
	if (held) return held.hash;
	if (!DATA_URI.test(text)) return text;
	const bytes = Buffer.from(text.slice(text.indexOf(',') + 1), 'base64');
	return createHash('sha256').update(bytes).digest('hex');
}

const STOPPED = 'The execution was stopped before a list of tasks could show it.';
const notListed = (label: string, endedOnly?: true) =>
	sentences(
		`The list of tasks of ${label} does not show it within a minute`,
		endedOnly && 'A task may come there only once it has ended: look again later with Video Tasks',
	)!;
const unread = (label: string, { message }: Reason) =>
	`The list of tasks of ${label} could not be read: ${lowerFirst(message)}.`;
const tooMany = (label: string) =>
	`The list of tasks of ${label} shows more tasks that it could be than orders are unclear, perhaps those of another workflow.`;
const TAKEN = 'Another execution of this node has taken the task that the list shows.';
const sayCandidates = (ids?: string) => ids && `The list shows: ${ids}`;
