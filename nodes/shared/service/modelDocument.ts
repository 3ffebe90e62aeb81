import { parseJson, toObject } from '../lib/json';
import type { Clock } from '../lib/time';
import type { Connection } from './connection';
import { isNoAnswer, RECORD_LIMITS } from './http';
import type { NamedService } from './namedServices';
import { type Reason, readReason } from './reason';

/** What this process has read lately, by base URL and model. */
const kept = new Map<string, { document: unknown; untilMs: number }>();

/** Pauses before another try; kie answers 429 after a few quick calls (ai-tool-mcp, October 2026). */
const PAUSES_MS = [2_000, 4_000, 8_000];

/**
 * Resolves to the document that describes a model, `undefined` if the service has no such model, or to why it
 * cannot be read. Costs nothing.
 *
 * @param clock waits for another try if trouble passes; nobody waits without one
 */
export async function fetchModelDocument(
	{ baseUrl, send }: Pick<Connection, 'baseUrl' | 'send'>,
	service: NamedService,
	model: string,
	clock?: Clock,
): Promise<{ document: unknown } | { failure: Reason }> {
	const key = `${baseUrl} ${model}`;
	const known = kept.get(key);
	if (known && known.untilMs > Date.now()) return known;
	const { read, keepMs, ...own } = service.schema(model);
	for (let tries = 0; ; tries++) {
		const answer = await send({ ...own, ...RECORD_LIMITS });
		if (!isNoAnswer(answer) && answer.status < 300) {
			const document = read(toObject(parseJson(answer.body)));
			if (document !== undefined) kept.set(key, { document, untilMs: Date.now() + keepMs });
			return { document };
		}
		const failure = readReason('list', answer);
		if (failure.httpCode === 404) return { document: undefined };
		if (!clock || !failure.passes || tries >= PAUSES_MS.length) return { failure };
		await clock.pause(failure.retryAfterMs ?? PAUSES_MS[tries]);
	}
}
