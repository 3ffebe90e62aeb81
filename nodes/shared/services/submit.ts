import type { IDataObject } from 'n8n-workflow';

import { type Failure, submitRefused, submitUnclear } from '../failure/failure';
import { isReason, isRefused, lacksAddress, readReason } from '../failure/reason';
import { quoteBody, readStatement } from '../failure/statement';
import {
	isNoAnswer,
	MAX_RECORD_BYTES,
	type NoAnswer,
	RECORD_LIMITS,
	type ServiceAnswer,
} from '../http/answer';
import { sizeOf } from '../http/connection';
import { type Form, hasFile, toForm } from '../http/form';
import { parseJson, withoutFiles } from '../lib/json';
import { toIso } from '../lib/time';
import type { Connection } from './connection';
import type { WrittenVideo } from './contract';
import { isOfNewApi } from './newApi';
import { findBetter, noTaskPath, toBetterAdvice } from './probe';
import { uploadImages } from './uploadImages';
import { isLiveModel, namesTask, readTaskIds } from './videoTask';

const SUBMIT_TIMEOUT_MS = 120_000;

/** A task that exists and is paid for; `otherIds` are further ones that the answer names. */
export interface Submitted {
	task_id: string;
	otherIds: string[];
	/** See `VideoTask`. */
	hasLiveRecord?: true;
	answer: unknown;
}

/** What a submit needs beside its request. */
export interface Submission {
	/**
	 * Returns the video as it is written for the service. `inPlainFields`: without the spellings that a service
	 * may refuse as unknown fields. Throws if it cannot be written so.
	 */
	requestFor: (inPlainFields: boolean) => WrittenVideo;
	/** Loads a picture by its address, for a form; throws why it cannot be loaded. */
	loadBytes: (url: string) => Promise<Buffer>;
	/** Ends the request under way, some time after Stop: n8n's own signal would lose its task. */
	signal: AbortSignal;
	/** Only forbids a further request for a video. */
	over: AbortSignal;
	submittedAtMs: number;
}

interface Attempt {
	isForm: boolean;
	inPlainFields: boolean;
	video: WrittenVideo;
}

/**
 * Submits a video, and once more in another way after a refusal that asks for it: a refused submit costs
 * nothing. After any unclear answer, there is no further one.
 *
 * @returns `undefined` if the run ends before it
 */
export async function submit(
	connection: Connection,
	submission: Submission,
): Promise<Submitted | Failure | undefined> {
	const { requestFor, over, submittedAtMs } = submission;
	const video = requestFor(false);
	const isForm = sendsForm(connection, video);
	let attempt: Attempt = { isForm, inPlainFields: false, video };
	for (;;) {
		const answer = await send(connection, attempt, submission).catch((error: unknown) => {
			// Another item's failure has ended the loading of this one's picture.
			if (over.aborted) return undefined;
			throw error;
		});
		if (!answer) return undefined;
		if (isReason(answer)) return submitRefused(answer);
		const submitted = readSubmitted(answer, attempt, connection);
		if (submitted) return submitted;
		if (!isRefusedSubmit(answer)) return toUnclear(answer, submittedAtMs);
		const next = isNoAnswer(answer)
			? undefined
			: nextAttempt(attempt, answer, submission, connection);
		if (!next) return await toRefused(connection, attempt, answer);
		if (over.aborted) return undefined;
		attempt = next;
	}
}

/** Returns whether a video goes out as a form from the start. */
export const sendsForm = (
	{ service }: Pick<Connection, 'service'>,
	{ fields }: WrittenVideo,
): boolean => service.form === 'withPicture' && hasFile(fields);

/** Resolves to the answer to a submit, or to why it was not sent. */
async function send(
	{ send: sendRequest, service }: Connection,
	{ video, isForm }: Attempt,
	{ loadBytes, signal }: Submission,
) {
	const limits = { timeoutMs: SUBMIT_TIMEOUT_MS, signal };
	const fields = await uploadImages(
		service,
		video.fields,
		async (at, form) => await sendRequest({ ...at, body: form, ...RECORD_LIMITS, ...limits }),
	);
	if (isReason(fields)) return fields;
	const { path, body: json } = service.toSubmit({ ...video, fields });
	const body = isForm ? await toForm(json, loadBytes) : json;
	return await sendRequest({ path, body, ...limits, maxBytes: maxBytesOf(body) });
}

