import type { Connection } from '../service/connection';
import { isNoAnswer, type ServiceAnswer } from '../service/http';
import { toPaidTrouble } from '../service/paid';
import { generateContent, type GenerateResult, type TextQuestion } from '../service/textApi';
import { createStreamReader } from './eventStream';
import { judgeAnswer, toUnread } from './judgeAnswer';
import { createMerge } from './mergeChunks';
import { handOn } from './readChunks';

/**
 * Asks for a whole answer. Some deployments send it as they would stream it, as a list or as events,
 * so it is read by the same rules.
 */
export async function wholeText(
	connection: Pick<Connection, 'send'>,
	question: TextQuestion,
): Promise<GenerateResult> {
	try {
		const answer = await generateContent(connection, question);
		if (!isNoAnswer(answer)) return await readWhole(answer);
		const { trouble, ...rest } = toPaidTrouble(answer);
		if (answer.begin === undefined) return { ...rest, trouble };
		// Cut off or given up: what had come of it is paid for.
		const { merge } = await readBody(answer.begin);
		return { ...rest, trouble, ...(!merge.isEmpty() && { partial: merge.answer() }) };
	} catch (error) {
		return toUnread(error);
	}
}

async function readWhole(answer: ServiceAnswer): Promise<GenerateResult> {
	if (answer.status >= 300) return judgeAnswer({}, await readBody(''), answer);
	const { toldTrouble, ...came } = await readBody(answer.body);
	return judgeAnswer({ toldTrouble }, came, answer);
}

async function readBody(body: string) {
	const reader = createStreamReader();
	const merge = createMerge();
	const objects = [...reader.read(body), ...reader.end()];
	const toldTrouble = await handOn(objects, async (chunk) => void merge.add(chunk));
	return { reader, merge, toldTrouble };
}
