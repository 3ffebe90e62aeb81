import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import { createAgents, fromAi, planCalls, status, video } from '../support/agentTools.mjs';
import { KEY } from '../support/sandbox.mjs';
import { openShared } from '../support/shared.mjs';
import { planned } from '../support/workflows.mjs';

// What docs/agents-and-chats.md says of our nodes as the tools of n8n's own AI Agent.

const MODEL = { __rl: true, mode: 'id', value: 'veo-3.1-fast-generate-001' };

let sandbox;
let agents;
before(async () => {
	sandbox = await openShared();
	agents = await createAgents(sandbox);
});
afterEach(() => sandbox.service.reset());

const prompt = fromAi('prompt', 'What the video should show');
const generate = (parameters = {}, rest = {}) =>
	agents.tool('Video Generate', { model: MODEL, prompt, ...parameters }, rest);
const look = (parameters = {}) =>
	agents.tool('Video Status', { taskId: fromAi('task_id', 'The task'), ...parameters });
const submissions = () => sandbox.service.submissions();

test('a model learns from each tool what it is and what it takes', async () => {
	await agents.ask('Hi', generate(), look());
	const [{ body }] = sandbox.service.requests.filter(({ method }) => method === 'POST');
	const tools = body.tools.flatMap(({ functionDeclarations }) => functionDeclarations);
	const facts = Object.fromEntries(
		tools.map(({ name, description, parameters }) => [name, [description, parameters.required]]),
	);
	assert.deepEqual(facts, {
		Video_Generate: [
			'Generate videos from prompts and images with models such as Seedance, Veo and Kling; each is billed',
			['prompt'],
		],
		Video_Status: ['Check the progress of videos that Video Generate has submitted', ['task_id']],
	});
});

test('a model can choose the model of the video', async () => {
	const model = { ...MODEL, value: fromAi('model', 'Which model renders') };
	const call = video('A boat', { model: 'veo-3.1-lite-generate-001' });
	await agents.ask(planCalls([call]), generate({ model, wait: 'none' }));
	assert.equal(submissions()[0].body.model, 'veo-3.1-lite-generate-001');
});

test('of a file it hears a link that opens for anybody', async () => {
	const tool = generate();
	const { told, execution } = await agents.ask(planCalls([video('A boat')]), tool);
	const [[{ message }]] = told;
	const [, link] = message.match(/^The video is ready\. Answer with this link .*\]\((http[^)]+)\)/);
	const response = await fetch(link);
	assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'video/mp4']);
	assert.ok(!JSON.stringify(told).includes(KEY));
	const [run] = execution.data.resultData.runData['Video Generate'];
	assert.equal(run.data.ai_tool[0][0].binary.data.mimeType, 'video/mp4');
});

test('several calls in one turn pay once for each video', async () => {
	const turn = [video('A boat'), video('A tree'), video('A boat')];
	const looks = [status('told:task_id:0'), status('told:task_id:1')];
	const { told } = await agents.ask(planCalls(turn, looks), generate(), look());
	const [boat, tree, again, ...ends] = told.map(([answer]) => answer);
	assert.equal(submissions().length, 2);
	assert.equal(again.task_id, boat.task_id);
	assert.match(again.message, /nothing new was submitted/);
	assert.deepEqual(
		ends.map(({ task_id, status: word }) => [task_id, word]),
		[boat, tree].map(({ task_id }) => [task_id, 'SUCCESS']),
	);
});

describe('what went wrong, it hears whole', () => {
	test('an unclear submit', async () => {
		const call = video(planned('A boat', { submit: ['acceptThen502'] }));
		const tool = generate({}, { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 });
		const { told, execution } = await agents.ask(planCalls([call], [call]), tool);
		assert.equal(execution.status, 'success');
		const message = /may or may not have been accepted.*before a person has looked/;
		for (const [{ error }] of told) assert.match(error, message);
		assert.deepEqual([told.length, submissions().length], [2, 1]);
	});

	test('limit: with an error output n8n lets it hear nothing at all', async () => {
		const tool = generate({}, { onError: 'continueErrorOutput' });
		const { told } = await agents.ask(planCalls([video('A boat')]), tool);
		assert.deepEqual(told, ['']);
	});
});
