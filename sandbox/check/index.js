'use strict';

const { setTimeout: wait } = require('node:timers/promises');
const { isKeyRefused } = require('./answer');
const { LIST_ROWS, TEXT_ROWS } = require('./otherRows');
const { freeProbes, sendProbes, wasAccepted } = require('./probes');
const { renderOnce } = require('./render');
const { RENDER_ROWS } = require('./renderRows');
const { request } = require('./request');
const { createShow } = require('./shown');
const { nameOf } = require('./words');
const { VIDEO_ROWS } = require('./videoRows');

const ROWS = [...VIDEO_ROWS, ...TEXT_ROWS, ...LIST_ROWS, ...RENDER_ROWS];

/** A judge that stumbles over what it reads leaves the other rows alone. */
function judgedBy(judgeRow, answers) {
	try {
		return judgeRow(answers);
	} catch (error) {
		return { verdict: 'differs', seen: `an answer that cannot be read (${error.name})` };
	}
}

const judge = (answers, show) =>
	ROWS.map(({ by, row, says, judge: judgeRow }) => {
		const { verdict, seen } = judgedBy(judgeRow, answers);
		return { by, row, says, seen: show(seen), verdict };
	});

/** Whether this deployment breaks what the contract promises; the other rows are good to know. */
const differsFromContract = (rows) =>
	rows.some(({ by, verdict }) => by === 'contract' && verdict === 'differs');

/** Long enough for any task ID. */
const MAX_ID_LENGTH = 2000;

/**
 * Compares a deployment with what is documented. Without `render` nothing is sent that could cost
 * money; with it there is one submit, or none if `mayRender` says no.
 * @param {import('.').CheckSettings} settings
 * @returns {Promise<import('.').CheckResult>} never rejects
 */
async function checkService({
	baseUrl,
	timeoutMs = 20_000,
	say: sayTo = () => undefined,
	...settings
}) {
	const show = createShow([settings.key, settings.textKey]);
	const say = (line) => sayTo(show(line, MAX_ID_LENGTH));
	const send = async ({ path, ...how }) =>
		await request(`${baseUrl}${path}`, { ...how, timeoutMs });
	const answers = await sendProbes(freeProbes(settings), send, say);
	if (answers.poll.trouble) return { unreachable: show(answers.poll.trouble), rows: [] };
	const paid = await renderIfWanted(settings, answers, { send, say });
	const rows = judge({ ...answers, ...paid }, show);
	const id = paid.render?.id;
	return { rows, taskId: id && show(nameOf(id), MAX_ID_LENGTH) };
}

async function renderIfWanted(settings, answers, { send, say }) {
	const { render: model, mayRender = async () => false } = settings;
	if (model === undefined) return { noRender: 'needs a render: --render MODEL' };
	if (isKeyRefused(answers.poll)) return { noRender: 'nothing was ordered: the key is refused' };
	if (wasAccepted(answers)) {
		return {
			noRender: 'nothing was ordered, since a submit without prompt may have been accepted',
		};
	}
	// A question that fails is not answered with yes.
	if (!(await mayRender().catch(() => false))) return { noRender: 'nothing was ordered' };
	const { key, seconds, everyMs = 10_000, waitMs = 15 * 60_000, pause = wait } = settings;
	return { render: await renderOnce({ model, key, seconds, everyMs, waitMs, pause, send, say }) };
}

module.exports = { ROWS, checkService, differsFromContract };
