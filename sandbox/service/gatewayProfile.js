'use strict';

const answers = require('./gateway/answers.json');

const { families, owners, pricing, refusals, status } = answers;

// What a real gateway answered, by family of models. Ids, times and addresses were taken out of the
// record, and are put in here.

/** The models of the record, and who the gateway says serves them. */
const OWNERS = owners;

/** Returns the recorded answers for a model. */
function recordedFor({ deployment: { profile, owners: said } }, model) {
	if (profile !== 'gateway') return undefined;
	const owner = said[model] ?? owners[model];
	return families.find((one) => one.model === model) ?? families.find((one) => one.owner === owner);
}

/** A record with the words in braces replaced; "{at}" alone is a time in seconds. */
function fill(value, words) {
	if (Array.isArray(value)) return value.map((one) => fill(one, words));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, words)]));
	}
	if (typeof value !== 'string') return value;
	if (value === '{at}') return words.at;
	return value.replace(/\{(\w+)\}/g, (all, word) => String(words[word] ?? all));
}

const wordsOf = (state, task, video) => ({
	at: Math.floor((task.at + state.deployment.clockSkewMs) / 1000),
	gateway: state.url,
	reason: task.plan.failReason ?? 'The vendor says why',
	task: task.task_id,
	video,
});

/** The answer to a submit, with the gateway's headers; its model is the one that was asked for. */
function recordedSubmit({ submit }, state, task) {
	const { status, headers, json } = fill(submit, wordsOf(state, task));
	const requestId = { 'x-oneapi-request-id': task.task_id.slice(5) };
	return { status, headers: { ...headers, ...requestId }, json: { ...json, model: task.model } };
}

/**
 * The body of a poll's answer.
 * @param {string} video the address of the film at the vendor
 */
function recordedPoll(recorded, { state, task, now }, video) {
	const { waiting } = recorded;
	const { outcome } = task.plan;
	const words = wordsOf(state, task, video);
	if (now.status === 'queued')
		return fill(waiting[Math.min(task.polls, waiting.length) - 1], words);
	if (now.status === 'IN_PROGRESS') return fill(waiting.at(-1), words);
	return fill(outcome === 'filtered' ? recorded.filtered : recorded[now.status], words);
}

/** The public status, of which the nodes read what a unit of quota is worth; cut to what speaks of money. */
function recordedStatus({ url, deployment: { currency } }) {
	const json = fill(status, { gateway: url });
	const own = { quota_display_type: 'CUSTOM', custom_currency_symbol: currency };
	return {
		status: 200,
		json: currency === 'USD' ? json : { ...json, data: { ...json.data, ...own } },
	};
}

/** The public list of prices; what is fixed there is what the records are charged. */
const recordedPricing = (state) => {
	const rowOf = (name) => pricing.data.find(({ model_name }) => model_name === name);
	// A model that is not in the record costs what the one of its family does; a light one, a third.
	const others = state.deployment.models.video.flatMap((name) => {
		const row = rowOf(name) ? undefined : rowOf(recordedFor(state, name)?.model);
		const model_price = row && (/lite/.test(name) ? row.model_price / 3 : row.model_price);
		return row ? [{ ...row, model_name: name, model_price }] : [];
	});
	return { status: 200, json: { ...pricing, data: [...pricing.data, ...others] } };
};

const isGateway = ({ deployment: { profile } }) => profile === 'gateway';

module.exports = {
	...{ OWNERS, FAMILIES: families, REFUSALS: refusals, isGateway },
	...{ recordedFor, recordedSubmit, recordedPoll, recordedPricing, recordedStatus },
};
