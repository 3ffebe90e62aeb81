import type { IDataObject } from 'n8n-workflow';

import { parseJson, withoutFiles } from '../lib/json';
import { type Connection, type Form, sizeOf } from './connection';
import { toForm } from './form';
import {
	isNoAnswer,
	isOfNewApi,
	MAX_RECORD_BYTES,
	type NoAnswer,
	type ServiceAnswer,
} from './http';
import { lacksRoute, type Route, type RouteName } from './routes';
import { readStatement } from './serviceWords';
import type { ModelRequest } from './namedServices';
import { uploadImages } from './uploadImages';
import { readTaskIds } from './videoTask';
import { readSubmitFailure, type RefusedSubmit, type UnclearSubmit } from './reason';

/**
 * The body of a submit: documented fields, and others that services read; for a named service, the model and
 * its `input`.
 */
export interface SubmitRequest extends IDataObject {
	model: string;
}

const SUBMIT_TIMEOUT_MS = 120_000;

/** A task that exists and is paid for; `otherIds` are further ones that the answer names. */
export interface Submitted {
	task_id: string;
	otherIds: string[];
	route: RouteName;
	isNewApi: boolean;
	answer: unknown;
}

/** What a submit needs beside its request. */
export interface Submission {
	/** Where the video may go, the likeliest first; the second one is taken if the first is not there. */
	routes: Route[];
	/**
	 * Returns the request as it is written for a route. `inPlainFields`: without the spellings that a service
	 * may refuse as unknown fields. Throws if it cannot be written so.
	 */
	requestFor: (route: Route, inPlainFields: boolean) => SubmitRequest;
	/** Loads a picture by its address, for a form; throws why it cannot be loaded. */
	loadBytes: (url: string) => Promise<Buffer>;
	/** The video goes out as a form from the start, where a route takes one; likewise if the credential says so. */
	sendsForm?: boolean;
	/** Ends the request under way, some time after Stop: n8n's own signal would lose its task. */
	signal: AbortSignal;
	/** Only forbids a further request for a video. */
	over: AbortSignal;
	submittedAtMs: number;
}

interface Attempt {
	route: Route;
	/** A form is sent if the route takes one, too. */
	isForm: boolean;
	inPlainFields: boolean;
	request: SubmitRequest;
}

/**
 * Submits once. Another request follows only a refusal, before which nothing was made: to the other route,
 * as a form, or in plain fields, each of these once. Resolves to `undefined` if the run ends before it.
 */
export async function submit(
	connection: Connection,
	submission: Submission,
): Promise<Submitted | RefusedSubmit | UnclearSubmit | undefined> {
	const { routes, requestFor, sendsForm, over, submittedAtMs } = submission;
	const [route] = routes;
	const isForm = connection.requestBody === 'form' || sendsForm === true;
	let attempt: Attempt = { route, isForm, inPlainFields: false, request: requestFor(route, false) };
	for (;;) {
		const answer = await send(connection, attempt, submission).catch((error: unknown) => {
			// Another item's failure has ended the loading of this one's picture.
			if (over.aborted) return undefined;
			throw error;
		});
		if (!answer) return undefined;
		const submitted = readSubmitted(answer, attempt, connection);
		if (submitted) return submitted;
		const failure = readSubmitFailure(answer, submittedAtMs);
		if (isNoAnswer(answer) || failure.kind !== 'refused') return failure;
		const next = nextAttempt(attempt, answer, submission, connection);
		if (!next) return failure;
		if (over.aborted) return undefined;
		attempt = next;
	}
}

async function send(
	connection: Connection,
	{ route, request, isForm }: Attempt,
	{ loadBytes, signal }: Submission,
): Promise<ServiceAnswer | NoAnswer> {
	const limits = { timeoutMs: SUBMIT_TIMEOUT_MS, signal };
	if (route.service) {
		const uploaded = await uploadImages(connection, request as ModelRequest, limits);
		if ('refusal' in uploaded) return uploaded.refusal;
		const wanted = route.service.toSubmit(uploaded.request);
		return await connection.send({ ...wanted, ...limits, maxBytes: maxBytesOf(wanted.body) });
	}
	const body = isForm && route.takesForms ? await toForm(request, loadBytes) : request;
	const maxBytes = maxBytesOf(body);
	return await connection.send({ path: route.submitPath, body, ...limits, maxBytes });
}

/** Some services repeat the request in the answer, pictures included. */
const maxBytesOf = (body: IDataObject | Form) => MAX_RECORD_BYTES + 2 * sizeOf(body);

/** Returns the task that an answer of 2xx names. */
function readSubmitted(
	answer: ServiceAnswer | NoAnswer,
	{ route, request }: Attempt,
	{ routes }: Connection,
): Submitted | undefined {
	if (isNoAnswer(answer) || answer.status >= 300) return undefined;
	const parsed = parseJson(answer.body);
	const own = route.service?.readTaskId?.(parsed, request.model);
	const [task_id, ...otherIds] = own === undefined ? readTaskIds(parsed) : [own];
	if (task_id === undefined) return undefined;
	const isNewApi = isOfNewApi(answer);
	// New API tells of a task on each route, but of the reason of a failure on its own alone.
	const { name } = isNewApi ? routes[0] : route;
	return { task_id, otherIds, route: name, isNewApi, answer: withoutFiles(parsed) };
}

/** Returns what to send after a refusal; `undefined` if the refusal is about the video itself. */
function nextAttempt(
	last: Attempt,
	answer: ServiceAnswer,
	{ routes, requestFor }: Submission,
	{ requestBody }: Connection,
): Attempt | undefined {
	const { status, body } = answer;
	const { route, isForm, inPlainFields } = last;
	const write = (changes: Partial<Attempt>): Attempt | undefined => {
		const next = { ...last, ...changes };
		try {
			return { ...next, request: requestFor(next.route, next.inPlainFields) };
		} catch {
			// If the plain spelling has no field for a setting, the service's refusal explains more.
			return undefined;
		}
	};
	const [first, other] = routes;
	// New API has both routes, so another one would bring the same.
	const isElsewhere = lacksRoute(answer, route.submitPath) && !isOfNewApi(answer);
	if (isElsewhere) return route === first && other ? write({ route: other }) : undefined;
	if (![400, 415, 422].includes(status)) return undefined;
	const words = readStatement(body).words ?? '';
	const mayBeForm = !isForm && route.takesForms === true && requestBody === 'auto';
	if (mayBeForm && (status === 415 || FORM_WANTED.test(words))) return write({ isForm: true });
	const isUnknown = !inPlainFields && UNKNOWN_FIELD.test(`${words} ${body.slice(0, 2_000)}`);
	const plain = isUnknown ? write({ inPlainFields: true }) : undefined;
	// The rules of a model's family have no plainer way.
	return JSON.stringify(plain?.request) === JSON.stringify(last.request) ? undefined : plain;
}

/**
 * OpenAI takes `input_reference` as a file of a form, and so do LiteLLM, CometAPI and LaoZhang; Kapon and
 * aimanyi read forms alone, and miss the prompt in JSON.
 */
const FORM_WANTED =
	/multipart|form-?data|\bfile\b|input_reference|\bprompt\b.{0,20}\b(required|missing)/i;
/** OpenAI: "Unknown parameter: 'x'."; FastAPI: `extra_forbidden`; Zod: "Unrecognized key(s)". */
const UNKNOWN_FIELD =
	/(unknown|unrecogni[sz]ed|unexpected|extra) (request )?(parameter|field|propert|input|argument|key)|extra_forbidden/i;
