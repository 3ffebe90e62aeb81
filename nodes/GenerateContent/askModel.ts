import type { Run } from '../shared/item/run';
import type { Connection } from '../shared/service/connection';
import type { GenerateResult } from '../shared/service/textApi';
import { buildRequest } from '../shared/text/request';
import { askText } from '../shared/text/askText';
import { loadFiles, loadTurns } from './loadFiles';
import type { TextJob } from './readJob';
import type { Listener } from './speakInTurn';

/**
 * Asks once: for an answer in pieces where somebody hears them, else for a whole one. The files are
 * loaded for it, and given up with it.
 */
export async function askModel(
	job: TextJob,
	listener: Listener | undefined,
	run: Pick<Run, 'context' | 'stop'>,
	connection: Connection,
): Promise<GenerateResult> {
	const { model, timeoutMs, wish, files, turnFiles } = job;
	const turns = await loadTurns(run.context, wish.turns, turnFiles);
	const body = buildRequest({ ...wish, turns }, await loadFiles(run.context, files));
	return await askText(connection, { model, body, timeoutMs }, run.stop, listener);
}
