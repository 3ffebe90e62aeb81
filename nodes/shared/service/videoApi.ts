import type { IDataObject } from 'n8n-workflow';

import { parseExactJson, parseJson, toText } from '../lib/json';
import { type Clock, createTimeLimit } from '../lib/time';
import { type Address, type Connection, type Form, sizeOf } from './connection';
import { toHttpUrl, toPathSegment } from './credential';
import { type Failure, isOfGateway, readFailure } from './failure';
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

/**
 * Submits once. Another request follows only a plain refusal, before which nothing was made: as a form
 * if the service asks for one, with fields as the refusal says that it reads them, or on the next route if
 * it lacks this one. What a refusal says of fields holds for this video alone.
 */
export async function submit(
	connection: Connection,
	{ requestFor, loadBytes, needsOpenAiRoute, signal, run, facts }: Submission,
): Promise<Submitted | Failure> {
	const { traits, requestBody } = connection;
	const own = ownRoute(traits, needsOpenAiRoute);
	const settled = own ?? traits.route;
	const [first, second] = settled ? [settled] : traits.routes;
	const tried = [first];
	const rules = createFieldRules();
	const sent: SubmitRequest[] = [];
	let route = first;
	let request = requestFor(route, rules);
	/** Returns a request of the same meaning that was not sent yet, as far as a refusal tells of fields. */
	const rewrite = (words: string): SubmitRequest | undefined => {
		while (sent.length <= MAX_REWRITES && learnFields(rules, words, request)) {
			try {
				const next = requestFor(route, rules);
				const text = JSON.stringify(next);
				if (!sent.some((one) => JSON.stringify(one) === text)) return next;
			} catch {
				// This way has no field for what is set, and the service has said why it takes no other.
			}
		}
		return undefined;
	};
	// After Stop, free requests still tell whether a submit was refused.
	const probe: Send = async (free) => await connection.send({ ...free, signal });
	let asksForm = false;
	let failure: Failure | undefined;
	for (;;) {
		// Another item of the run may find it out before this one has its answer.
		const { wantsForm } = traits;
		const { submitPath: path, takesForms } = route;
		const isForm = takesForms === true && (wantsForm === true || asksForm);
		const body = isForm ? await toForm(request, loadBytes) : request;
		// Some deployments repeat the request in the answer, pictures included.
		const limits = { timeoutMs: SUBMIT_TIMEOUT_MS, maxBytes: MAX_RECORD_BYTES + 2 * sizeOf(body) };
		let answer: ServiceAnswer | NoAnswer;
		if (failure && run.signal.aborted) return failure;
		sent.push(request);
		try {
			answer = await connection.send({ path, body, ...limits, signal });
			const parsed = !isNoAnswer(answer) && answer.status < 300 && parseExactJson(answer.body);
			const [task_id, ...otherIds] = parsed ? readTaskIds(parsed) : [];
			if (task_id) {
				// A refusal may be about one item, so only a form that was taken is kept to.
				if (isForm) traits.wantsForm = true;
				// New API tells of a task on each route, and other videos need not take this one's.
				const told = own ? (traits.route ?? traits.routes[0]) : (traits.route = route);
				return { task_id, otherIds, route: told.name, answer: parsed };
			}
			failure = readFailure('submit', answer, facts);
		} catch {
			// Once a submit is on its way, a task may exist, whatever is thrown.
			const message = 'The answer of the service cannot be read';
			return { during: 'submit', message, passes: false, certainty: 'unclear', ...facts };
		}
		if (isNoAnswer(answer) || failure.certainty !== 'refused') return failure;
		const { description = '', code, httpCode = 0 } = failure;
		const isInvalid = [400, 415, 422].includes(httpCode);
		const mayBeForm = isInvalid && !isForm && takesForms && requestBody === 'auto';
		if (mayBeForm && asksForForm(httpCode, description)) asksForm = true;
		else if (isInvalid) {
			const next = rewrite(`${code} ${description}`);
			if (!next) return failure;
			request = next;
		} else {
			if (!meansNoRoute(answer, path) || isOfGateway(answer.body)) return failure;
			const isThere =
				traits.route === route || !(await lacksRoute(probe, route, answer, run.clock.pause));
			if (isThere) {
				// The route is there, so a proxy may have answered, and the work may be done.
				return readFailure('submit', answer, { ...facts, certainty: 'unclear' });
			}
			// New API has both routes, so another one would bring the same.
			const isAuto = traits.routes.length > 1 && !traits.isNewApi;
			// Another item of the run may have found the route meanwhile.
			const next: Route | undefined = traits.route ?? second;
			if (!isAuto || !next || tried.includes(next)) return failure;
			tried.push(next);
			route = next;
			request = requestFor(route, rules);
		}
	}
}

/**
 * Returns whether a refusal asks for a form or a file: by its name, or because the service, which
 * reads forms alone, misses what was sent.
 */
