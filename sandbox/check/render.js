'use strict';

const { isObject, taskIdOf } = require('./answer');
const { nameOf } = require('./words');
const { SUBMIT } = require('./probes');

// The one thing here that costs money: a single submit, whatever comes of it, and its task followed
// to the end. An answer that is missing or not understood may be a paid task: it is told, never sent
// again.

const PROMPT = 'A red paper boat on calm water';
const DONE = /^(success|succeeded|completed)$/i;
const FAILED = /^(failure|failed|cancell?ed|expired)$/i;
/** Of Veo, gateways answer with the vendor's own words, and ask the vendor for each poll. */
const SELDOM_MS = 30_000;
const START_BYTES = 64 * 1024;

/**
 * @typedef {{ model: string, submit: object, id?: string, states: string[], progress: unknown[], polls: number,
 *   trouble: number, lastTrouble?: object, record?: object, poll?: object, end: 'done' | 'failed' | 'unfinished' | 'no task',
 *   content?: object, range?: object, head?: object }} Render
 */

const recordOf = ({ json }) => (isObject(json?.data) ? json.data : json);

/** A record with the vendor's `url` and no progress of the gateway's own. */
const isOfVendor = (record) => 'url' in record && !('progress' in record);

/** Only what is new. */
const note = (list, value) => void (list.at(-1) === value || list.push(value));

/** Polls until the task has ended or the time is over; trouble on the way ends nothing. */
async function follow(render, poll, { pause, everyMs, waitMs }) {
	const ends = Date.now() + waitMs;
	for (;;) {
		const answer = await poll();
		render.polls++;
		const record = recordOf(answer);
		const status = record?.status;
		if (typeof status === 'string' && answer.status < 300) {
			Object.assign(render, { record, poll: answer });
			note(render.states, status);
			note(render.progress, record.progress ?? 'absent');
			if (DONE.test(status)) return 'done';
			if (FAILED.test(status)) return 'failed';
		} else {
			render.trouble++;
			render.lastTrouble = answer;
		}
		const isSeldom = render.record && isOfVendor(render.record);
		const pauseMs = isSeldom ? Math.max(everyMs, SELDOM_MS) : everyMs;
		if (Date.now() + pauseMs > ends) return 'unfinished';
		await pause(pauseMs);
	}
}

/**
 * @param {{ model: string, seconds?: number, key: string, everyMs: number, waitMs: number,
 *   pause: (ms: number) => Promise<unknown>, send: (probe: object) => Promise<object>,
 *   say: (line: string) => void }} how
 * @returns {Promise<Render>} never rejects
 */
async function renderOnce({ model, seconds, key, send, say, ...waiting }) {
	const headers = { authorization: `Bearer ${key}` };
	// Families of models read one or the other, and none misreads them.
	const length = seconds === undefined ? {} : { duration: seconds, seconds: String(seconds) };
	const body = { model, prompt: PROMPT, ...length };
	const submit = await send({ method: 'POST', path: SUBMIT, headers, body });
	const id = submit.trouble === undefined && submit.status < 300 ? taskIdOf(submit) : undefined;
	const render = {
		model,
		submit,
		id,
		states: [],
		progress: [],
		polls: 0,
		trouble: 0,
		end: 'no task',
	};
	if (id === undefined) return render;
	say(
		`Submitted: task ${nameOf(id)}. It is paid for; whatever happens here, it can be fetched by this ID.`,
	);
	try {
		await followToItsFile(render, { id, headers, send, waiting });
	} catch {
		// What is known of a paid task is told, whatever happened. An ID that is no text cannot be asked for.
		if (render.end === 'no task') render.end = 'unfinished';
	}
	return render;
}

async function followToItsFile(render, { id, headers, send, waiting }) {
	const of = encodeURIComponent(id);
	const poll = async () => await send({ path: `${SUBMIT}/${of}`, headers });
	render.end = await follow(render, poll, waiting);
	// A task that has succeeded is not polled again: for some gateways that is a question to a vendor
	// who may have forgotten it.
	if (render.end !== 'done') return;
	const content = { path: `/v1/videos/${of}/content`, headers, maxBytes: START_BYTES };
	render.content = await send(content);
	render.range = await send({ ...content, headers: { ...headers, range: 'bytes=0-1023' } });
	render.head = await send({ ...content, method: 'HEAD' });
}

module.exports = { renderOnce, PROMPT };
