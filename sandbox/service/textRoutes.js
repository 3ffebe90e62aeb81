'use strict';

const { isOwnAnswer, withChange } = require('./answers');
const { gateway, modelNotFound } = require('./errorShapes');
const { recordedText } = require('./gatewayProfile');
const { refused } = require('./keys');
const { notFound } = require('./listings');
const { readPlan } = require('./plan');
const { changeDue } = require('./redirects');
const { readTextRequest } = require('./textRequest');
const { lacksSignature } = require('./toolCalls');
const { streamAnswer, unstreamedAnswer } = require('./textStream');

const ACTIONS = {
	generateContent: unstreamedAnswer,
	streamGenerateContent: streamAnswer,
};

const invalid = (status, message) => gateway(status, 'invalid_request', message);

/** Reads what is asked of which model; a refusal comes out as `answer`. */
function readQuestion({ state, body }, model) {
	if (!state.deployment.models.text.includes(model)) return { answer: modelNotFound(model) };
	const { problem, prompt, ...request } = readTextRequest(body);
	// The service answers 500 to mistakes in a text request.
	if (problem) return { answer: invalid(500, problem) };
	const { asked, plan, problem: unclear } = readPlan(prompt);
	if (unclear) return { answer: invalid(400, `The sandbox: plan: ${unclear}`) };
	const whole = { ...state.deployment.plan, ...plan };
	return { prompt, asked: { ...request, asked, model, plan: whole } };
}

function generate(exchange) {
	const [, model, action] = /^(.*):([^:]*)$/.exec(exchange.params.modelAndAction) ?? [];
	if (!Object.hasOwn(ACTIONS, action ?? '')) return notFound(exchange);
	const refusal = refused(exchange, 'text', true);
	if (refusal) return recordedText(exchange.state, refusal);
	const { answer, prompt, asked } = readQuestion(exchange, model);
	if (answer) return recordedText(exchange.state, answer);
	if (asked.plan.signed && lacksSignature(asked)) {
		return invalid(400, 'Function call is missing a thought_signature in functionCall parts');
	}
	const change = changeDue(exchange, 'text', prompt, asked.plan.text);
	if (isOwnAnswer(change)) return change;
	return withChange(ACTIONS[action](exchange, asked), change);
}

module.exports = { textRoutes: [['POST', '/v1beta/models/:modelAndAction', generate]] };
