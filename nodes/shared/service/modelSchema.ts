import { parseJson } from '../lib/json';
import type { Clock } from '../lib/time';
import type { Connection } from './connection';
import { isNoAnswer, RECORD_LIMITS } from './http';
import type { NamedService } from './namedServices';
import { type Reason, readReason } from './reason';

type Fetched = { answer: unknown } | { failure: Reason };

/** What this process has read lately, or is reading, by base URL and model. */
const kept = new Map<string, { reading: Promise<Fetched>; untilMs: number }>();

/**
 * Resolves to the answer that shows what a model takes, or to why there is none. Costs nothing. Calls at the
 * same time share one request: kie answers 429 after a few.
 *
 * @param clock waits for another try if trouble passes; nobody waits without one
 */
export async function fetchModelSchema(
	connection: Pick<Connection, 'baseUrl' | 'send'>,
	service: NamedService,
	model: string,
	clock?: Clock,
): Promise<Fetched> {
	const key = `${connection.baseUrl} ${model}`;
	const known = kept.get(key);
	if (known && known.untilMs > Date.now()) return await known.reading;
	const reading = read(connection, service, model, clock);
	kept.set(key, { reading, untilMs: Date.now() + service.schema(model).keepMs });
	const fetched = await reading;
	if ('failure' in fetched) kept.delete(key);
	return fetched;
}

/** Pauses before another try (tansilandre/kie-ai-tool-mcp, October 2026). */
const PAUSES_MS = [2_000, 4_000, 8_000];

async function read(
	{ send }: Pick<Connection, 'send'>,
	service: NamedService,
	model: string,
	clock?: Clock,
): Promise<Fetched> {
	const { path, origin } = service.schema(model);
	for (let tries = 0; ; tries++) {
		const answer = await send({ path, origin, ...RECORD_LIMITS });
		if (!isNoAnswer(answer) && answer.status < 300) return { answer: parseJson(answer.body) };
		const failure = readReason('list', answer);
		if (failure.httpCode === 404) return { answer: undefined };
		if (!clock || !failure.passes || tries >= PAUSES_MS.length) return { failure };
		await clock.pause(failure.retryAfterMs ?? PAUSES_MS[tries]);
	}
}
