import type { Run } from '../shared/item/run';
import type { Connection } from '../shared/service/connection';
import { streamGenerateContent, type GenerateResult } from '../shared/service/textApi';
import { buildRequest } from '../shared/text/request';
import { streamText } from '../shared/text/streamText';
import { wholeText } from '../shared/text/wholeText';
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
	const question = { model, body, timeoutMs };
	if (!listener) return await wholeText(connection, question);
	return await streamText({
		open: async (end) => {
			const signal = AbortSignal.any([run.stop, end]);
			return await streamGenerateContent(connection, question, signal);
		},
		onWords: listener,
		idleTimeoutMs: timeoutMs,
	});
}