function asksForForm(httpCode: number | undefined, description: string): boolean {
	return (
		httpCode === 415 ||
		/multipart|form.?data|content.?type|\bfiles?\b|upload/i.test(description) ||
		/\b(prompt|model)\b.{0,40}\b(required|missing|empty|not (provided|specified))/i.test(
			description,
		) ||
		/\b(missing|require[sd]?)\b.{0,40}\b(prompt|model)\b/i.test(description)
	);
}

/** The fields of a request that hold a picture, or a list of pictures. */
const FILE_FIELDS = ['image', 'images', 'input_reference'];

export const DATA_URI = /^data:[^,]{0,200};base64,/;

/**
 * Returns a request as a form (multipart/form-data, RFC 7578): pictures as files, lists as one part
 * for each of their values, objects as JSON.
 *
 * @param load loads a picture by its address; throws if it cannot
 */
async function toForm(request: IDataObject, load: (url: string) => Promise<Buffer>): Promise<Form> {
	const boundary = `form-${crypto.randomUUID()}`;
	const parts: Buffer[] = [];
	for (const [name, value] of Object.entries(request)) {
		for (const one of [value].flat()) {
			const picture = FILE_FIELDS.includes(name) ? await toPicture(one, load) : undefined;
			parts.push(Buffer.from(`--${boundary}\r\n${toHead(name, picture)}\r\n\r\n`));
			parts.push(picture ?? Buffer.from(toPart(one)), Buffer.from('\r\n'));
		}
	}
	parts.push(Buffer.from(`--${boundary}--\r\n`));
	return {
		bytes: Buffer.concat(parts),
		contentType: `multipart/form-data; boundary=${boundary}`,
	};
}

const toPart = (value: unknown) =>
	typeof value === 'object' ? JSON.stringify(value) : String(value);

function toHead(name: string, picture?: Buffer): string {
	const shown = name.replace(/["\r\n]/g, encodeURIComponent);
	const head = `Content-Disposition: form-data; name="${shown}"`;
	if (!picture) return head;
	const type = sniffImage(picture) ?? 'application/octet-stream';
	return `${head}; filename="image.${type.split('/')[1]}"\r\nContent-Type: ${type}`;
}

async function toPicture(
	value: unknown,
	load: (url: string) => Promise<Buffer>,
): Promise<Buffer | undefined> {
	const text = toText(value) ?? '';
	if (toHttpUrl(text)) return await load(text);
	const base64 = Buffer.from(text.replace(DATA_URI, ''), 'base64');
	return sniffImage(base64) ? base64 : undefined;
}

/** @param leftMs returns how long the caller can still wait, in milliseconds */
export async function fetchTask(
	connection: Connection,
	{ task_id, route: lastRoute }: Pick<VideoTask, 'task_id' | 'route'>,
	{ leftMs, signal }: { leftMs: () => number; signal: AbortSignal },
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
			// Some deployments say SUCCESS without an address although the video is at the documented one,
			// which also goes before one that may be another video's.
			const { isUrlGuessed } = task;
			const isFiltered = task.noVideo?.why === 'filtered';
			const mayCome = !isFiltered || task.noVideo?.isUnsure;
			if (task.status === 'SUCCESS' && (!task.result_url || isUrlGuessed) && mayCome) {
				const ask = async (address = contentAddress(task_id)) =>
					findFile(
						await askForContent(connection, task_id, { limitMs: leftMs(), signal, address }),
						route,
						task_id,
					);
				let hasFile = await ask();
				if (hasFile ?? !(isFiltered || isUrlGuessed)) {
					task.result_url = contentAddress(task_id)(connection.baseUrl);
				}
				for (const { taskPath } of traits.isNewApi ? [] : traits.routes) {
					// Some have it beside their records, on whatever route these are.
					const beside = (baseUrl: string) => `${baseUrl}${taskPath(task_id)}/content`;
					const isOther = beside('') !== contentAddress(task_id)('');
					if (hasFile !== false || !isOther || !(await ask(beside))) continue;
					hasFile = true;
					task.result_url = beside(connection.baseUrl);
				}
				if (hasFile && isFiltered) delete task.noVideo;
				if (hasFile === undefined && task.result_url) task.isFileUnsure = true;
			}
			// Only New API asks the vendor at each fetch; others may have the same fields for any task.
			if (!connection.writesByModel) delete task.hasLiveRecord;
			return { task: { ...task, route: route.name }, answer: parsed };
		}
		const isLacking = !isNoAnswer(answer) && meansNoRoute(answer, route.taskPath(task_id));
		if (!failure || !isLacking) failure = readFailure('check', answer, { task: { task_id } });
		// New API has both routes, and one answer for both.
		if (traits.isNewApi || isNoAnswer(answer) || !mayBeElsewhere(answer.status)) break;
	}
	return failure!;
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
