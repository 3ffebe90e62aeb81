import type { IDataObject } from 'n8n-workflow';

import { parseExactJson, parseJson, withoutGaps } from '../lib/json';
import { type Clock, createTimeLimit } from '../lib/time';
import { type Address, type Connection, sizeOf } from './connection';
import { toPathSegment } from './credential';
import { type Failure, isFailure, isOfGateway, readFailure } from './failure';
import {
	isNoAnswer,
	MAX_RECORD_BYTES,
	type NoAnswer,
	type Readable,
	RECORD_LIMITS,
	REDIRECTS,
	type ServiceAnswer,
} from './http';
import { createFieldRules, type FieldRules, learnFields } from './fieldRules';
import { mayBeElsewhere, mayHaveFile } from './later';
import { lacksRoute, meansNoRoute, type Send } from './findRoute';
import { asksForForm, toForm } from './form';
import { sniffImage } from './image';
import { ownRoute, type Route, type RouteName } from './routes';
import { readTaskIds } from './taskIds';
import { findVideo, readTask, type VideoTask } from './videoTask';

/** The body of a submit: documented fields, and others that deployments read. */
export interface SubmitRequest extends IDataObject {
	model: string;
	prompt: string;
}

/** A task's record as it was read, and the answer as it came. */
export interface FetchedTask {
	task: VideoTask;
	answer: unknown;
}

const SUBMIT_TIMEOUT_MS = 120_000;
/** How often one video is written anew after a plain refusal. */
const MAX_REWRITES = 8;

/** A task that exists and is paid for; `otherIds` are further tasks that the answer names. */
export interface Submitted {
	task_id: string;
	otherIds: string[];
	route: RouteName;
	answer: unknown;
}

/** What a submit needs beside its request. */
interface Submission {
	/** Returns the request as it is written for a route; throws if it cannot be written so. */
	requestFor: (route: Route, rules: FieldRules) => SubmitRequest;
	/** Loads a picture by its address, for a form; throws why it cannot be loaded. */
	loadBytes: (url: string) => Promise<Buffer>;
	/** Whether New API has to get it by `/v1/videos`. */
	needsOpenAiRoute?: boolean;
	/** Ends the request instead of n8n's own signal, which would lose a task under way. */
	signal: AbortSignal;
	/** Once its signal fires, no further request for a video begins. */
	run: { signal: AbortSignal; clock: Pick<Clock, 'pause'> };
	facts: Pick<Failure, 'submittedAtMs'>;
}

/** One way of writing a submit. */
interface Attempt {
	route: Route;
	request: SubmitRequest;
	isForm: boolean;
}

/** What was sent so far, and what the refusals of it say of fields: that holds for this video alone. */
interface History {
	attempts: Attempt[];
	rules: FieldRules;
}

/** Submits once. Another request follows only a plain refusal, before which nothing was made. */
export async function submit(
	connection: Connection,
	submission: Submission,
): Promise<Submitted | Failure> {
	const { requestFor, loadBytes, needsOpenAiRoute, signal, run, facts } = submission;
	const { traits } = connection;
	const own = ownRoute(traits, needsOpenAiRoute);
	const first = own ?? traits.route ?? traits.routes[0];
	const history: History = { attempts: [], rules: createFieldRules() };
	let next: Attempt = { route: first, request: requestFor(first, history.rules), isForm: false };
	let failure: Failure | undefined;
	for (;;) {
		const { route, request } = next;
		// Another item of the run may find it out before this one has its answer.
		const isForm = route.takesForms === true && (traits.wantsForm === true || next.isForm);
		const body = isForm ? await toForm(request, loadBytes) : request;
		// Some deployments repeat the request in the answer, pictures included.
		const limits = { timeoutMs: SUBMIT_TIMEOUT_MS, maxBytes: MAX_RECORD_BYTES + 2 * sizeOf(body) };
		let answer: ServiceAnswer | NoAnswer;
		if (failure && run.signal.aborted) return failure;
		history.attempts.push({ route, request, isForm });
		try {
			answer = await connection.send({ path: route.submitPath, body, ...limits, signal });
			const parsed = !isNoAnswer(answer) && answer.status < 300 && parseExactJson(answer.body);
			const [task_id, ...otherIds] = parsed ? readTaskIds(parsed) : [];
			if (task_id) {
				// A refusal may be about one item, so only a form that was taken is kept to.
				if (isForm) traits.wantsForm = true;
				// New API tells of a task on each route, and other videos need not take this one's.
				const taskRoute = own ? (traits.route ?? traits.routes[0]) : (traits.route = route);
				return { task_id, otherIds, route: taskRoute.name, answer: parsed };
			}
			failure = readFailure('submit', answer, facts);
		} catch {
			// Once a submit is on its way, a task may exist, whatever is thrown.
			const message = 'The answer of the service cannot be read';
			return { during: 'submit', message, passes: false, certainty: 'unclear', ...facts };
		}
		if (isNoAnswer(answer) || failure.certainty !== 'refused') return failure;
		const found = await nextAttempt(connection, submission, history, answer, failure);
		if (isFailure(found)) return found;
		next = found;
	}
}

