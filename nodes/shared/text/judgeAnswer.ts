import type { IDataObject } from 'n8n-workflow';

import { toJson } from '../lib/json';
import type { ServiceAnswer } from '../service/http';
import { toPaidTrouble } from '../service/paid';
import type { GenerateResult, NoText } from '../service/textApi';
import { toReportedTrouble, type Trouble } from '../service/trouble';
import { tellsTrouble } from './chunk';
import { createStreamReader, type StreamReader } from './eventStream';
import type { Merge } from './mergeChunks';
import type { Ending } from './readChunks';
import { isBlock, UNSPECIFIED } from './reasons';
import { readAnswer } from './response';
import { toProtocolNames } from './spelling';

/** What has been read of the body of an answer. */
export interface Came {
	merge: Merge;
	reader: StreamReader;
}

/**
 * What an answer is, once its body is at its end in whatever way.
 *
 * @param answer its `body` is what is known of it as text
 */
export function judgeAnswer(ending: Ending, came: Came, answer: ServiceAnswer): GenerateResult {
	if (answer.status >= 300) return toPaidTrouble({ ...answer, body: toToldBody(answer.body) });
	if (came.merge.isEmpty()) return toNothing(ending, answer);
	const whole = came.merge.answer();
	const trouble = findTrouble(ending, came, whole);
	if (trouble) return { kind: 'unclear', trouble, partial: whole };
	return { kind: 'answered', answer: whole };
}

/** Whatever is thrown once a request is under way, the answer to it may have been billed. */
export const toUnread = (thrown: unknown): NoText => ({
	kind: 'unclear',
	trouble: {
		message: 'The answer could not be read',
		description: thrown instanceof Error ? thrown.message : undefined,
		retryable: false,
	},
});

/** The object that says no, out of a list or of events; any other body as it is. */
function toToldBody(body: string): string {
	const reader = createStreamReader();
	const told = [...reader.read(body), ...reader.end()].map((one) => toProtocolNames(one));
	const said = told.find(tellsTrouble);
	return said ? toJson(said) : body;
}

/** Not one chunk came: the body says no, or is a page, empty, or anything else. */
function toNothing({ trouble, toldTrouble }: Ending, answer: ServiceAnswer): GenerateResult {
	if (toldTrouble) {
		const said = toReportedTrouble(toldTrouble);
		const { httpCode } = said;
		// Without a status of its own it means what it means in any answer.
		if (httpCode === undefined) return toPaidTrouble({ ...answer, body: toJson(toldTrouble) });
		// The work has begun where an answer has; only what the asker did wrong stopped it before.
		return { kind: httpCode < 500 && httpCode !== 408 ? 'refused' : 'unclear', trouble: said };
	}
	return trouble ? { kind: 'unclear', trouble } : toPaidTrouble(answer);
}

/** Why what came is not the whole answer. */
function findTrouble(
	{ trouble, isCut, toldTrouble }: Ending,
	{ merge, reader }: Came,
	answer: IDataObject,
): Trouble | undefined {
	if (toldTrouble) return toReportedTrouble(toldTrouble);
	const { candidates, blockReason } = readAnswer(answer);
	// Nothing comes behind it.
	if (isBlock(blockReason)) return undefined;
	const reasons = candidates.map(({ finishReason }) => finishReason);
	const allSaidWhy = reasons.length > 0 && !reasons.includes(UNSPECIFIED);
	// Nothing comes behind a reason, either, where only the last chunk has one. What ends in the
	// midst of something is cut off, too, however it ends.
	const lacks = reader.lacks();
	const cameLast = merge.reasonsCameLast() ?? (!isCut && lacks !== 'object');
	if (trouble) return allSaidWhy && cameLast ? undefined : trouble;
	if (lacks && allSaidWhy && cameLast) return undefined;
	if (reader.isBroken()) {
		return { message: 'A part of the answer cannot be read', retryable: true };
	}
	if (allSaidWhy || reasons.length === 0 || reader.isClosed()) return undefined;
	return { message: 'The stream ended before the answer was complete', retryable: true };
}
