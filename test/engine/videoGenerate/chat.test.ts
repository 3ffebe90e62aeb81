import type { IDataObject } from 'n8n-workflow';

import { projectVersion, type RunRequest, type RunResult } from '../../support/engine';
import {
	CONTINUE,
	inLoop,
	orderOf,
	planned,
	plannedRows,
	toInput,
	useStage,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../../support/stage';

// What a chat or webhook in streaming mode hears of videos, and that it costs nothing.

const stage = useStage({ renderMs: 60 });
const LISTENED = { mode: 'webhook', streaming: true, binaryMode: 'filesystem' } as const;

const listen = async (request: Omit<RunRequest, 'credentials'>): Promise<RunResult> =>
	await stage.engine.run({
		...LISTENED,
		credentials: stage.credentials,
		...request,
	} as RunRequest);

const linesOf = ({ chunks }: RunResult) =>
	chunks
		.filter(({ type }) => type === 'item')
		.map(({ content }) => String(content).replace(/\n\n$/, ''));
const boat = (plan = {}) => toInput({ prompt: planned('A boat', plan) });
const DOWNLOADS = { downloadVideo: true };

it('hears of one video from its submit to the link, in one message', async () => {
	// A field of that name is the person's own.
	const items = toInput({ prompt: planned('A boat', { renderMs: 500 }), message: 'Hello' });
	const result = await listen({ node: videoGenerate(DOWNLOADS), items });
	const [[{ json, binary }]] = result.outputs();
	const lines = linesOf(result);
	expect(orderOf(result.chunks)).toBe('begin item end');
	expect(lines).toHaveLength(2);
	expect(lines[0]).toBe(`Submitted: \`${json.task_id}\``);
	expect(lines[1]).toMatch(
		/^Ready: \[task_\w+\.mp4\]\(http:\/\/localhost:5678\/rest\/binary-data\/signed\?token=[\w.-]+\) \(a download, until .* UTC\)\./,
	);
	// The item is the same as where nobody listens.
	expect(Object.keys(json)).not.toContain('link');
	expect(binary?.data.mimeType).toBe('video/mp4');
	expect(JSON.stringify(result.chunks)).not.toContain('sandbox-key');
});

it('hears of several videos in the same message, and how they ended', async () => {
	const items = toInput(
		{ prompt: 'A boat' },
		{ prompt: planned('A tree', { outcome: 'FAILURE', failReason: 'No *trees*' }) },
		{ prompt: planned('A cat', { submit: ['unauthorized'] }) },
	);
	const node = videoGenerate({}, CONTINUE);
	const result = await listen({ node, items });
	const lines = linesOf(result);
	expect(orderOf(result.chunks)).toBe('begin item end');
	for (const line of [/^\[item 0\] submitted: `task_/, /^\[item 1\] submitted: `task_/]) {
		expect(lines).toContainEqual(expect.stringMatching(line));
	}
	expect(lines).toContainEqual(expect.stringMatching(/^\[item 0\] ready: `task_/));
	expect(lines).toContainEqual(
		expect.stringMatching(/^\[item 1\] the video could not be rendered: No \\\*trees\\\* /),
	);
	expect(lines).toContainEqual(expect.stringMatching(/^\[item 2\] the video was not submitted/));
	expect(lines.at(-1)).toMatch(
		/^3 videos in \d+ s: 2 submitted \(1 done, 1 failed\), 1 refused\. Cost/,
	);
});

it('hears of a failure that stops the node before n8n says it is over', async () => {
	const plan = { outcome: 'FAILURE', failReason: 'Too dark, [see](https://a.test)' };
	const result = await listen({ node: videoGenerate(), items: boat(plan) });
	expect(result.status).toBe('error');
	expect(orderOf(result.chunks)).toBe('begin item end error');
	// The chat reads Markdown, and the service must not write a link into it.
	expect(linesOf(result).at(-1)).toMatch(
		/^The video could not be rendered: Too dark, \\\[see\\\]\(https:\/\/a\.test\)/,
	);
});

it.each<[string, IDataObject, IDataObject, RegExp]>([
	['is not waited for', { wait: 'none' }, {}, /^Submitted: `task_/],
	[
		'is not ready in time',
		{ options: { maxWait: 0.002, polling: { onTimeout: 'returnTask' } } },
		{ outcome: 'never' },
		/^Not ready within Max Wait\. The render continues and is billed: `task_/,
	],
	['cannot be read', { prompt: '={{ $json.no }}' }, {}, /^Prompt is empty/],
])('hears of a video that %s', async (_what, parameters, plan, expected) => {
	const node = videoGenerate(parameters, CONTINUE);
	const result = await listen({ node, items: boat(plan) });
	expect([result.status, orderOf(result.chunks)]).toEqual(['success', 'begin item end']);
	const lines = linesOf(result);
	expect(lines.at(-1)).toMatch(expected);
	const paid = stage.sandbox.submissions().length;
	expect(lines.filter((line) => line.startsWith('Submitted'))).toHaveLength(paid);
});

it('hears of one dry run beside a real one', async () => {
	const node = videoGenerate({ options: { cost: { dryRun: '={{ $itemIndex === 0 }}' } } });
	const result = await listen({ node, items: [...boat(), ...boat({ renderMs: 0 })] });
	expect(linesOf(result)).toEqual([
		expect.stringMatching(/^\[item 1\] submitted: `task_/),
		expect.stringMatching(/^\[item 1\] ready: `task_/),
		expect.stringMatching(/^Dry Run: 1 video would be submitted\. .* 1 video in /),
	]);
});

it('hears once what stops all items', async () => {
	const node = videoGenerate({ options: { cost: { maxVideos: 2 } } }, CONTINUE);
	const items = Array.from({ length: 30 }, () => boat()[0]);
	const result = await listen({ node, items });
	expect(linesOf(result)).toEqual([expect.stringMatching(/^This run would submit 30 videos/)]);
});

it('is paid for once and ends well where nobody can be told', async () => {
	const onChunk = () => {
		throw new Error('The client has left');
	};
	const result = await listen({ node: videoGenerate(DOWNLOADS), items: boat(), onChunk });
	expect(result.status).toBe('success');
	expect(result.outputs()[0][0].binary?.data.mimeType).toBe('video/mp4');
	expect(stage.sandbox.submissions()).toHaveLength(1);
});

describe('the other nodes', () => {
	const task = async () => {
		const result = await stage.run(videoGenerate(), boat());
		return toInput(result.outputs()[0][0].json);
	};

	it('Video Download says the link', async () => {
		const result = await listen({ node: videoDownload(), items: await task() });
		expect(linesOf(result)).toEqual([expect.stringMatching(/^Ready: \[task_\w+\.mp4\]\(http/)]);
		expect(Object.keys(result.outputs()[0][0].json)).not.toContain('link');
		expect(orderOf(result.chunks)).toBe('begin item end');
	});

	it('Video Status says of renders in its first pass alone', async () => {
		const plan = { outcome: 'never' } as const;
		const { outputs } = await stage.run(videoGenerate({ wait: 'none' }), plannedRows(plan, plan));
		const node = videoStatus({ routeByState: false });
		const result = await listen({ ...inLoop(node), items: outputs()[0] });
		expect(result.runs('Node')).toHaveLength(2);
		expect(linesOf(result)).toEqual([expect.stringMatching(/^Rendering: \d+ %: `task_\w+`$/)]);
	});

	it('Video Status says what became of its tasks', async () => {
		const [{ json }] = await task();
		const items = toInput(json, { task_id: 'task_none' });
		const node = videoStatus({}, CONTINUE);
		const result = await listen({ node, items });
		expect(linesOf(result)).toEqual([
			`Ready: \`${json.task_id}\``,
			expect.stringMatching(/^The task could not be checked/),
		]);
	});
});

if (projectVersion() === '2') {
	it('of a wait that sleeps it hears that it goes on by itself, and where', async () => {
		const node = videoGenerate({ wait: 'durable', ...DOWNLOADS, options: { link: 2 } });
		const sleeping = await listen({ node, items: boat({ renderMs: 0 }) });
		expect(sleeping.status).toBe('waiting');
		expect(orderOf(sleeping.chunks)).toBe('begin item end');
		const [submitted, goesOn] = linesOf(sleeping);
		expect(submitted).toMatch(/^Submitted: /);
		expect(goesOn).toMatch(
			/^Still rendering. The execution sleeps.*\[execution \w+\]\(http:\/\/localhost:5678\/workflow\/[\w-]+\/executions\/\w+\)\.$/,
		);
		const done = await stage.engine.wake(sleeping);
		const [[{ json, binary }]] = done.outputs();
		expect(binary?.data.mimeType).toBe('video/mp4');
		expect(json).toMatchObject({
			link: expect.stringMatching(/^http:\/\/localhost:5678\/rest\/binary-data\/signed\?token=/),
			message: expect.stringMatching(/^\[task_/),
		});
	});
}