/**
 * Resolves to what to send after a plain refusal: a form if the service asks for one, other fields if the
 * refusal says which it reads, or the same on the next route if it lacks this one. Resolves to why the
 * submit ends if there is nothing of that kind.
 */
async function nextAttempt(
	{ traits, requestBody, send }: Connection,
	{ requestFor, signal, run, facts }: Submission,
	{ attempts, rules }: History,
	answer: ServiceAnswer,
	failure: Failure,
): Promise<Attempt | Failure> {
	const last = attempts[attempts.length - 1];
	const { route, isForm } = last;
	const { description = '', code, httpCode = 0 } = failure;
	if ([400, 415, 422].includes(httpCode)) {
		const mayBeForm = !isForm && route.takesForms && requestBody === 'auto';
		if (mayBeForm && asksForForm(httpCode, description)) return { ...last, isForm: true };
		const request = rewrite({ attempts, rules }, `${code} ${description}`, requestFor);
		return request ? { ...last, request } : failure;
	}
	if (!meansNoRoute(answer, route.submitPath) || isOfGateway(answer.body)) return failure;
	// After Stop, free requests still tell whether a submit was refused.
	const probe: Send = async (free) => await send({ ...free, signal });
	const isThere =
		traits.route === route || !(await lacksRoute(probe, route, answer, run.clock.pause));
	// The route is there, so a proxy may have answered, and the work may be done.
	if (isThere) return readFailure('submit', answer, { ...facts, certainty: 'unclear' });
	// New API has both routes, so another one would bring the same.
	const isAuto = traits.routes.length > 1 && !traits.isNewApi;
	// Another item of the run may have found the route meanwhile.
	const next = traits.route ?? traits.routes[1];
	if (!isAuto || attempts.some((one) => one.route === next)) return failure;
	return { route: next, request: requestFor(next, rules), isForm };
}

/** Returns a request of the same meaning that was not sent yet, as far as a refusal tells of fields. */
function rewrite(
	{ attempts, rules }: History,
	words: string,
	requestFor: Submission['requestFor'],
): SubmitRequest | undefined {
	const { route, request } = attempts[attempts.length - 1];
	const sent = attempts.map((one) => JSON.stringify(one.request));
	while (attempts.length <= MAX_REWRITES && learnFields(rules, words, request)) {
		try {
			const next = requestFor(route, rules);
			if (!sent.includes(JSON.stringify(next))) return next;
		} catch {
			// This way has no field for what is set, and the service has said why it takes no other.
		}
	}
	return undefined;
}

interface FetchLimits {
	/** Returns how long the caller can still wait, in milliseconds. */
	leftMs: () => number;
	signal: AbortSignal;
}

export async function fetchTask(
	connection: Connection,
	{ task_id, route: lastRoute }: Pick<VideoTask, 'task_id' | 'route'>,
	{ leftMs, signal }: FetchLimits,
): Promise<FetchedTask | Failure> {
	const { traits } = connection;
	const likely = traits.routes.find(({ name }) => name === lastRoute) ?? traits.route;
	const routes = [...new Set([likely ?? traits.routes[0], ...traits.routes])];
	let failure: Failure | undefined;
	for (const route of routes) {
		const answer = await connection.send({
			path: route.taskPath(task_id),
			limitMs: leftMs(),
			...RECORD_LIMITS,
		});
		const isRecord = !isNoAnswer(answer) && answer.status < 300;
		const parsed = isRecord ? parseExactJson(answer.body) : undefined;
		const task = isRecord ? readTask(parsed, task_id) : undefined;
		// What another route says without this ID may be about any task.
		if (task?.isUnnamed && likely && route !== likely) continue;
		if (task) {
			traits.route ??= route;
			const found = await findContent(connection, task, route, { leftMs, signal });
			// Only New API asks the vendor at each fetch; others may have the same fields for any task.
			if (!connection.writesByModel) delete found.hasLiveRecord;
			return { task: { ...found, route: route.name }, answer: parsed };
		}
		const isLacking = !isNoAnswer(answer) && meansNoRoute(answer, route.taskPath(task_id));
		if (!failure || !isLacking) failure = readFailure('check', answer, { task: { task_id } });
		// New API has both routes, and one answer for both.
		if (traits.isNewApi || isNoAnswer(answer) || !mayBeElsewhere(answer.status)) break;
	}
	return failure!;
}

/**
 * Resolves to a task with the address of its video. Some deployments say SUCCESS without one although the
 * video is at the documented address, which also goes before one that may be another video's.
 */
