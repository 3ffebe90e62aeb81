import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { isReason, type Reason } from '../shared/failure/reason';
import { DATA_URI } from '../shared/http/form';
import { readReference } from '../shared/lib/heldFile';
import { mapTexts, toCanonicalJson } from '../shared/lib/json';
import { lowerFirst } from '../shared/lib/text';
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
	/** How often the list is looked at for it, at most. */
	looksLeft: number;
	/** Ends the search with its task, or with words on why there is none. */
	end: (found: ListedTask | string) => void;
}

const LOOK_EVERY_MS = 5_000;
/** A minute: a list may lag behind. */
const LOOKS = 12;
const MAX_PAUSE_MS = 30_000;
/** A list is asked for what is older, because its clock may be another one. */
const DAY_MS = 24 * 60 * 60_000;
const MAX_PAGES = 10;

/**
 * Returns what looks for orders without a clear answer in the service's list of tasks, if that shows what was sent:
 * a task of the same model and input that began after the order was sent, and that no other order has. It counts
 * once two looks in a row show the same, and no equal order is under way. Nothing is sent again.
 */
export function createLookUp(
	run: Pick<Run, 'context' | 'stop'>,
	connection: Connection,
	{ paid }: Pick<Ledger, 'paid'>,
	limiter: Limiter,
	clock: Clock = createClock(run.stop),
) {
	const { recent, label } = connection.service;
	if (!recent?.showsInput) return undefined;
	const newTasks = createNewTasks(connection, clock, limiter);
	const wanted = new Set<Unclear>();
	/** What is asked for by orders whose answers are out. */
	const underWay: string[] = [];
	/** The tasks of each order, as the last look showed them. */
	const seen = new Map<string, string>();

	const end = (order: Unclear, found: ListedTask | string) =>
		void (wanted.delete(order) && order.end(found));

	/** Gives equal orders the tasks that are theirs. */
	const settle = async (orders: Unclear[], listed: ListedTask[]) => {
		const [{ key, video }] = orders;
		const known = new Set(paid.map(({ task }) => task?.task_id));
		const tasks = listed.filter(
			(task) => !known.has(task.task_id) && mayBe(task, orders, newTasks),
		);
		const ids = tasks.map(({ task_id }) => task_id).join(', ');
		const isSame = ids !== '' && seen.get(key) === ids;
		seen.set(key, ids);
		if (underWay.includes(toKey(video.model, video.fields))) {
			for (const order of orders) order.looksLeft = LOOKS;
		} else if (!isSame || (recent.endedOnly && !isLast(orders))) {
			return;
		} else if (tasks.length > orders.length) {
			for (const order of orders) end(order, tooMany(label, tasks));
		} else {
			for (const [order, task] of pair(orders, tasks, newTasks)) {
				// Another execution may look for the same order.
				if (await claim(run.context, `found ${task.task_id}`)) end(order, task);
			}
		}
	};

	const watch = async () => {
		while (wanted.size > 0) {
			await clock.pause(LOOK_EVERY_MS);
			if (run.stop.aborted) for (const order of wanted) end(order, STOPPED);
			for (const of of groupBy([...wanted], ({ video }) => video.model)) {
				const listed = await newTasks.list(of);
				for (const orders of groupBy(of, ({ key }) => key)) await settle(orders, listed);
			}
			for (const order of [...wanted].filter((one) => --one.looksLeft <= 0)) {
				const trouble = newTasks.trouble();
				end(order, trouble ? unread(label, trouble) : notListed(label, recent.endedOnly));
			}
		}
	};

	return {
		/** Sends an order. */
		during: async <Answer>({ model, fields }: WrittenVideo, send: () => Promise<Answer>) =>
			await during(underWay, toKey(model, fields), send),
		/** Resolves to the task of an order without a clear answer, or to words on why none was found. */
		find: async (sent: SentOrder) =>
			await new Promise<ListedTask | string>((resolve) => {
				const key = toKey(sent.video.model, sent.fields);
				wanted.add({ ...sent, key, looksLeft: LOOKS, end: resolve });
				if (wanted.size === 1) void watch();
			}),
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

/** Returns what lists the tasks of a model that began after orders were sent, by the service's own clock. */
function createNewTasks(connection: Connection, clock: Clock, limiter: Limiter) {
	/** The service's clock less ours; the largest that was told is the closest, as HTTP tells whole seconds. */
	let skewMs = -Infinity;
	let trouble: Reason | undefined;
	const isSince = ({ submittedAtMs = 0 }: ListedTask, sentAtMs: number) =>
		submittedAtMs >= sentAtMs + skewMs;

	const read = async (model: string, firstMs: number): Promise<ListedTask[]> => {
		const query = { model, sinceMs: firstMs - DAY_MS, nowMs: clock.now() };
		const tasks: ListedTask[] = [];
		let pages = 0;
		for await (const page of readTaskPages(connection, query, {
			clock,
			maxPauseMs: MAX_PAUSE_MS,
		})) {
			trouble = isReason(page) ? page : undefined;
			if (isReason(page)) return [];
			skewMs = Math.max(skewMs, page.skewMs);
			const fresh = page.tasks.filter((task) => isSince(task, firstMs));
			tasks.push(...fresh);
			if (fresh.length === 0 || ++pages >= MAX_PAGES) break;
		}
		return tasks;
	};
	return {
		async list(orders: SentOrder[]): Promise<ListedTask[]> {
			const firstMs = Math.min(...orders.map(({ submittedAtMs }) => submittedAtMs));
			const ask = async () => await read(orders[0].video.model, firstMs);
			// A run that has ended takes up no further work, but this is of one that is sent.
			return (await limiter(ask)) ?? (await ask());
		},
		isAfter: (task: ListedTask, { submittedAtMs }: SentOrder) => isSince(task, submittedAtMs),
		/** Why the last look has shown no list. */
		trouble: () => trouble,
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
const isLast = (orders: Unclear[]) => orders.some(({ looksLeft }) => looksLeft <= 1);

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
	`The list of tasks of ${label} does not show it within a minute${endedOnly ? ', because it has tasks only once they end. Look again later with Video Tasks' : ''}.`;
const unread = (label: string, { message }: Reason) =>
	`The list of tasks of ${label} could not be read: ${lowerFirst(message)}.`;
const tooMany = (label: string, tasks: ListedTask[]) =>
	`The list of tasks of ${label} shows more such tasks than this run has ordered, perhaps those of another workflow: ${toList(tasks.map(({ task_id }) => task_id))}.`;
