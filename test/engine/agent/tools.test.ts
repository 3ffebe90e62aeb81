import type { IDataObject } from 'n8n-workflow';

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
const paid = () => stage.sandbox.submissions().length;

describe.each(AGENTS)('an agent %s', (_name, version) => {
	const ask = async (turns: Call[][], ...tools: EngineNode[]) =>
		await stage.ask(tools.length > 0 ? tools : [generate()], turns, version);
	const tell = async (text: string, tool = generate()) => (await ask([[video(text)]], tool))[0];

	it('hears few fields and a sentence, whatever is set for people', async () => {
		const answer = await tell('A boat', generate({ options: { rawResponse: true } }));
		const [{ task_id }] = stage.sandbox.tasks();
		expect(answer).toEqual({
			task_id,
			status: 'SUCCESS',
			progress: 100,
			message:
				'The video is ready. Video Download, if you have it, gives a link that opens for people.',
		});
	});

	const LINK =
		/Answer with this link as it is: \[task_\w+\.mp4\]\(http:\/\/localhost:5678\/rest\/binary-data\/signed\?token=[\w.-]+\) \(a download, until .* UTC\)/;
	const inFiles = async (call: Call, tool: EngineNode) =>
		(await stage.ask([tool], [[call]], version, 'filesystem'))[0];

	it('gets a link that opens for people, from both nodes, unless somebody says no', async () => {
		const downloads = { downloadVideo: true };
		const answer = await inFiles(video('A boat'), generate(downloads));
		expect(Object.keys(answer)).toEqual(['task_id', 'status', 'progress', 'message']);
		expect(answer.message).toMatch(/^The video is ready\. Answer with/);
		expect(answer.message).toMatch(LINK);
		const call = { tool: 'Video Download', input: { task_id: answer.task_id as string } };
		const download = (options: IDataObject = {}) =>
			asTool(videoDownload({ taskId, options }), 'Video Download');
		const file = await inFiles(call, download());
		expect(file.message).toMatch(/^The video was downloaded completely\. Answer with/);
		expect(file.message).toMatch(LINK);
		expect(Object.keys(file)).not.toContain('link');
		const none = 'The file is stored with this n8n execution.';
		expect((await inFiles(call, download({ link: 0 }))).message).toBe(
			`The video was downloaded completely. ${none} A tool cannot return files: pass on the task_id.`,
		);
		const without = generate({ ...downloads, options: { link: 0 } });
		const kept = await inFiles(video('A tree'), without);
		expect(kept.message).toMatch(/^The video is ready\. Video Download, if you have it/);
	});

	it('gets one video for each request, however often it asks for it', async () => {
		const turn = [video('A boat'), video('A tree'), video('A boat')];
		const answers = await ask([turn, [video('A boat')]]);
		expect(paid()).toBe(2);
		const [boat, tree, again, later] = answers.map(({ task_id }) => task_id);
		expect([again, later]).toEqual([boat, boat]);
		expect(tree).not.toBe(boat);
		expect(answers.at(-1)?.message).toMatch(/nothing new was submitted\. The video is ready/);
	});

	it('gets no more videos in an execution than Max Videos per Execution', async () => {
		const tool = generate({ options: { cost: { maxVideos: 2 } } });
		const turns = [[video('A boat'), video('A tree')], [video('A boat')], [video('A house')]];
		const [boat, , again, house] = await ask(turns, tool);
		expect(again.task_id).toBe(boat.task_id);
		expect(house.error).toMatch(
			/^This execution may submit 2 videos \(Max Videos per Execution\), and 2 of them are submitted already\. Nothing more was submitted\. Do not ask for further videos/,
		);
		expect(paid()).toBe(2);
	});

	it('gets no more videos than that by calls of one turn', async () => {
		const tool = generate({ options: { cost: { maxVideos: 1 } } });
		const refused = video(planned('Refused', { submit: ['forbidden'] }));
		const answers = await ask([[refused], [video('A boat'), video('A tree')]], tool);
		const [{ error }, ...others] = answers;
		expect(error).toMatch(/^The video was not submitted/);
		const states = others.map((answer) => answer.status ?? String(answer.error).slice(0, 30));
		expect(states.sort()).toEqual(['SUCCESS', 'This execution may submit 1 vi']);
		expect(stage.sandbox.tasks()).toHaveLength(1);
	});

	it('hears that a dry run is no video', async () => {
		const answer = await tell('A boat', generate({ options: { cost: { dryRun: true } } }));
		expect(answer).toMatchObject({ dry_run: true, request: { prompt: 'A boat' } });
		expect(answer.message).toMatch(/not submitted\. There is no video/);
		expect(paid()).toBe(0);
	});

	it('hears why a render failed, and does not pay for it again', async () => {
		const failReason = `No boats. ${'x'.repeat(2000)}`;
		const call = video(planned('A boat', { outcome: 'FAILURE', failReason }));
		const tool = generate({}, { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 });
		const [first, second] = await ask([[call], [call]], tool);
		const [{ task_id }] = stage.sandbox.tasks();
		expect(first.error).toMatch(/^The video could not be rendered: No boats\. x+\.\.\. /);
		expect(first.error).toContain(`(task ${task_id})`);
		expect(first.error).toContain('Do not ask for the same video again');
		expect(first.error).not.toContain('Change the prompt');
		expect(String(first.error).length).toBeLessThan(1000);
		expect(second.error).toEqual(first.error);
		expect(paid()).toBe(1);
	});

	it.each([
		['cannot be followed', { poll: { always: 'unauthorized' } }],
		['is unclear', { submit: { always: 'acceptThen502' } }],
	] as const)(
		'pays once for a video that %s, in three tries that give another seed',
		async (_what, plan) => {
			const options = { seed: '={{ Math.floor(Math.random() * 1e6) }}' };
			const tool = generate({ options }, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });
			await ask([[video(planned('A boat', plan))], [video(planned('A boat', plan))]], tool);
			expect(paid()).toBe(1);
			await ask([[video('A tree')]], tool);
			expect(paid()).toBe(2);
		},
	);

	it('gets the same video under another file name and with another seed', async () => {
		const options = {
			fileName: "={{ $fromAI('file_name', 'What the file is called', 'string') }}",
			seed: '={{ Math.floor(Math.random() * 1e6) }}',
		};
		const named = (file_name: string, text = 'A boat'): Call => ({
			...{ tool: NAME, input: { prompt: text, file_name } },
		});
		const turns = [[named('a'), named('b')], [named('c')], [named('a', 'A tree')]];
		const answers = await ask(turns, generate({ downloadVideo: true, options }));
		expect(new Set(answers.map(({ task_id }) => task_id)).size).toBe(2);
		expect(paid()).toBe(2);
	});

	it('gets the same video for the same values, whatever else moves', async () => {
		const options = {
			additionalFields: '={{ { user: $execution.id, at: $now, n: Math.random() } }}',
		};
		const boat = video('A boat');
		await ask([[boat, boat], [boat], [video('A tree')]], generate({ options }));
		expect(paid()).toBe(2);
	});

	it('hears that its prompt has a gap, and pays nothing for it', async () => {
		const tool = generate({ prompt: "=A film {{ $fromAI('prompt') }} {{ $json.missing }}" });
		const { error } = await tell('of a boat', tool);
		expect(error).toMatch(/^Part of Prompt is undefined: \{\{ \$json\.missing \}\}/);
		expect(paid()).toBe(0);
		await tell('of a boat', generate({ prompt: "=A film {{ $fromAI('prompt') }}" }));
		expect(stage.sandbox.tasks()).toMatchObject([{ prompt: 'A film of a boat' }]);
	});

	it('may leave a picture empty', async () => {
		const additionalFields = '={"reference_image": "{{ $fromAI(\'image\') }}"}';
		const call = { tool: NAME, input: { prompt: 'A boat', image: '' } };
		await ask([[call]], generate({ options: { additionalFields } }));
		expect(paid()).toBe(1);
	});

	it('hears that an unclear submit must not be repeated, and does not repeat it', async () => {
		const call = video(planned('A boat', { submit: ['acceptThen502'] }));
		const [first, second] = await ask([[call], [call]]);
		expect(first.error).toMatch(
			/may or may not have been accepted.*Do not submit it again before a person has looked/,
		);
		expect(second.error).toEqual(first.error);
		expect(paid()).toBe(1);
	});

	it.each([
		['', {}, /^Prompt is empty\. Fill in Prompt\./],
		[planned('A boat', { submit: ['unauthorized'] }), {}, /not submitted.*Check the credential/],
	])('hears what to do about %j', async (text, parameters, message) => {
		const answer = await tell(text, generate(parameters));
		expect(answer.error).toMatch(message);
		expect(answer.error).not.toContain('[item 0]');
	});

	it('hears of the task in the mode "Continue", too', async () => {
		const tool = generate({}, CONTINUE);
		const answer = await tell(planned('A boat', { outcome: 'FAILURE' }), tool);
		const error = expect.stringMatching(
			/could not be rendered.*Do not ask for the same video again/,
		);
		const [{ task_id }] = stage.sandbox.tasks();
		expect(answer).toEqual({ error, task_id, status: 'FAILURE', retryable: false });
	});

	it('hears how far a task is, and what became of its file', async () => {
		const { task_id } = await tell(planned('A boat', { outcome: 'never' }), brief());
		const input = { task_id: task_id as string };
		const status = asTool(videoStatus({ taskId, options: { rawResponse: true } }), 'Video Status');
		const download = asTool(videoDownload({ taskId }), 'Video Download');
		const message = expect.stringMatching(/^Still rendering.*Call Video Status with this task_id/);
		const haste = hurry(1_000);
		const { now } = Date;
		const startMs = now();
		jest.spyOn(Date, 'now').mockImplementation(() => startMs + 1_000 * (now() - startMs));
		const looks = stage.sandbox.polls().length;
		expect(await ask([[{ tool: 'Video Status', input }]], status)).toEqual([
			{ task_id, status: 'IN_PROGRESS', progress: expect.any(Number), message },
		]);
		haste.restore();
		jest.restoreAllMocks();
		// It waits a while for news.
		expect(stage.sandbox.polls().length - looks).toBeGreaterThan(1);
		const [answer] = await ask([[{ tool: 'Video Download', input }]], download);
		expect(answer.error).toMatch(/render is not finished.*Wait for the task with Video Status/);
		expect(stage.sandbox.requests.filter(({ path }) => path.endsWith('/content'))).toHaveLength(1);
		const done = { task_id: (await tell('A tree')).task_id as string };
		expect(await ask([[{ tool: 'Video Download', input: done }]], download)).toMatchObject([
			{ ...done, mime_type: 'video/mp4', message: expect.stringMatching(/cannot return/) },
		]);
	});

	/** Somebody has set how long it waits. */
	const brief = (options: IDataObject = {}) =>
		generate({ options: { maxWait: 0.002, ...options } });

	it.each([
		['Do Not Wait', () => generate({ wait: 'none' })],
		['On Timeout: Return Task', () => brief({ polling: { onTimeout: 'returnTask' } })],
	])('hears that a long render goes on (%s)', async (_setting, tool) => {
		const answer = await tell(planned('A boat', { outcome: 'never' }), tool());
		expect(answer).toMatchObject({ task_id: stage.sandbox.tasks()[0].task_id });
		expect(answer.message).toMatch(/^Still rendering.*Do not submit the video again/);
	});

	it('hears of a time-out where somebody wants it to fail', async () => {
		const tool = brief({ polling: { onTimeout: 'fail' } });
		const answer = await tell(planned('A boat', { outcome: 'never' }), tool);
		expect(answer.error).toMatch(/not ready within.*\(task task_.*follow it with Video Status/);
	});
});
