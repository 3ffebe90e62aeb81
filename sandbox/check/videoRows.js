'use strict';

const answer = require('./answer');
const { nameOf, toText } = require('./words');
const { behindKey, differs, notTested, of } = require('./verdicts');

const { describe, isRefusal, isUnknownAddress, mayBeAccepted, saidOf, taskIdOf } = answer;

// What is documented of the video addresses, as far as it can be told without a render. A row is
// `by` the contract, or by what public gateways answer where the contract is silent.

/** An address is there if it refuses in JSON, and not as an unknown one does. */
function isThere(answered, { unknownAddress }) {
	if (!isRefusal(answered)) return false;
	if (unknownAddress.trouble || !isUnknownAddress(answered, unknownAddress)) return true;
	return differs(`${describe(answered)}, as for an address that is not there`);
}

/** A submit that lacks a prompt and a model: whatever is no clear refusal comes before the row's own judge. */
const ofSubmit = (name, judge) => (answers) => {
	const answered = answers[name];
	if (answered === undefined || !mayBeAccepted(answered)) return judge(answers);
	const id = taskIdOf(answered);
	const as = id === undefined ? 'perhaps ACCEPTED' : `ACCEPTED as task ${nameOf(id)}`;
	return differs(`${as}: look whether it was charged. ${describe(answered)}`);
};

const isWrongKeyRefused = ({ status }) => status === 401 || status === 403;

/** Which of the two things that the submit lacks was looked at. */
const speaksOfPrompt = (answered) => /prompt/i.test(toText(saidOf(answered)?.message));

const VIDEO_ROWS = [
	{
		by: 'contract',
		row: 'Base URL',
		says: 'answers as an API, in JSON',
		judge: of('poll', ({ json }) => json !== undefined),
	},
	{
		by: 'contract',
		row: 'Key for video',
		says: 'Authorization: Bearer is accepted',
		judge: of('poll', (answered) =>
			answered.status === 403
				? notTested(`${describe(answered)}: known, but it may not look at any task`)
				: answered.json !== undefined && answered.status !== 401,
		),
	},
	{
		by: 'contract',
		row: 'Wrong key, poll',
		says: 'refused',
		judge: of('pollWrongKey', isWrongKeyRefused),
	},
	{
		by: 'contract',
		row: 'No key, poll',
		says: 'refused',
		judge: of('pollNoKey', isWrongKeyRefused),
	},
	{
		by: 'contract',
		row: 'Wrong key, download',
		says: 'refused',
		judge: of('contentWrongKey', isWrongKeyRefused),
	},
	{
		by: 'contract',
		row: 'Wrong key, submit',
		says: 'refused',
		judge: ofSubmit('submitWrongKey', of('submitWrongKey', isWrongKeyRefused)),
	},
	{
		by: 'contract',
		row: 'Submit without anything',
		says: 'refused: model and prompt are required',
		judge: ofSubmit('submitEmpty', behindKey('submitEmpty', isThere)),
	},
	{
		by: 'contract',
		row: 'Submit without prompt',
		says: 'refused: prompt is required',
		judge: ofSubmit(
			'submitUnknownModel',
			behindKey('submitUnknownModel', (answered, answers) => {
				const refuses = isThere(answered, answers);
				if (refuses !== true || speaksOfPrompt(answered)) return refuses;
				return notTested(
					'refused for its made-up model first; a real one is not sent without prompt',
				);
			}),
		),
	},
	{
		by: 'contract',
		row: 'Poll address',
		says: 'GET /v1/video/generations/{task_id}',
		judge: behindKey('poll', isThere),
	},
	{
		by: 'contract',
		row: 'Download address',
		says: 'GET /v1/videos/{task_id}/content',
		judge: behindKey('content', isThere),
	},
	{
		by: 'gateways',
		row: 'Refused key',
		says: '401 {"error":{message,type,code}}',
		judge: of('pollWrongKey', (answered) => answered.status === 401 && saidOf(answered)?.inside),
	},
	{
		by: 'gateways',
		row: 'Unknown task, poll',
		says: '400 task_not_exist, {code,message,data}',
		judge: behindKey(
			'poll',
			(answered) => answered.status === 400 && saidOf(answered)?.code === 'task_not_exist',
		),
	},
	{
		by: 'gateways',
		row: 'Unknown task, download',
		says: '404 {"error":{message,type}}',
		judge: behindKey(
			'content',
			(answered) => answered.status === 404 && saidOf(answered)?.inside === true,
		),
	},
	{
		by: 'gateways',
		row: 'Unknown video model',
		says: '503 model_not_found',
		judge: behindKey('submitUnknownModel', (answered) =>
			speaksOfPrompt(answered) && isRefusal(answered)
				? notTested('refused for its missing prompt first; a prompt is not sent without a render')
				: answered.status === 503 && saidOf(answered)?.code === 'model_not_found',
		),
	},
	{
		by: 'gateways',
		row: 'Wrong method',
		says: '404 or 405 in JSON',
		judge: behindKey('wrongMethod', (answered) => isRefusal(answered)),
	},
	{
		by: 'gateways',
		row: 'Unknown address',
		says: '404 in JSON, under /v1',
		judge: of('unknownAddress', (answered) => isRefusal(answered) && answered.status === 404),
	},
];

module.exports = { VIDEO_ROWS };
