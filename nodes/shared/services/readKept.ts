import { MAX_PAUSE_MS } from '../failure/later';
import { type Reason, readReason } from '../failure/reason';
import { isNoAnswer, RECORD_LIMITS } from '../http/answer';
import { parseJson } from '../lib/json';
import type { Clock } from '../lib/time';
import type { Connection } from './connection';
import type { OwnPath } from './contract';

/** What an address answered, parsed; without `answer`, there is no such address. */
export type Read = { answer?: unknown } | { reason: Reason };

export type Asker = Pick<Connection, 'baseUrl' | 'keyHash' | 'send' | 'service'>;

/** What this process has read lately, by its address and its key: a list may have what the key may use. */
const kept = new Map<string, { read: Read; untilMs: number }>();

/** What a run is reading, by its address. No other run shares it: the first may be stopped, or have another key. */
const underWay = new WeakMap<Asker['send'], Map<string, Promise<Read>>>();

const keyOf = ({ baseUrl, keyHash, service }: Asker, { path }: OwnPath) =>
	`${service.name} ${baseUrl} ${keyHash} ${path}`;

/** Forgets what was read at an address: somebody may add a model meanwhile. */
export const forget = (connection: Asker, at: OwnPath): void =>
	void kept.delete(keyOf(connection, at));

/**
 * Reads what a service shows of its models, which costs nothing, and keeps it. Calls of a run at the same time
 * share one request: kie answers 429 after a few.
 *
 * @param clock waits for another try if trouble passes; nobody waits without one
 */
export async function readKept(
	connection: Asker,
	at: OwnPath,
	keepMs: number,
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

async function ask({ send }: Asker, at: OwnPath, clock?: Clock): Promise<Read> {
	for (let tries = 0; ; tries++) {
		const answer = await send({ ...at, ...RECORD_LIMITS });
		if (!isNoAnswer(answer) && answer.status < 300) return { answer: parseJson(answer.body) };
		const reason = readReason('list', answer);
		if (reason.noAddress) return { answer: undefined };
		if (!clock || !reason.passes || tries >= PAUSES_MS.length) return { reason };
		await clock.pause(Math.min(reason.retryAfterMs ?? PAUSES_MS[tries], MAX_PAUSE_MS));
	}
}
