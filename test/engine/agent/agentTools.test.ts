import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import { hurry } from '../../support/clock';
import type { EngineNode, KillDetails } from '../../support/engine';
import {
	byId,
	CONTINUE,
	planned,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../../support/stage';
import { TEXT_MODEL, TYPE } from '../generateContent/support/stage';
import { AGENTS, asTool, useAgentStage, type Call } from './support/stage';

// What is paid for where an agent calls our nodes as its tools, and what it hears. See docs/agents-and-chats.md.

const stage = useAgentStage();

const NAME = 'Video Generate';
const prompt = "={{ $fromAI('prompt', 'What the video should show', 'string') }}";
const taskId = "={{ $fromAI('task_id', 'The task', 'string') }}";
const generate = (parameters: IDataObject = {}, settings: Partial<EngineNode> = {}) =>
	asTool(videoGenerate({ prompt, ...parameters }, settings as never), NAME);
const video = (text: string, more: IDataObject = {}): Call => ({
	...{ tool: NAME, input: { prompt: text, ...more } },
});
const seed = '={{ Math.floor(Math.random() * 1e6) }}';
const THREE_TRIES = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const paid = () => stage.sandbox.submissions().length;

describe.each(AGENTS)('an agent %s', (_name, version) => {
	const ask = async (turns: Call[][], tool = generate()) => await stage.ask([tool], turns, version);

	it('hears few fields and a sentence when its video is ready, whatever is set for people', async () => {
		const tool = generate({ wait: 'durable', options: { rawResponse: true } });
		const [answer] = await ask([[video('A boat')]], tool);
		const [{ task_id }] = stage.sandbox.tasks();
		const message = expect.stringMatching(/^The video is ready\. Video Download/) as string;
		expect(answer).toEqual({ task_id, status: 'SUCCESS', progress: 100, message });
	});

	it.each<[string, IDataObject, Call[]]>([
		[
			'file name and seed',
			{ fileName: "={{ $fromAI('file_name', 'What the file is called', 'string') }}", seed },
			[
				...[video('A boat', { file_name: 'a' }), video('A tree', { file_name: 'b' })],
				video('A boat', { file_name: 'c' }),
			],
		],
		[
			'what the agent does not fill in',
			{ additionalFields: '={{ { at: $now, n: Math.random() } }}' },
			[video('A boat'), video('A tree'), video('A boat')],
		],
	])('gets one video for each request, whatever its %s', async (_what, options, turn) => {
		const answers = await ask([turn, [turn[0]]], generate({ downloadVideo: true, options }));
		expect(paid()).toBe(2);
		const [boat, tree, again, later] = answers.map(({ task_id }) => task_id);
		expect([again, later]).toEqual([boat, boat]);
		expect(tree).not.toBe(boat);
		expect(answers[3].message).toMatch(/nothing new was submitted/);
	});

	it('gets no more videos in an execution than Max Videos per Execution, in one turn too', async () => {
		const refused = video(planned('Refused', { submit: ['forbidden'] }));
		const turns = [
			[refused, video('A boat')],
			[video('A tree'), video('A house')],
			[video('A boat')],
		];
		const answers = await ask(turns, generate({ options: { cost: { maxVideos: 2 } } }));
		expect(stage.sandbox.tasks()).toHaveLength(2);
		expect(answers[4].task_id).toBe(answers[1].task_id);
		const states = answers.slice(2, 4).map(({ status, error }) => status ?? error);
		expect(states).toContain('SUCCESS');
		expect(states).toContainEqual(
			expect.stringMatching(/Max Videos per Execution.*Do not ask for further videos/),
		);
	});

	it.each([
		['has failed', { outcome: 'FAILURE', failReason: 'No boats' }, /: No boats/],
		['cannot be followed', { poll: { always: 'unauthorized' } }, /can no longer be followed/],
		['is unclear', { submit: { always: 'acceptThen502' } }, /may or may not have been accepted/],
	] as const)('pays once for a video that %s, in three tries and two calls', async (...row) => {
		const [, plan, words] = row;
		const call = video(planned('A boat', plan));
		const tool = generate({ options: { seed } }, THREE_TRIES);
		const [first, second] = await ask([[call], [call]], tool);
		expect(paid()).toBe(1);
		expect(first.error).toMatch(words);
		expect(first.error).toMatch(/Do not (ask for|submit) it again|Video Status/);
		expect(second.error).toEqual(first.error);
	});

	// n8n has not stored what the tool had paid for.
	it.each<[string, Partial<KillDetails>]>([
		['stopped', { stopped: true }],
		['killed, and no event log', { eventLog: false }],
	])('%s after its tool has paid: a retry pays for nothing', async (_what, how) => {
		const result = await stage.call([generate()], [[video('A boat')]], version);
		expect([result.status, paid()]).toEqual(['success', 1]);
		await stage.engine.retry(stage.engine.kill(result, { inNode: 'Agent', ...how }));
		expect(paid()).toBe(1);
	});
});

describe('an agent', () => {
	const ask = async (tool: EngineNode, text: string, binaryMode?: 'filesystem') => {
		const call = { tool: tool.name!, input: { prompt: text, task_id: text } };
		return (await stage.ask([tool], [[call]], AGENTS[1][1], binaryMode && { binaryMode }))[0];
	};
	const submit = async (plan: Plan) => {
		const node = videoGenerate({ wait: 'none', prompt: planned('A boat', plan) });
		return (await stage.run(node)).outputs()[0][0].json.task_id as string;
	};
	const NEVER = planned('A boat', { outcome: 'never' });
	const download = (options: IDataObject = {}) =>
		asTool(videoDownload({ taskId, options }), 'Video Download');

	it('gets a link that opens for people, from both nodes, unless somebody says no', async () => {
		const LINK =
			/Answer with this link as it is: \[task_\w+\.mp4\]\(http:\/\/\S+\/signed\?token=\S+\)/;
		const made = await ask(generate({ downloadVideo: true }), 'A boat', 'filesystem');
		expect(made.message).toMatch(LINK);
		const id = made.task_id as string;
		expect((await ask(download(), id, 'filesystem')).message).toMatch(LINK);
		const without = await ask(download({ link: 0 }), id, 'filesystem');
		expect(without.message).toMatch(/A tool cannot return files: pass on the task_id\.$/);
		expect(JSON.stringify(without)).not.toContain('http');
	});

	it('hears that a dry run is no video', async () => {
		const answer = await ask(generate({ options: { cost: { dryRun: true } } }), 'A boat');
		expect(answer).toMatchObject({ dry_run: true, request: { prompt: 'A boat' } });
		expect(answer.message).toMatch(/not submitted\. There is no video/);
		expect(paid()).toBe(0);
	});

	it('hears of the task in the mode "Continue", too', async () => {
		const answer = await ask(generate({}, CONTINUE), planned('A boat', { outcome: 'FAILURE' }));
		const error = expect.stringMatching(/Do not ask for it again unchanged/) as string;
		const [{ task_id }] = stage.sandbox.tasks();
		expect(answer).toEqual({ error, task_id, status: 'FAILURE', retryable: false });
	});

	it('hears that a long render goes on, or of a time-out where somebody wants that', async () => {
		const maxWait = 0.002;
		const answer = await ask(generate({ options: { maxWait } }), NEVER);
		expect(answer.task_id).toBe(stage.sandbox.tasks()[0].task_id);
		expect(answer.message).toMatch(/^Still rendering.*Do not submit it again/);
		stage.sandbox.reset();
		const polling = { onTimeout: 'fail' };
		const { error } = await ask(generate({ options: { maxWait, polling } }), NEVER);
		expect(error).toMatch(/not ready within.*\(task task_.*follow it with Video Status/);
	});

	it('waits with Video Status for news, and hears that an unfinished task has no file', async () => {
		const { error } = await ask(download(), await submit({ outcome: 'never' }));
		expect(error).toMatch(/render is not finished.*Wait for the task with Video Status/);
		const task_id = await submit({ renderMs: 500 });
		const status = asTool(videoStatus({ taskId, options: { rawResponse: true } }), 'Video Status');
		const haste = hurry(1_000);
		const answer = await ask(status, task_id);
		haste.restore();
		const message = expect.stringMatching(/^The video is ready/) as string;
		expect(answer).toEqual({ task_id, status: 'SUCCESS', progress: 100, message });
	});

	it('is told after one request of a service that asks for a minute of patience', async () => {
		const BUSY = { always: { status: 429, headers: { 'retry-after': '60' }, json: {} } };
		const text = { type: TYPE, parameters: { model: byId(TEXT_MODEL), prompt } };
		const task_id = await submit({ poll: BUSY });
		const answers = [
			await ask(generate(), planned('A boat', { submit: BUSY })),
			await ask(asTool(text, 'Generate Content'), planned('Hi', { text: BUSY })),
			await ask(asTool(videoStatus({ taskId }), 'Video Status'), task_id),
		];
		expect(answers.map(({ error }) => error)).toEqual([
			expect.stringMatching(/not submitted.*Nothing is billed/),
			expect.stringMatching(/^Nothing was generated.*Nothing is billed/),
			expect.stringContaining(`(task ${task_id})`),
		]);
		expect(stage.sandbox.count({ status: 429 })).toBe(3);
	});
});
