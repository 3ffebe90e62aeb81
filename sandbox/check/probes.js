'use strict';

const { randomBytes } = require('node:crypto');
const { mayBeAccepted, taskIdOf } = require('./answer');
const { nameOf } = require('./words');

// The free requests, and why each of them is free.
//
// GET: lists, the public status, the record and the video of a task that nobody has. Reading is not
// billed; the task is made up, so no vendor is asked about it either.
//
// POST: whatever can start work lacks two things that the service needs for it, so a deployment that
// overlooks one still refuses for the other:
// - a submit has no prompt and no image, so that there is nothing to render, and names no model or
//   one that is made up. A deployment that renders everything with a model of its own has no prompt;
//   one that needs no prompt has no such model.
// - a text has no contents, and its model is made up. The actions are those of the contract: others,
//   such as countTokens, run a generation at gateways.
// A prompt with a made-up model, or a real model without a prompt, are never sent. Should a
// deployment answer a submit with anything but a clear refusal all the same, no other POST follows,
// whether it names a task or not.
//
// A wrong key is made up as well: with it nobody can be billed.

const SUBMIT = '/v1/video/generations';

/** Names that no deployment has: random, and not beginning as any vendor's do. */
function makeNames() {
	const random = randomBytes(6).toString('hex');
	return {
		task: `task_check_service_${random}`,
		model: `check-service-no-such-model-${random}`,
		key: `check-service-no-such-key-${random}`,
	};
}

const NOT_SENT = { trouble: 'not sent, since a submit may have been accepted', unsent: true };

/** @typedef {{ method?: string, path: string, headers?: object, body?: object, maxBytes?: number }} Probe */

/**
 * @param {{ key: string, textKey: string, headerName: string, keyInQuery: boolean }} settings
 * @returns {Record<string, Probe>} in the order in which they are sent
 */
function freeProbes({ key, textKey, headerName, keyInQuery }, names = makeNames()) {
	const bearer = (value) => ({ authorization: `Bearer ${value}` });
	const native = (value) => ({ [headerName]: value });
	const poll = `${SUBMIT}/${names.task}`;
	const content = `/v1/videos/${names.task}/content`;
	const text = `/v1beta/models/${names.model}`;
	const submit = (body, value = key) => ({
		method: 'POST',
		path: SUBMIT,
		headers: bearer(value),
		body,
	});
	const generate = (action, headers, query = '') => ({
		method: 'POST',
		path: `${text}:${action}${query}`,
		headers,
		body: {},
	});
	const query = `?key=${encodeURIComponent(textKey)}`;
	return {
		poll: { path: poll, headers: bearer(key) },
		pollWrongKey: { path: poll, headers: bearer(names.key) },
		pollNoKey: { path: poll },
		content: { path: content, headers: bearer(key) },
		contentWrongKey: { path: content, headers: bearer(names.key) },
		unknownAddress: { path: '/v1/check-service-no-such-address', headers: bearer(key) },
		wrongMethod: { path: SUBMIT, headers: bearer(key) },
		models: { path: '/v1/models', headers: bearer(key) },
		nativeModels: { path: '/v1beta/models', headers: native(textKey) },
		status: { path: '/api/status' },
		submitWrongKey: submit({}, names.key),
		submitEmpty: submit({}),
		submitUnknownModel: submit({ model: names.model }),
		text: generate('generateContent', native(textKey)),
		textWrongKey: generate('generateContent', native(names.key)),
		textStream: generate('streamGenerateContent', native(textKey), '?alt=sse'),
		...(keyInQuery && { textQuery: generate('generateContent', {}, query) }),
	};
}

const SUBMITS = ['submitWrongKey', 'submitEmpty', 'submitUnknownModel'];
const wasAccepted = (answers) => SUBMITS.some((name) => mayBeAccepted(answers[name] ?? NOT_SENT));

function warningOf(answer) {
	const id = taskIdOf(answer);
	const task = id === undefined ? 'no task is named' : `task ${nameOf(id)}`;
	return `The service may have accepted a submit without a prompt: ${task}. Nothing else is posted.`;
}

/**
 * Sends them one after another.
 * @param {Record<string, Probe>} probes
 * @param {(probe: Probe) => Promise<import('./request').Answer>} send
 * @param {(line: string) => void} say
 * @returns {Promise<Record<string, import('./request').Answer>>} none at all if the first has no answer
 */
async function sendProbes(probes, send, say) {
	const answers = {};
	let accepted = false;
	for (const [name, probe] of Object.entries(probes)) {
		const isPost = probe.method === 'POST';
		answers[name] = isPost && accepted ? NOT_SENT : await send(probe);
		if (answers[name].trouble && name === 'poll') return { poll: answers.poll };
		if (!accepted && wasAccepted(answers)) {
			accepted = true;
			say(warningOf(answers[name]));
		}
	}
	return answers;
}

module.exports = { SUBMIT, freeProbes, sendProbes, wasAccepted };
