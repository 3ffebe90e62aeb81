import type { IDataObject } from 'n8n-workflow';

import { type Failure, submitRefused, submitUnclear } from '../failure/failure';
import { lacksAddress, type Reason, readReason } from '../failure/reason';
import { quoteBody, readStatement } from '../failure/statement';
import {
	isNoAnswer,
	MAX_RECORD_BYTES,
	type NoAnswer,
	RECORD_LIMITS,
	type ServiceAnswer,
} from '../http/answer';
import type { Body } from '../http/body';
import { sizeOf } from '../http/connection';
import { hasFile } from '../http/form';
import { parseJson, withoutFiles } from '../lib/json';
import { nameNearest } from '../lib/nearest';
import { sentences } from '../lib/text';
import { toIso } from '../lib/time';
import type { Connection } from './connection';
import type { Service, WrittenVideo } from './contract';
import { isOfNewApi, newApi } from './newApi';
import { readListed, toBetterAdvice } from './probe';
import { type KnownTask, namesTask, readTaskIds, type TaskAnswer } from './videoTask';
import { type LoadFile, writeBody } from './writeBody';

const SUBMIT_TIMEOUT_MS = 120_000;

/** A task that exists and is paid for. */
export interface Submitted extends TaskAnswer<KnownTask> {
	/** Further ones that the answer names. */
	otherIds: string[];
}

/** A video as it is written for the service. */
export interface VideoRequest {
	video: WrittenVideo;
	/** The same without the spellings that a service may refuse as unknown fields, if it can be written so. */
	plain?: WrittenVideo;
}

export interface Submission {
	request: VideoRequest;
	loadFile: LoadFile;
	/** Ends the request under way, some time after Stop: n8n's own signal would lose its task. */
	signal: AbortSignal;
	/** Only forbids a further request for a video. */
	over: AbortSignal;
	submittedAtMs: number;
	/** Called with the fields of each request as it goes out. */
	onSent?: (fields: IDataObject) => void;
}

interface Attempt {
	isForm: boolean;
	isPlain: boolean;
	video: WrittenVideo;
}

/**
 * Submits a video, and again in each other way that a refusal asks for: a refused submit costs nothing. After
 * any unclear answer, there is no further one.
 *
 * @returns `undefined` if the run ends before it
 */
