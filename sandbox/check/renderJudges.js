'use strict';

const { describe, isRefusal, saidOf } = require('./answer');
const { nameOf, toJson, toText } = require('./words');
const { differs, kept, notTested } = require('./verdicts');

// What follows from what was seen of the one render.

const STATES = ['queued', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'];

const toVerdict = (holds, seen) => (holds ? kept(seen) : differs(seen));

/** Fields with the values that they should not have, as JSON. */
function deviations(object, wanted) {
	const wrong = Object.entries(wanted).filter(([name, fits]) => !fits(object[name]));
	return wrong.map(([name]) => `${name}: ${toJson(object[name])}`).join(', ');
}

const is = (wanted) => (value) => value === wanted;
const isPercentage = (value) => typeof value === 'string' && /^\d+%$/.test(value);

/** A refusal is JSON. A page is a proxy's, and after a panic nobody knows how far the gateway came. */
const isClear = (submit) =>
	submit.trouble === undefined && isRefusal(submit) && !/panic/.test(toText(saidOf(submit).type));

function judgeSubmit({ submit, id }) {
	if (id !== undefined) return kept(`${submit.status}, task ${nameOf(id)}`);
	const said = describe(submit);
	return isClear(submit)
		? differs(`refused: ${said}`)
		: differs(`it may be paid for: look into the account's usage. ${said}, no task ID`);
}

function judgeFields({ submit, id, model }) {
	const { json } = submit;
	const wrong = deviations(json, {
		id: is(id),
		task_id: is(id),
		object: is('video'),
		model: is(model),
		status: is('queued'),
		progress: is(0),
	});
	return wrong ? differs(wrong) : kept('as documented');
}

function judgeRecord({ poll, record, id }) {
	const wrong = deviations(
		{ ...record, code: poll.json.code, data: typeof poll.json.data },
		{ code: is('success'), data: is('object'), task_id: is(id), progress: isPercentage },
	);
	return wrong ? differs(wrong) : kept('as documented');
}

function judgeStates({ states }) {
	const areDocumented = states.every((state) => STATES.includes(state));
	return toVerdict(areDocumented, states.join(', '));
}

function judgeProgress({ progress, end }) {
	const isWhole = end !== 'done' || progress.at(-1) === '100%';
	return toVerdict(isWhole && progress.every(isPercentage), progress.map(toText).join(', '));
}

function judgeEnd({ end, states, polls, trouble, lastTrouble, record }) {
	const asked = `${polls} poll${polls === 1 ? '' : 's'}`;
	const failed =
		trouble > 0 ? `, ${trouble} of them without a record (${describe(lastTrouble)})` : '';
	if (record === undefined) return differs(`no record came in ${asked}${failed}`);
	if (end === 'unfinished')
		return notTested(`still ${states.at(-1) ?? 'unknown'} after ${asked}${failed}`);
	const reason = end === 'failed' ? ` (${toText(record.fail_reason || 'no reason told')})` : '';
	return kept(`${states.at(-1)}${reason}, after ${asked}${failed}`);
}

function judgeAddress({ record, id }) {
	const address = record.result_url;
	if (typeof address !== 'string' || !URL.canParse(address)) {
		return differs(record.url ? 'no result_url, but url' : 'no result_url');
	}
	const { origin, pathname } = new URL(address);
	const isContent = pathname.endsWith(`/v1/videos/${encodeURIComponent(id)}/content`);
	return toVerdict(
		isContent,
		isContent ? `the content endpoint at ${origin}` : `a file at ${origin}`,
	);
}

function judgeVideo({ content }) {
	if (content.trouble) return differs(content.trouble);
	const { status, headers, text } = content;
	if (status >= 300 && status < 400) return kept(`${describe(content)}, which was not followed`);
	const isMp4 = text.slice(4, 8) === 'ftyp';
	const type = headers['content-type'] ?? 'no type';
	if (status !== 200) return differs(describe(content));
	const size = headers['content-length'] ? `, ${headers['content-length']} bytes` : '';
	return toVerdict(
		isMp4 && /^video\/mp4/.test(type),
		`200 ${type}${isMp4 ? ', MP4' : ', no MP4'}${size}`,
	);
}

function judgeRange({ range }) {
	if (range.trouble) return differs(range.trouble);
	const { status } = range;
	return toVerdict(
		status === 206 || status === 200,
		status === 200 ? '200, the whole' : `${status}`,
	);
}

const judgeHead = ({ head }) =>
	head.trouble
		? differs(head.trouble)
		: toVerdict([200, 404, 405].includes(head.status), `${head.status}`);

const isAmount = (value) => Number.isFinite(value) && value > 0;

function judgeCost({ record }, { status }) {
	const { quota } = record;
	if (!isAmount(quota)) return differs('not told');
	const perUnit = status?.json?.data?.quota_per_unit;
	const worth = isAmount(perUnit) ? ` = ${Number((quota / perUnit).toFixed(6))} USD` : '';
	return kept(`${quota} units${worth}, charged at the submit`);
}

function judgeFactors({ submit }) {
	const factors = submit.headers['x-new-api-other-ratios'];
	return factors === undefined ? differs('not told') : kept(factors);
}

module.exports = {
	...{ STATES, judgeAddress, judgeCost, judgeEnd, judgeFactors, judgeFields, judgeHead },
	...{ judgeProgress, judgeRange, judgeRecord, judgeStates, judgeSubmit, judgeVideo },
};