async function findContent(
	connection: Connection,
	task: VideoTask,
	route: Route,
	{ leftMs, signal }: FetchLimits,
): Promise<VideoTask> {
	const { task_id, isUrlGuessed, noVideo } = task;
	const isFiltered = noVideo?.why === 'filtered';
	const mayCome = !isFiltered || noVideo?.isUnsure;
	const lacksUrl = !task.result_url || isUrlGuessed;
	if (task.status !== 'SUCCESS' || !lacksUrl || !mayCome) return task;
	const ask = async (address: Address) => {
		const content = await askForContent(connection, task_id, {
			limitMs: leftMs(),
			signal,
			address,
		});
		return findFile(content, route, task_id);
	};
	const documented = contentAddress(task_id);
	let hasFile = await ask(documented);
	let address = (hasFile ?? !(isFiltered || isUrlGuessed)) ? documented : undefined;
	for (const { taskPath } of connection.traits.isNewApi ? [] : connection.traits.routes) {
		// Some have it beside their records, on whatever route these are.
		const beside = (baseUrl: string) => `${baseUrl}${taskPath(task_id)}/content`;
		const isOther = beside('') !== documented('');
		if (hasFile !== false || !isOther || !(await ask(beside))) continue;
		hasFile = true;
		address = beside;
	}
	const result_url = address?.(connection.baseUrl) ?? task.result_url;
	return withoutGaps<VideoTask>({
		...task,
		result_url,
		noVideo: hasFile && isFiltered ? undefined : noVideo,
		isFileUnsure: (hasFile === undefined && result_url !== undefined) || undefined,
	});
}

/** The status and type of the content endpoint's answer, and its first bytes if it is no video. */
export type ContentAnswer = Awaited<ReturnType<typeof askForContent>>;

/**
 * Asks for a task's video and reads no more than the first bytes that come. Resolves to `undefined`
 * if nothing answers.
 *
 * @param limitMs how long the caller can wait for the answer, in milliseconds
 */
export async function askForContent(
	connection: Connection,
	task_id: string,
	{
		limitMs,
		signal,
		address = contentAddress(task_id),
	}: { limitMs: number; signal: AbortSignal; address?: Address },
) {
	const timeoutMs = Math.min(RECORD_LIMITS.timeoutMs, limitMs);
	const limit = createTimeLimit(timeoutMs, signal);
	try {
		const options = { timeoutMs, signal: limit.signal };
		const answer = await connection.open(address, options);
		if (isNoAnswer(answer)) return undefined;
		const { status, headers, stream } = answer;
		const type = headers['content-type'] ?? '';
		const firstBytes = await readFirstBytes(stream);
		stream.destroy();
		return { status, type, firstBytes, location: headers.location };
	} finally {
		limit.close();
	}
}

/** A signed address may take some thousand of them. */
const MAX_FIRST_BYTES = 16_384;

/** Resolves to `undefined` if they are too slow, as those of a video may be, or cut off. */
async function readFirstBytes(stream: Readable): Promise<string | undefined> {
	try {
		for await (const chunk of stream)
			return Buffer.from(chunk as Buffer).toString('latin1', 0, MAX_FIRST_BYTES);
	} catch {
		return undefined;
	}
	return '';
}

/** Returns whether the content endpoint has the video; `undefined` if it may have it soon. */
function findFile(content: ContentAnswer, { hasFileApart }: Route, task_id: string) {
	if (!content) return undefined;
	const { status, type, firstBytes, location } = content;
	if (status >= 400) {
		return mayHaveFile(hasFileApart, status) ? undefined : false;
	}
	if (status >= 300) return (REDIRECTS.includes(status) && location !== undefined) || undefined;
	if (findVideo(parseJson(firstBytes ?? ''), task_id)) return true;
	const isImage = sniffImage(Buffer.from(firstBytes ?? '', 'latin1')) !== undefined;
	// A video may be sent as a text, and begins with a zero, as no text does.
	const isText = /^(text\/|application\/json)/i.test(type) && !firstBytes?.startsWith('\0');
	if (isImage || isText || /^\s*[<{[]/.test(firstBytes ?? '')) return false;
	// Of a video whose bytes are slow, the type says enough.
	return (firstBytes ?? (/^video\//i.test(type) && 'slow')) ? true : undefined;
}

/** Returns the task of which an address is the documented one of its video. */
export function taskOfContent({ pathname }: URL): string | undefined {
	const [, segment] = /\/v1\/videos\/([^/]+)\/content$/.exec(pathname) ?? [];
	try {
		return segment && decodeURIComponent(segment);
	} catch {
		return undefined;
	}
}

/** The documented address of a task's video. */
export const contentAddress = (task_id: string) => (baseUrl: string) =>
	`${baseUrl}/v1/videos/${toPathSegment(task_id)}/content`;
