import type { Plan } from '../../../sandbox/service';
import { hurry } from '../../support/clock';
import type { RunRequest, RunResult } from '../../support/engine';
import {
	CONTINUE,
	orderOf,
	plannedRows,
	toInput,
	useStage,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../../support/stage';

// What a chat or webhook in streaming mode hears of videos, and that it costs nothing.

const stage = useStage();

const listen = async (request: RunRequest): Promise<RunResult> =>
	await stage.engine.run({
		...{ mode: 'webhook', streaming: true, binaryMode: 'filesystem' },
		credentials: stage.credentials,
		...request,
	});
const linesOf = ({ chunks }: RunResult) =>
	chunks
		.filter(({ type }) => type === 'item')
		.map(({ content }) => String(content).replace(/\n\n$/, ''));
const line = (words: RegExp) => expect.stringMatching(words) as string;
const DOWNLOADS = { downloadVideo: true };
const LINK =
	/^Ready: \[task_\w+\.mp4\]\(http:\/\/localhost:5678\/rest\/binary-data\/signed\?token=/;

it('hears of one video from its submit to the link, in one message', async () => {
	// A field of that name is the person's own.
	const items = plannedRows({}).map(({ json }) => ({ json: { ...json, message: 'Hello' } }));
	const result = await listen({ node: videoGenerate(DOWNLOADS), items });
	const [[{ json, binary }]] = result.outputs();
	expect(orderOf(result.chunks)).toBe('begin item end');
	expect(linesOf(result)).toEqual([`Submitted: \`${json.task_id}\``, line(LINK)]);
	// The item is the same as where nobody listens.
	expect(Object.keys(json)).not.toContain('link');
	expect(binary?.data.mimeType).toBe('video/mp4');
	expect(JSON.stringify(result.chunks)).not.toContain('sandbox-key');
});

it('hears of several videos in the same message, and how they ended', async () => {
	const failing: Plan = { outcome: 'FAILURE', failReason: 'No *trees*' };
	const items = plannedRows({}, failing, { submit: ['unauthorized'] });
	const result = await listen({ node: videoGenerate({}, CONTINUE), items });
	expect(orderOf(result.chunks)).toBe('begin item end');
	const lines = linesOf(result);
	expect(lines.at(-1)).toMatch(/^3 videos in \d+ s: 2 submitted \(1 done, 1 failed\), 1 refused\./);
	expect(lines.slice(0, -1).sort()).toEqual([
		line(/^\[item 0\] ready: `task_/),
		line(/^\[item 0\] submitted: `task_/),
		line(/^\[item 1\] submitted: `task_/),
		// The chat reads Markdown, and the service must not write it.
		line(/^\[item 1\] the video could not be rendered: No \\\*trees\\\* /),
		line(/^\[item 2\] the video was not submitted/),
	]);
});

it('hears of a failure that stops the node before n8n says it is over', async () => {
	const result = await listen({
		node: videoGenerate(),
		items: plannedRows({ outcome: 'FAILURE' }),
	});
	expect(orderOf(result.chunks)).toBe('begin item end error');
	expect(linesOf(result).at(-1)).toMatch(/^The video could not be rendered/);
});

it('hears once what stops all items', async () => {
	const node = videoGenerate({ options: { cost: { maxVideos: 2 } } }, CONTINUE);
	const result = await listen({ node, items: plannedRows({}, {}, {}) });
	expect(linesOf(result)).toEqual([line(/^This run would submit 3 videos/)]);
});

it('costs nothing where nobody can be told', async () => {
	const onChunk = () => {
		throw new Error('The client has left');
	};
	const result = await listen({ node: videoGenerate(DOWNLOADS), items: plannedRows({}), onChunk });
	expect(result.outputs()[0][0].binary?.data.mimeType).toBe('video/mp4');
	expect(stage.sandbox.submissions()).toHaveLength(1);
});

it('hears of the link from Video Download, and of what became of tasks from Video Status', async () => {
	const [[{ json }]] = (await stage.run(videoGenerate(), plannedRows({}))).outputs();
	const downloaded = await listen({ node: videoDownload(), items: toInput(json) });
	expect(linesOf(downloaded)).toEqual([line(LINK)]);
	const failing: Plan = { renderMs: 0, outcome: 'FAILURE', failReason: 'Too dark' };
	const node = videoGenerate({ wait: 'none' });
	const [[failed]] = (await stage.run(node, plannedRows(failing))).outputs();
	const haste = hurry(1_000);
	const items = toInput(json, failed.json, { task_id: 'task_none' });
	const looked = await listen({ node: videoStatus({}, CONTINUE), items });
	haste.restore();
	expect(linesOf(looked)).toEqual([
		`Ready: \`${json.task_id}\``,
		'The video could not be rendered: Too dark',
		line(/^The task could not be checked/),
	]);
});

it('hears of a wait that sleeps that it goes on by itself, and where', async () => {
	const node = videoGenerate({ wait: 'durable', ...DOWNLOADS, options: { link: 2 } });
	const sleeping = await listen({ node, items: plannedRows({ renderMs: 0 }) });
	expect(orderOf(sleeping.chunks)).toBe('begin item end');
	expect(linesOf(sleeping)).toEqual([
		line(/^Submitted: /),
		line(/^Still rendering.*\[execution \w+\]\(http:\/\/localhost:5678\/workflow\/\S+\)\.$/),
	]);
	const [[{ json }]] = (await stage.engine.wake(sleeping)).outputs();
	expect(json.link).toMatch(/^http:\/\/localhost:5678\/rest\/binary-data\/signed\?token=/);
});
