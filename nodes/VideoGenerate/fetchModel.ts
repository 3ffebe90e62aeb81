import { type Reason } from '../shared/failure/reason';
import type { Clock } from '../shared/lib/time';
import { MAX_PARTS, type Model, readModel } from '../shared/models/readSchema';
import { type Asker, forget, readKept } from '../shared/services/readKept';

/**
 * Resolves to what a model takes, or to why that cannot be read; `model` is missing if the service shows no
 * schema of it. Costs nothing.
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
	const read = await readKept(connection, at, schema.keepMs ?? 0, clock);
	if ('reason' in read) return read;
	const model = read.answer === undefined ? undefined : readModel(id, schema.find(read.answer, id));
	// A list of all (OpenRouter, WaveSpeed) is kept.
	if (!model && at.path !== schema.at?.('').path) forget(connection, at);
	return model?.isTooLarge ? { reason: SCHEMA_TOO_LARGE } : { model };
}

const SCHEMA_TOO_LARGE: Reason = {
	message: `Its schema has more than ${MAX_PARTS} fields and values`,
	advice: 'Choose another model.',
	passes: false,
};
