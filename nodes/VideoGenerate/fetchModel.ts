import { MAX_PAUSE_MS } from '../shared/failure/later';
import { type Reason, readReason } from '../shared/failure/reason';
import { isNoAnswer, RECORD_LIMITS } from '../shared/http/answer';
import { parseJson, toObject } from '../shared/lib/json';
import type { Clock } from '../shared/lib/time';
import { MAX_PARTS, type Model, readModel } from '../shared/models/readSchema';
import type { Connection } from '../shared/services/connection';
import type { OwnPath, Service } from '../shared/services/contract';

/** An answer that has schemas; missing if the service has none of the model. */
type Read = { answer?: unknown } | { reason: Reason };

/** What this process has read lately, by its address. */
const kept = new Map<string, { read: Read; untilMs: number }>();

type Asker = Pick<Connection, 'baseUrl' | 'send' | 'service'>;

/** What a run is reading, by its address. No other run shares it: the first may be stopped, or have another key. */
const underWay = new WeakMap<Asker['send'], Map<string, Promise<Read>>>();

/**
 * Resolves to what a model takes, or to why that cannot be read; `model` is missing if the service shows no
 * schema of it. Costs nothing. Calls of a run at the same time share one request: kie answers 429 after a few.
 *
 * @param clock waits for another try if trouble passes; nobody waits without one
 */
export async function fetchModel(
	connection: Asker,
	id: string,
	clock?: Clock,
): Promise<{ model?: Model } | { reason: Reason }> {
	const schema = connection.service.schema!;
	const at = schema.at?.(id);
	if (!at) return { model: readModel(id, schema.find(undefined, id)) };
	const read = await readAt(connection, at, schema, clock);
	if ('reason' in read) return read;
	const model = read.answer === undefined ? undefined : readModel(id, schema.find(read.answer, id));
	// Somebody may add the model meanwhile; a list of all (OpenRouter, WaveSpeed) is kept.
	if (!model && at.path !== schema.at?.('').path) kept.delete(keyOf(connection, at));
	return model?.isTooLarge ? { reason: SCHEMA_TOO_LARGE } : { model };
}

const SCHEMA_TOO_LARGE: Reason = {
	message: `Its schema has more than ${MAX_PARTS} fields and values`,
	advice: 'Choose another model.',
	passes: false,
};

/**
 * Resolves to the names of all models that a service lists; none if it does not answer. A list that also has
 * what each model takes has been read before.
 */
export async function fetchNames(connection: Asker): Promise<string[]> {
	const { lists, readList, schema } = connection.service;
	const reads = lists.map(async (at) =>
		schema && at.path === schema.at?.('').path
			? await readAt(connection, at, schema)
			: await ask(connection, at),
	);
	const answers = (await Promise.all(reads)).map((read) => ('answer' in read ? read.answer : {}));
	return answers.flatMap((answer) => readList(toObject(answer)).map(({ id }) => id));
}

const keyOf = ({ baseUrl, service }: Asker, { path }: OwnPath) =>
	`${service.name} ${baseUrl} ${path}`;

async function readAt(
	connection: Asker,
	at: OwnPath,
	{ keepMs = 0 }: NonNullable<Service['schema']>,
	clock?: Clock,
): Promise<Read> {
	const key = keyOf(connection, at);
	for (const [old, { untilMs }] of kept) if (untilMs <= Date.now()) kept.delete(old);
	const known = kept.get(key);
	if (known) return known.read;
	const own = underWay.get(connection.send) ?? new Map<string, Promise<Read>>();
	underWay.set(connection.send, own);
	const reading = own.get(key) ?? ask(connection, at, clock);
	own.set(key, reading);
	const read = await reading;
	own.delete(key);
	// Without an answer, it is a list that was not there for a moment, or a model that somebody may add.
	if ('answer' in read && read.answer !== undefined)
		kept.set(key, { read, untilMs: Date.now() + keepMs });
	return read;
}

/** Pauses before another try (tansilandre/kie-ai-tool-mcp, October 2026). */
const PAUSES_MS = [2_000, 4_000, 8_000];

async function ask({ send }: Pick<Connection, 'send'>, at: OwnPath, clock?: Clock): Promise<Read> {
	for (let tries = 0; ; tries++) {
		const answer = await send({ ...at, ...RECORD_LIMITS });
		if (!isNoAnswer(answer) && answer.status < 300) return { answer: parseJson(answer.body) };
		const reason = readReason('list', answer);
		if (reason.noAddress) return { answer: undefined };
		if (!clock || !reason.passes || tries >= PAUSES_MS.length) return { reason };
		await clock.pause(Math.min(reason.retryAfterMs ?? PAUSES_MS[tries], MAX_PAUSE_MS));
	}
}
