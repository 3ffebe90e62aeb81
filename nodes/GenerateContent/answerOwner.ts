import type { Run } from '../shared/item/run';
import { fingerprint, toWish } from '../shared/task/wish';
import type { TextJob } from './readJob';

/** Whose an answer is: the execution that paid, and what was wanted, in the person's words and as sent. */
export interface Owner {
	executionId: string;
	wish: string;
	request: string;
}

/** Parameters and options that do not say what to ask, nor what the item holds. */
const NOT_WISHED = new Set(['concurrency', 'reuseAnswers', 'streamResponse', 'timeout']);

/** Who owns the answer to a job of this run. */
export const ownerOf = (
	{ context, parameters, items }: Run,
	baseUrl: string,
	job: TextJob,
): Owner => ({
	executionId: context.getExecutionId(),
	wish: fingerprint([baseUrl, toWish(parameters, items[job.itemIndex], NOT_WISHED)]),
	request: fingerprint([baseUrl, toRequest(job)]),
});

/**
 * The rule of videos: inside one execution an item is known by its run and place alone, whatever its
 * expressions give now. In a retried one it is the same wish if the person's words and the incoming
 * item are the same, or the request is.
 */
export const isSameWish = (one: Owner, other: Owner) =>
	one.wish === other.wish || one.request === other.request;

/** What is sent, and what is made of the answer. */
function toRequest({ model, wish, files, turnFiles, ...job }: TextJob): unknown[] {
	const { jsonOutput, simplify, binaryProperty } = job;
	const bytes = [...files, ...turnFiles].map(({ binary: { id, data }, mimeType }) => [
		id ?? data,
		mimeType,
	]);
	return [model, wish, bytes, jsonOutput, simplify, binaryProperty];
}
