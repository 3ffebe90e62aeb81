import type { IDataObject } from 'n8n-workflow';

import { parseExactJson, withoutFiles } from '../lib/json';
import type { Clock } from '../lib/time';
import { type Connection, sizeOf } from './connection';
import { type Failure, isFailure, isOfGateway, readFailure } from './failure';
import { createFieldRules, type FieldRules, learnFields } from './fieldRules';
import { lacksRoute, meansNoRoute, type Send } from './findRoute';
import { asksForForm, toForm } from './form';
import { isNoAnswer, MAX_RECORD_BYTES, type NoAnswer, type ServiceAnswer } from './http';
import { ownRoute, type Route, type RouteName } from './routes';
import { readTaskIds } from './taskIds';

/** The body of a submit: documented fields, and others that deployments read. */
export interface SubmitRequest extends IDataObject {
	model: string;
	prompt: string;
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

/**
 * Submits once. Another request follows only a plain refusal, before which nothing was made; resolves to
 * `undefined` if the run ends before it.
 */
export async function submit(
	connection: Connection,
	submission: Submission,
): Promise<Submitted | Failure | undefined> {
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
		if (failure && run.signal.aborted) return undefined;
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
				return { task_id, otherIds, route: taskRoute.name, answer: withoutFiles(parsed) };
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