/** Some services repeat the request in the answer, pictures included. */
const maxBytesOf = (body: IDataObject | Form) => MAX_RECORD_BYTES + 2 * sizeOf(body);

/** Returns the task that an answer of 2xx names. */
function readSubmitted(
	answer: ServiceAnswer | NoAnswer,
	{ video: { model } }: Attempt,
	{ service }: Connection,
): Submitted | undefined {
	if (isNoAnswer(answer) || answer.status >= 300) return undefined;
	const parsed = parseJson(answer.body);
	const own = service.readTaskId?.(parsed, model);
	const [task_id, ...otherIds] = own === undefined ? readTaskIds(parsed) : [own];
	if (task_id === undefined) return undefined;
	const isLive = isOfNewApi(answer) && isLiveModel(model);
	return {
		task_id,
		otherIds,
		...(isLive && { hasLiveRecord: true }),
		answer: withoutFiles(parsed),
	};
}

/** An answer that names a task has one, perhaps an earlier one. */
const isRefusedSubmit = (answer: ServiceAnswer | NoAnswer): boolean =>
	isRefused('submit', answer) && (isNoAnswer(answer) || !namesTask(parseJson(answer.body)));

/** Returns why an answer to a submit names no task, and may have one. */
function toUnclear(answer: ServiceAnswer | NoAnswer, submittedAtMs: number): Failure {
	const sent = (isNoAnswer(answer) ? answer.begin : answer.body) ?? '';
	const [task_id] = readTaskIds(parseJson(sent));
	const submitted_at = toIso(submittedAtMs);
	return submitUnclear(readReason('submit', answer), {
		...{ submitted_at, task_id },
		body: quoteBody(sent),
	});
}

/** Resolves to the refusal; where the address is not there, a free look tells which service has another one. */
async function toRefused(
	{ send: ask, service }: Connection,
	{ video }: Attempt,
	answer: ServiceAnswer | NoAnswer,
): Promise<Failure> {
	const reason = readReason('submit', answer);
	if (isNoAnswer(answer) || !lacksAddress(answer, service.toSubmit(video).path)) {
		return submitRefused(reason);
	}
	const look = async (path: string) => await ask({ path, ...RECORD_LIMITS });
	const told = await look(noTaskPath(service));
	const better = await findBetter(service, told, async ({ path }) => await look(path));
	return submitRefused(better ? { ...reason, advice: toBetterAdvice(better) } : reason);
}

/** Returns what to send after a refusal; `undefined` if the refusal is about the video itself. */
function nextAttempt(
	last: Attempt,
	{ status, body }: ServiceAnswer,
	{ requestFor }: Submission,
	{ service }: Connection,
): Attempt | undefined {
	if (service.form !== 'ifAsked' || !OF_FIELDS.includes(status)) return undefined;
	const words = readStatement(body).words ?? '';
	const { isForm, inPlainFields } = last;
	if (!isForm && (status === UNSUPPORTED_TYPE || FORM_WANTED.test(words))) {
		return { ...last, isForm: true };
	}
	if (inPlainFields || !UNKNOWN_FIELD.test(`${words} ${body.slice(0, 2_000)}`)) return undefined;
	try {
		const video = requestFor(true);
		const isSame = JSON.stringify(video) === JSON.stringify(last.video);
		return isSame ? undefined : { ...last, inPlainFields: true, video };
	} catch {
		// If the plain spelling has no field for a setting, the service's refusal explains more.
		return undefined;
	}
}

const UNSUPPORTED_TYPE = 415;
/** Statuses of a refusal that may be about how a request is written. */
const OF_FIELDS = [400, UNSUPPORTED_TYPE, 422];

/**
 * OpenAI takes `input_reference` as a file of a form, and so do LiteLLM, CometAPI and LaoZhang; Kapon and
 * aimanyi read forms alone, and miss the prompt in JSON.
 */
const FORM_WANTED =
	/multipart|form-?data|\bfile\b|input_reference|\bprompt\b.{0,20}\b(required|missing)/i;
/** OpenAI: "Unknown parameter: 'x'."; FastAPI: `extra_forbidden`; Zod: "Unrecognized key(s)". */
const UNKNOWN_FIELD =
	/(unknown|unrecogni[sz]ed|unexpected|extra) (request )?(parameter|field|propert|input|argument|key)|extra_forbidden/i;
