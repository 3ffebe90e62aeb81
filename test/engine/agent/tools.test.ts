import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import { hurry } from '../../support/clock';
import type { EngineNode } from '../../support/engine';
import { CONTINUE, planned, videoDownload, videoGenerate, videoStatus } from '../../support/stage';
import { AGENTS, asTool, useAgentStage, type Call } from './support/stage';

// What an agent hears of our nodes as its tools, and what is paid for. See docs/agents-and-chats.md.

const stage = useAgentStage();

const NAME = 'Video Generate';
const prompt = "={{ $fromAI('prompt', 'What the video should show', 'string') }}";
const taskId = "={{ $fromAI('task_id', 'The task', 'string') }}";
const generate = (parameters: IDataObject = {}, settings: Partial<EngineNode> = {}) =>
	asTool(videoGenerate({ prompt, ...parameters }, settings as never), NAME);
const video = (text: string): Call => ({ tool: NAME, input: { prompt: text } });
const seed = '={{ Math.floor(Math.random() * 1e6) }}';
const THREE_TRIES = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const paid = () => stage.sandbox.submissions().length;

describe.each(AGENTS)('an agent %s', (_name, version) => {
	const ask = async (turns: Call[][], tool = generate()) => await stage.ask([tool], turns, version);
	const tell = async (text: string, tool = generate()) => (await ask([[video(text)]], tool))[0];

	it('hears few fields and a sentence when its video is ready, whatever is set for people', async () => {
		const answer = await tell(
			'A boat',
			generate({ wait: 'durable', options: { rawResponse: true } }),
		);
		const [{ task_id }] = stage.sandbox.tasks();
		const message = expect.stringMatching(/^The video is ready\. Video Download/);
		expect(answer).toEqual({ task_id, status: 'SUCCESS', progress: 100, message });
	});

	it('gets a link that opens for people, from both nodes, unless somebody says no', async () => {
		const inFiles = async (call: Call, tool: EngineNode) =>
			(await stage.ask([tool], [[call]], version, { binaryMode: 'filesystem' }))[0];
		const LINK =
			/Answer with this link as it is: \[task_\w+\.mp4\]\(http:\/\/\S+\/signed\?token=\S+\)/;
		const made = await inFiles(video('A boat'), generate({ downloadVideo: true }));
		expect(made.message).toMatch(LINK);
		const call = { tool: 'Video Download', input: { task_id: made.task_id as string } };
		const download = (options: IDataObject = {}) =>
			asTool(videoDownload({ taskId, options }), 'Video Download');
		expect((await inFiles(call, download())).message).toMatch(LINK);
		const without = await inFiles(call, download({ link: 0 }));
		expect(without.message).toMatch(/A tool cannot return files: pass on the task_id\.$/);
		expect(JSON.stringify(without)).not.toContain('http');
	});

	const named = (text: string, file_name: string): Call => ({
		...{ tool: NAME, input: { prompt: text, file_name } },
	});
	it.each<[string, IDataObject, Call[]]>([
		[
			'file name and seed',
			{ fileName: "={{ $fromAI('file_name', 'What the file is called', 'string') }}", seed },
			[named('A boat', 'a'), named('A tree', 'b'), named('A boat', 'c')],
		],
		[
			'what the agent does not fill in',
			{ additionalFields: '={{ { at: $now, n: Math.random() } }}' },
			[video('A boat'), video('A tree'), video('A boat')],
		],
	])(
		'gets one video for each request, however often it asks and whatever its %s',
		async (...row) => {
			const [, options, turn] = row;
			const answers = await ask([turn, [turn[0]]], generate({ downloadVideo: true, options }));
			expect(paid()).toBe(2);
			const [boat, tree, again, later] = answers.map(({ task_id }) => task_id);
			expect([again, later]).toEqual([boat, boat]);
			expect(tree).not.toBe(boat);
			expect(answers[3].message).toMatch(/nothing new was submitted/);
		},
	);

	it('gets no more videos in an execution than Max Videos per Execution, in one turn too', async () => {
		const tool = generate({ options: { cost: { maxVideos: 2 } } });
		const refused = video(planned('Refused', { submit: ['forbidden'] }));
		const turns = [
			[refused, video('A boat')],
			[video('A tree'), video('A house')],
		];
		const answers = await ask([...turns, [video('A boat')]], tool);
		expect(stage.sandbox.tasks()).toHaveLength(2);
		expect(answers[4].task_id).toBe(answers[1].task_id);
		const states = answers.slice(2, 4).map(({ status, error }) => status ?? error);
		expect(states).toContain('SUCCESS');
		expect(states).toContainEqual(
			expect.stringMatching(/Max Videos per Execution.*Do not ask for further videos/),
		);
	});

	it('hears that a dry run is no video', async () => {
		const answer = await tell('A boat', generate({ options: { cost: { dryRun: true } } }));
		expect(answer).toMatchObject({ dry_run: true, request: { prompt: 'A boat' } });
		expect(answer.message).toMatch(/not submitted\. There is no video/);
		expect(paid()).toBe(0);
	});

	it.each([
		['has failed', { outcome: 'FAILURE', failReason: 'No boats' }, /: No boats/],
		['cannot be followed', { poll: { always: 'unauthorized' } }, /can no longer be followed/],
		['is unclear', { submit: { always: 'acceptThen502' } }, /may or may not have been accepted/],
	] as const)('pays once for a video that %s, in three tries and two calls', async (...row) => {
		const [, plan, words] = row;
		const call = video(planned('A boat', plan));
		const [first, second] = await ask(
			[[call], [call]],
			generate({ options: { seed } }, THREE_TRIES),
		);
		expect(paid()).toBe(1);
		expect(first.error).toMatch(words);
		expect(first.error).toMatch(/Do not (ask for the same video|submit it) again|Video Status/);
		expect(second.error).toEqual(first.error);
		await tell('A tree');
		expect(paid()).toBe(2);
	});

	it('hears of the task in the mode "Continue", too', async () => {
		const answer = await tell(planned('A boat', { outcome: 'FAILURE' }), generate({}, CONTINUE));
		const error = expect.stringMatching(/Do not ask for the same video again/);
		const [{ task_id }] = stage.sandbox.tasks();
		expect(answer).toEqual({ error, task_id, status: 'FAILURE', retryable: false });
	});

	it('hears that its prompt has a gap, and pays nothing for it', async () => {
		const tool = generate({ prompt: "=A film {{ $fromAI('prompt') }} {{ $json.missing }}" });
		expect((await tell('of a boat', tool)).error).toMatch(/^Part of Prompt is undefined/);
		expect(paid()).toBe(0);
	});

	/** Somebody has set how long it waits. */
	const brief = (onTimeout: string) =>
		generate({ options: { maxWait: 0.002, polling: { onTimeout } } });

	it.each([
		['Do Not Wait', generate({ wait: 'none' })],
		['On Timeout: Return Task', brief('returnTask')],
	])('hears that a long render goes on (%s)', async (_setting, tool) => {
		const answer = await tell(planned('A boat', { outcome: 'never' }), tool);
		expect(answer).toMatchObject({ task_id: stage.sandbox.tasks()[0].task_id });
		expect(answer.message).toMatch(/^Still rendering.*Do not submit the video again/);
	});

	it('hears of a time-out where somebody wants it to fail', async () => {
		const answer = await tell(planned('A boat', { outcome: 'never' }), brief('fail'));
		expect(answer.error).toMatch(/not ready within.*\(task task_.*follow it with Video Status/);
	});

	it('waits with Video Status for news, and hears that an unfinished task has no file', async () => {
		const submit = async (plan: Plan) => {
			const node = videoGenerate({ wait: 'none', prompt: planned('A boat', plan) });
			const [[{ json }]] = (await stage.run(node)).outputs();
			return { task_id: json.task_id as string };
		};
		const download = asTool(videoDownload({ taskId }), 'Video Download');
		const input = await submit({ outcome: 'never' });
		const [{ error }] = await ask([[{ tool: 'Video Download', input }]], download);
		expect(error).toMatch(/render is not finished.*Wait for the task with Video Status/);
		const soon = await submit({ renderMs: 500 });
		const status = asTool(videoStatus({ taskId, options: { rawResponse: true } }), 'Video Status');
		const haste = hurry(1_000);
		const [answer] = await ask([[{ tool: 'Video Status', input: soon }]], status);
		haste.restore();
		const message = expect.stringMatching(/^The video is ready/);
		expect(answer).toEqual({ ...soon, status: 'SUCCESS', progress: 100, message });
	});
});
