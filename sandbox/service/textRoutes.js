'use strict';

const { isObject, isOwnAnswer, withChange, changeDue } = require('./answers');
const { gateway, modelNotFound } = require('./errorShapes');
const { refused } = require('./keys');
const { notFound } = require('./listings');
const { readPlan } = require('./plan');
const { sampleOf } = require('./textAnswer');
const { lacksSignature, partsOf: partsNamed, sinceAsked, valuesOf } = require('./toolCalls');
const { streamAnswer, unstreamedAnswer } = require('./textStream');

// Reading a text request.

const partsOf = (content) => (Array.isArray(content?.parts) ? content.parts : []);
const textOf = (content) =>
	partsOf(content)
		.map(({ text }) => text)
		.filter((text) => typeof text === 'string')
		.join('\n');
const inlineOf = (part) => part?.inlineData;
const fileOf = (part) => part?.fileData;

const isFromUser = ({ role = 'user' }) => role === 'user';
/** Clients send what tools have answered under the role of the user. */
const isOfTools = ({ parts }) => parts.length > 0 && parts.every((part) => part.functionResponse);

/** Names of what came along beside text, e.g. "image/png (2048 bytes)". */
function attachmentsOf(contents) {
	return contents.flatMap(partsOf).flatMap((part) => {
		const inline = inlineOf(part);
		const file = fileOf(part);
		if (inline) {
			const bytes = Buffer.from(String(inline.data ?? ''), 'base64').length;
			return [`${inline?.mimeType} (${bytes} bytes)`];
		}
		return file ? [String(file?.fileUri)] : [];
	});
}

function configOf(request) {
	const config = request?.generationConfig ?? {};
	return {
		maxOutputTokens: config?.maxOutputTokens,
		stopSequences: config?.stopSequences ?? [],
		mimeType: config?.responseMimeType ?? 'text/plain',
		schema: config?.responseSchema ?? config?.responseJsonSchema,
		candidateCount: config?.candidateCount,
		responseModalities: config?.responseModalities,
	};
}

/** What is wrong with the request, in the words of the service. */
function problemOf(request) {
	const { contents } = request;
	if (!Array.isArray(contents) || contents.length === 0) return 'contents is required';
	const wrong = contents.find((content) => !isObject(content) || !Array.isArray(content.parts));
	return wrong === undefined ? undefined : 'contents: every item needs parts, an array';
}

function readTextRequest(bytes) {
	let request;
	try {
		request = JSON.parse(bytes.toString('utf8'));
	} catch (error) {
		return { problem: `invalid JSON: ${error.message}` };
	}
	if (!isObject(request)) return { problem: 'invalid JSON: an object is expected' };
	const problem = problemOf(request);
	if (problem) return { problem };
	const { contents } = request;
	const fromUser = contents.filter((content) => isFromUser(content) && !isOfTools(content));
	const system = textOf(request?.systemInstruction);
	return {
		contents,
		prompt: textOf(fromUser.at(-1)),
		system,
		tools: [request.tools ?? []].flat().flatMap((tool) => tool?.functionDeclarations ?? []),
		turns: fromUser.length,
		attachments: attachmentsOf(contents),
		config: configOf(request),
		promptText: [system, ...contents.map(textOf)].join('\n'),
	};
}

// What a model does by itself where a tool makes videos: who asks for a video gets one.

const MAKES_VIDEOS = /^(?=.*(video|film)).*(generat|mak|creat|render)/i;
const TELLS_STATUS = /status/i;
const ASKS_FOR_ONE = /\b(video|film)/i;
const ASKS_HOW_FAR = /\b(ready|done|how far|status)\b/i;
const LINK = /\[[^\]]*\]\(http[^)]+\)/;

/** The plan of a question about a video that the conversation names: to look at its task. */
function statusPlan({ tools, contents, promptText }) {
	const tool = tools.find(({ name }) => TELLS_STATUS.test(name));
	const id = promptText.match(/\btask_(?!id\b)\w+/g)?.at(-1);
	if (!tool || !id) return undefined;
	const answers = partsNamed(sinceAsked(contents), 'functionResponse');
	if (answers.length === 0) return { calls: [[{ name: tool.name, args: { task_id: id } }]] };
	const status = [...valuesOf('status', answers)].at(-1);
	return { says: status === 'SUCCESS' ? `It is ready (${id}).` : `The task ${id} is ${status}.` };
}

/** The plan of a prompt without one: to call the tool, then to tell what came of it. */
function usualPlan({ tools, contents, promptText }, asked) {
	const status = ASKS_HOW_FAR.test(asked) && statusPlan({ tools, contents, promptText });
	if (status) return status;
	const tool = tools.find(({ name }) => MAKES_VIDEOS.test(name));
	if (!tool || !ASKS_FOR_ONE.test(asked)) return {};
	const answers = partsNamed(sinceAsked(contents), 'functionResponse');
	if (answers.length === 0) {
		const { properties = {}, required = [] } = tool.parameters ?? tool.parametersJsonSchema ?? {};
		const args = required.map((name) => [name, sampleOf(properties[name] ?? {}, asked)]);
		return { calls: [[{ name: tool.name, args: Object.fromEntries(args) }]] };
	}
	const last = (name) => [...valuesOf(name, answers)].at(-1);
	const id = last('task_id');
	const [link] = LINK.exec(last('message')) ?? [];
	if (link) return { says: `Your video is ready: ${link} (${id})` };
	return { says: id ? `The task ID of your video is ${id}.` : `No video: ${last('error')}` };
}

const ACTIONS = { generateContent: unstreamedAnswer, streamGenerateContent: streamAnswer };

const invalid = (status, message) => gateway(status, 'invalid_request', message);

/** Reads what is asked of which model; a refusal comes out as `answer`. */
function readQuestion({ state, body }, model) {
	if (!state.deployment.models.text.includes(model)) return { answer: modelNotFound(model) };
	const { problem, prompt, ...request } = readTextRequest(body);
	// The service answers 500 to mistakes in a text request.
	if (problem) return { answer: invalid(500, problem) };
	const { asked, plan, problem: unclear } = readPlan(prompt);
	if (unclear) return { answer: invalid(400, `The sandbox: plan: ${unclear}`) };
	const usual = Object.keys(plan).length === 0 ? usualPlan(request, asked) : {};
	const whole = { ...usual, ...state.deployment.plan, ...plan };
	return { prompt, asked: { ...request, asked, model, plan: whole } };
}

/** "model:action" as the addresses end; the model may hold colons. */
function splitAction(modelAndAction) {
	const [, model, action] = /^(.*):([^:]*)$/.exec(modelAndAction) ?? [];
	return { model, action };
}

function generate(exchange) {
	const { model, action } = splitAction(exchange.params.modelAndAction);
	if (!Object.hasOwn(ACTIONS, action ?? '')) return notFound(exchange);
	const refusal = refused(exchange, 'text', true);
	if (refusal) return refusal;
	const { answer, prompt, asked } = readQuestion(exchange, model);
	if (answer) return answer;
	if (asked.plan.signed && lacksSignature(asked)) {
		return invalid(400, 'Function call is missing a thought_signature in functionCall parts');
	}
	const change = changeDue(exchange, 'text', prompt, asked.plan.text);
	if (isOwnAnswer(change)) return change;
	return withChange(ACTIONS[action](exchange, asked), change);
}

module.exports = {
	...{ readTextRequest, splitAction },
	textRoutes: [['POST', '/v1beta/models/:modelAndAction', generate]],
};
