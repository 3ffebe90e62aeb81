'use strict';

const { isOwnAnswer, nextEntry, withChange } = require('../service/answers');
const { videoAnswer } = require('../service/contentRoutes');
const { lastFrameAnswer, videoFor } = require('../service/media');
const { readPlan } = require('../service/plan');
const { PLAN, REFUSALS, toChange } = require('./plan');

// What a vendor documents about a field's values, so that a gateway or a client that sends anything
// else is refused here as it would be there.

const at = (body, path) => path.split('.').reduce((value, key) => value?.[key], body);

const oneOf = (...values) => [
	(value) => values.includes(value),
	`must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
];
const whole = (from, to) => [
	(value) => Number.isInteger(value) && value >= from && value <= to,
	`must be a whole number from ${from} to ${to}`,
];
const flag = [(value) => typeof value === 'boolean', 'must be true or false'];
const text = [(value) => typeof value === 'string', 'must be a string'];
/** Base64 as RFC 4648 has it: the usual alphabet, padded, without a prefix. */
const isBase64 = (value) =>
	typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
const isAddress = (value) => /^https?:\/\/\S+$/.test(String(value));
/** An address or a data URI. */
const mediaUrl = [
	(value) => isAddress(value) || /^data:[\w.+-]+\/[\w.+-]+;base64,\S+$/.test(String(value)),
	'must be an http(s) address or a data URI',
];

/**
 * The first thing that is wrong with a body, as a sentence.
 * @param {Record<string, [(value: unknown) => boolean, string]>} rules by path, e.g. "input.prompt";
 * a path that ends with "!" must be there
 */
function problemOf(body, rules) {
	if (typeof body !== 'object' || body === null) return 'the body is not a JSON object';
	for (const [path, [fits, says]] of Object.entries(rules)) {
		const name = path.replace(/!$/, '');
		const value = at(body, name);
		const missing = value === undefined || value === null || value === '';
		if (missing && path !== name) return `${name} is required`;
		if (!missing && !fits(value)) return `${name} ${says}`;
	}
	return undefined;
}

// What is the same at every vendor: a render is submitted, asked for a number of times, and its
// film fetched. The vendors say it in their own words.

const ENDS = { SUCCESS: 'done', FAILURE: 'failed', filtered: 'filtered', never: 'running' };

/** Returns what the latest poll was told; 'queued' before the first one. */
function stateOf({ plan, polls }, deployment) {
	const { queuedPolls, runningPolls, outcome = 'SUCCESS' } = { ...deployment, ...plan };
	if (polls <= queuedPolls) return 'queued';
	if (polls <= queuedPolls + runningPolls) return 'running';
	return ENDS[outcome];
}

/** The plan of a prompt and the prompt without it; a refusal where the plan is misspelt. */
function planOf({ state, vendor }, prompt) {
	const { asked, plan, problem } = readPlan(String(prompt ?? ''), PLAN);
	const answer = problem && vendor.refuse('badRequest', `The sandbox: plan: ${problem}`);
	return { asked, plan: { ...state.deployment.plan, ...plan }, answer };
}

function changeDue({ state, vendor }, place, counter, plan) {
	const entry = nextEntry(state.counters, `${vendor.name} ${place} ${counter}`, plan[place]);
	return toChange(vendor, entry, place);
}

/**
 * A submit: refused by the plan, refused by the vendor's rules, or accepted.
 * @param {{ id: string, model: string, prompt: string, shape?: string, problem?: string }} job
 * `shape` as "16:9" or "1280x720"; `problem` is what the vendor would refuse about the request
 * @param {(task: object) => object} answer the vendor's words for an accepted one
 */
function submit(exchange, job, answer) {
	const { state, vendor, record, json } = exchange;
	const { asked, plan, answer: unclear } = planOf(exchange, job.prompt);
	if (unclear) return unclear;
	const change = changeDue(exchange, 'submit', asked, plan);
	if (isOwnAnswer(change) && !change.accept) return change;
	if (job.problem) return vendor.refuse('badRequest', job.problem);
	const { id, model, shape } = job;
	const video = plan.video ?? videoFor(shape);
	const task = { id, vendor: vendor.name, model, prompt: asked, plan, body: json, video };
	state.tasks.set(id, Object.assign(task, { polls: 0, at: Date.now() }));
	record.taskId = id;
	return withChange(answer(task), change);
}

const find = ({ state, vendor, record }, id) => {
	const task = state.tasks.get(id);
	record.taskId = id;
	return task?.vendor === vendor.name ? task : undefined;
};

/** A poll. Those that a plan's list answers do not bring the render further. */
function poll(exchange, id, answer) {
	const task = find(exchange, id);
	if (!task) return exchange.vendor.refuse('notFound404');
	const change = changeDue(exchange, 'poll', id, task.plan);
	if (isOwnAnswer(change)) return change;
	task.polls++;
	return withChange(answer(task, stateOf(task, exchange.state.deployment)), change);
}

/** Why a render that has ended has no film. */
const reasonOf = ({ plan }, state, whenFiltered, otherwise) =>
	state === 'filtered' ? whenFiltered : (plan.failReason ?? otherwise);

/** A file of a render that is done. */
const fileOf = (place, answer) => (exchange, id) => {
	const task = find(exchange, id);
	if (!task || stateOf(task, exchange.state.deployment) !== 'done') {
		return exchange.vendor.refuse('notFound404');
	}
	return withChange(answer(exchange, task), changeDue(exchange, place, id, task.plan));
};
const content = fileOf('content', videoAnswer);
const lastFrame = fileOf('lastFrame', (_exchange, { video }) => lastFrameAnswer(video));

const signedUrl = ({ state, vendor }, file) =>
	`${state.url}/${vendor.name}/files/${file}?X-Signature=sandbox&X-Expires=86400`;

/** The address of a film at a vendor that signs addresses instead of asking for its key. */
const filmUrl = (exchange, { id }) => signedUrl(exchange, `${id}.mp4`);

/** That of its last frame. */
const lastFrameUrl = (exchange, { id }) => signedUrl(exchange, `${id}.png`);

/** A film lies in a store, which has other words for an error than the vendor's API. */
const inStore = (vendor) => ({
	...vendor,
	refuse: (kind, message = REFUSALS[kind].message) => ({
		status: REFUSALS[kind].status,
		headers: { 'content-type': 'application/xml' },
		text: `<Error><Code>${kind}</Code><Message>${message}</Message></Error>`,
	}),
});

const filmRoute = [
	'GET',
	'/files/:file',
	(exchange) => {
		const [id, type] = exchange.params.file.split('.');
		const give = type === 'png' ? lastFrame : content;
		return give(Object.assign(exchange, { vendor: inStore(exchange.vendor) }), id);
	},
	{ open: true },
];

module.exports = {
	...{ problemOf, oneOf, whole, flag, text, mediaUrl, isBase64, isAddress },
	...{ submit, poll, content, fileOf, planOf, changeDue, stateOf, reasonOf },
	...{ filmUrl, filmRoute, lastFrameUrl },
};
