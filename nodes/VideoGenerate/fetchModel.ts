import { parseJson } from '../shared/lib/json';
import type { Clock } from '../shared/lib/time';
import { type Model, readModel } from '../shared/schema/readModel';
import type { Connection } from '../shared/service/connection';
import { isNoAnswer, RECORD_LIMITS } from '../shared/service/http';
import type { NamedService } from '../shared/service/namedServices';
import { type Reason, readReason } from '../shared/service/reason';

/** `model` is missing if the service shows no schema of it. */
type Fetched = { model?: Model } | { failure: Reason };

/** What this process has read lately, or is reading, by base URL and model. */
const kept = new Map<string, { reading: Promise<Fetched>; untilMs: number }>();

/**
 * Resolves to what a model takes, or to why that cannot be read. Costs nothing. Calls at the same time share
 * one request: kie answers 429 after a few.
 *
 * @param clock waits for another try if trouble passes; nobody waits without one
 */
export async function fetchModel(
	connection: Pick<Connection, 'baseUrl' | 'send'>,
	service: NamedService,
	id: string,
	clock?: Clock,
): Promise<Fetched> {
	const key = `${service.name} ${connection.baseUrl} ${id}`;
	const known = kept.get(key);
	if (known && known.untilMs > Date.now()) return await known.reading;
	const reading = read(connection, service, id, clock);
	kept.set(key, { reading, untilMs: Date.now() + service.schema(id).keepMs });
	const fetched = await reading;
	if (!('model' in fetched) || !fetched.model) kept.delete(key);
	return fetched;
}

/** Pauses before another try (tansilandre/kie-ai-tool-mcp, October 2026). */
const PAUSES_MS = [2_000, 4_000, 8_000];

async function read(
	{ send }: Pick<Connection, 'send'>,
	service: NamedService,
	id: string,
	clock?: Clock,
): Promise<Fetched> {
	const { path, origin } = service.schema(id);
	for (let tries = 0; ; tries++) {
		const answer = await send({ path, origin, ...RECORD_LIMITS });
		if (!isNoAnswer(answer) && answer.status < 300) {
			return { model: readModel(service.name, id, parseJson(answer.body)) };
		}
		const failure = readReason('list', answer);
		if (failure.httpCode === 404) return { model: undefined };
		if (!clock || !failure.passes || tries >= PAUSES_MS.length) return { failure };
		await clock.pause(failure.retryAfterMs ?? PAUSES_MS[tries]);
	}
}
