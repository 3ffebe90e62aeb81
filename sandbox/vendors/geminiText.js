'use strict';

const { isOwnAnswer, withChange } = require('../service/answers');
const { wholeAnswer } = require('../service/textAnswer');
const { readTextRequest } = require('../service/textRequest');
const { streamAnswer } = require('../service/textStream');
const { refuse } = require('./google');
const { changeDue, planOf } = require('./jobs');

// Text of the Gemini API (ai.google.dev/api/generate-content): the sandbox service's answers, since
// the service hands them on as they are, with Google's own errors.

const ACTIONS = {
	generateContent: (_exchange, asked) => ({ json: wholeAnswer(asked) }),
	streamGenerateContent: streamAnswer,
};

/** @returns {object | undefined} an answer; undefined where there is no such action */
function answerText(exchange, model, action) {
	if (!Object.hasOwn(ACTIONS, action)) return undefined;
	const { problem, prompt, ...request } = readTextRequest(exchange.body);
	if (problem) return refuse('badRequest', problem);
	const { asked, plan, answer } = planOf(exchange, prompt);
	if (answer) return answer;
	const change = changeDue(exchange, 'text', prompt, plan);
	if (isOwnAnswer(change)) return change;
	return withChange(ACTIONS[action](exchange, { ...request, asked, model, plan }), change);
}

module.exports = { answerText };