export async function submit(
	connection: Connection,
	submission: Submission,
): Promise<Submitted | Failure | undefined> {
	const { request, over } = submission;
	const { video } = request;
	const isForm = sendsForm(connection, video);
	let attempt: Attempt = { isForm, isPlain: false, video };
	for (;;) {
		const answer = await send(connection, attempt, submission);
		if (!answer) return undefined;
		// The end of the run ends the loading of a picture.
		if ('refusal' in answer)
			return over.aborted ? undefined : submitRefused(answer.refusal, video.makes);
		const submitted = readSubmitted(answer, attempt, connection);
		if (submitted) return submitted;
		const isNewApi = connection.service === newApi || isOfNewApi(answer);
		const reason = readReason('submit', answer, { isOfNewApi: isNewApi });
		// An answer that names a task has one, perhaps an earlier one.
		const hasTask = !isNoAnswer(answer) && namesTask(parseJson(answer.body));
		if (!reason.refused || hasTask)
			return toUnclear(reason, answer, submission, connection.service);
		const next = nextAttempt(attempt, answer, submission, connection);
		if (!next) return await toRefused(reason, answer, attempt, connection);
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
	{ send: sendRequest, put, service }: Connection,
	attempt: Attempt,
	{ loadFile, onSent, over, signal }: Submission,
) {
	const limits = { timeoutMs: SUBMIT_TIMEOUT_MS, signal };
	const written = await writeBody(
		service,
		attempt,
		loadFile,
		async (at, body) => await sendRequest({ ...at, body, ...RECORD_LIMITS, ...limits }),
		async (address, file, method) =>
			await put(address, file, { ...RECORD_LIMITS, ...limits }, method),
	);
	if ('refusal' in written) return written;
	// The files took their time.
	if (over.aborted) return undefined;
	const { path, body, fields } = written;
	onSent?.(fields);
	return await sendRequest({ path, body, ...limits, maxBytes: maxBytesOf(body) });
}

/** Some services repeat the request in the answer, pictures included. */
const maxBytesOf = (body: IDataObject | Body) => MAX_RECORD_BYTES + 2 * sizeOf(body);

/** Returns the task that an answer of 2xx names. */
function readSubmitted(
	answer: ServiceAnswer | NoAnswer,
	{ video: { model, isLive, makes } }: Attempt,
	{ service }: Connection,
): Submitted | undefined {
	if (isNoAnswer(answer) || answer.status >= 300) return undefined;
	const parsed = parseJson(answer.body);
	const own = service.readTaskId?.(parsed, model);
	const [task_id, ...otherIds] = own === undefined ? readTaskIds(parsed) : [own];
	if (task_id === undefined) return undefined;
	const hasLiveRecord = (isOfNewApi(answer) && isLive) || undefined;
	return { task: { task_id, model, makes, hasLiveRecord }, otherIds, answer: withoutFiles(parsed) };
}

/** Returns why an answer to a submit names no task, and may have one. */
function toUnclear(
	reason: Reason,
	answer: ServiceAnswer | NoAnswer,
	{ request, submittedAtMs }: Submission,
	{ recent, usagePage }: Service,
): Failure {
	const sent = (isNoAnswer(answer) ? answer.begin : answer.body) ?? '';
	const [task_id] = readTaskIds(parseJson(sent));
	const submitted_at = toIso(submittedAtMs);
	const { makes } = request.video;
	const shownAt = recent
		? 'the list of the service, with Video Tasks'
		: usagePage && `the usage page of the service, ${usagePage}`;
	return submitUnclear(reason, { submitted_at, task_id, body: quoteBody(sent), makes, shownAt });
}

/** Resolves to the refusal; where the address is not there, a free look tells which service has another one. */
async function toRefused(
	reason: Reason,
	answer: ServiceAnswer | NoAnswer,
	{ video }: Attempt,
	connection: Connection,
): Promise<Failure> {
	const { look, service } = connection;
	const isMissing = !isNoAnswer(answer) && lacksAddress(answer, service.toSubmit(video).path);
	if (!isMissing)
		return submitRefused(await withNearest(reason, video.model, connection), video.makes);
	// No other paths are to be entered for a service with its own.
	if (service.origins) return submitRefused({ ...reason, advice: undefined }, video.makes);
	const { better } = await look();
	return submitRefused(better ? { ...reason, advice: toBetterAdvice(better) } : reason);
}

/**
 * Resolves to a refusal with the nearest name that the service lists, if it is about the model. That may be
 * said in words alone (LiteLLM: "Invalid model name passed in"), and then costs a free look at the list.
 */
async function withNearest(
	reason: Reason,
	model: string,
	{ listed, service }: Connection,
): Promise<Reason> {
	const { account, advice, code, description, passes } = reason;
	const isOfModel = /model/i.test(`${code} ${description}`);
	// Of a service with schemas, the model is known.
	if (service.schema || account || passes || !isOfModel) return reason;
	const names = readListed(service, await listed()).map(({ id }) => id);
	return { ...reason, advice: sentences(nameNearest(model, names), advice) };
}

/** Returns what to send after a refusal; `undefined` if the refusal is about the video itself. */
function nextAttempt(
	last: Attempt,
	answer: ServiceAnswer | NoAnswer,
	{ request: { plain } }: Submission,
	{ service }: Connection,
): Attempt | undefined {
	if (!service.form || isNoAnswer(answer)) return undefined;
	const { status, body } = answer;
	if (!OF_WRITING.includes(status)) return undefined;
	const words = readStatement(body).words ?? '';
	const { isForm, isPlain } = last;
	if (!isForm && (status === UNSUPPORTED_TYPE || FORM_WANTED.test(words))) {
		return { ...last, isForm: true };
	}
	if (service.form !== 'ifAsked' || isPlain || !plain) return undefined;
	const isUnknown = UNKNOWN_FIELD.test(`${words} ${body.slice(0, 2_000)}`);
	return isUnknown ? { ...last, isPlain: true, video: plain } : undefined;
}

const UNSUPPORTED_TYPE = 415;
/** Statuses of a refusal that may be about how a request is written. */
const OF_WRITING = [400, UNSUPPORTED_TYPE, 422];

/**
 * OpenAI takes `input_reference` as a file of a form, and so do LiteLLM, CometAPI and LaoZhang; Kapon and
 * aimanyi read forms alone, and miss the prompt in JSON.
 */
const FORM_WANTED =
	/multipart|form-?data|\bfile\b|input_reference|\bprompt\b.{0,20}\b(required|missing)/i;
/** OpenAI: "Unknown parameter: 'x'."; FastAPI: `extra_forbidden`; Zod: "Unrecognized key(s)"; AI Stats: "size cannot be combined with ...". */
const UNKNOWN_FIELD =
	/(unknown|unrecogni[sz]ed|unexpected|extra) (request )?(parameter|field|propert|input|argument|key)|extra_forbidden|cannot be combined|mutually exclusive/i;
