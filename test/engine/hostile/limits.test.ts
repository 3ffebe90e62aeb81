import type { IDataObject } from 'n8n-workflow';

import type { EngineNode } from '../../support/engine';
import {
	byId,
	CONTINUE,
	PACKAGE,
	planned,
	toInput,
	useStage,
	videoDownload,
	videoGenerate,
} from '../../support/stage';

// Answers that do not fit into memory, or do not come to an end: by size, compression and time.

// Megabytes are unpacked again and again.
jest.setTimeout(60_000);

const stage = useStage();

async function run(node: EngineNode, ...prompts: string[]) {
	const beginMs = Date.now();
	const items = toInput(...prompts.map((prompt) => ({ prompt })));
	const result = await stage.run(node, items);
	const errors = result.outputs()[0].map(({ json }) => json.error as IDataObject);
	const seconds = (Date.now() - beginMs) / 1000;
	return { errors, error: errors[0], failure: JSON.stringify(errors[0]), seconds };
}

const video = (options: IDataObject, more: IDataObject = {}) =>
	videoGenerate({ options: { maxWait: 0.05, ...options }, ...more }, CONTINUE);
const text = (options: { timeout?: number } = {}): EngineNode => ({
	type: `${PACKAGE}.generateContent`,
	parameters: { model: byId('gemini-2.5-flash'), prompt: '={{ $json.prompt }}', options },
	...CONTINUE,
});

const BOMBS = ['gzipBomb', 'deflateBomb', 'brotliBomb', 'endless'];
const DRIPS = ['drip', 'dripHead', 'hang'];
const polledWith = (fault: string) => planned(`${fault} `, { poll: { always: fault } });
const tasks = (prompts: string[]) =>
	prompts.map((prompt) =>
		stage.sandbox.tasks().find((task) => task.prompt.startsWith(`${prompt} `))!,
	);
const task = () => ({ task_id: stage.sandbox.tasks()[0].task_id });

describe('an answer that is larger than it can be', () => {
	it('a poll fails with the task ID, and says so', async () => {
		const bombs = ['gzipBomb', 'endless'];
		const { errors } = await run(video({ maxWait: 1 }), ...bombs.map(polledWith));
		const message = expect.stringMatching(/larger than the 16 MB that it can be here/) as unknown;
		expect(errors).toMatchObject(tasks(bombs).map(({ task_id }) => ({ message, task_id })));
		expect(stage.sandbox.polls()).toHaveLength(5 * bombs.length);
	});

	it.each(BOMBS)('%s: a submit is unclear, and is not sent again', async (fault) => {
		const { failure } = await run(video({}), planned('A boat', { submit: [fault] }));
		expect(failure).toMatch(/larger than the 16 MB/);
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it.each(['gzipBomb', 'endless'])(
		'%s: a text is unclear, and is not asked for again',
		async (fault) => {
			const { failure } = await run(text(), planned('Hello', { text: [fault] }));
			expect(failure).toMatch(/larger than the 64 MB/);
			expect(stage.sandbox.count({ path: /generateContent/ })).toBe(1);
		},
	);

	it('a refusal keeps its status, however long it is', async () => {
		const refusal = { status: 403, html: '<title>No</title>', padBytes: 20_000_000 };
		const { error } = await run(video({}), planned('A boat', { submit: [refusal] }));
		expect(error).toMatchObject({ http_code: 403 });
	});

	it('a video stops at Max Size', async () => {
		const plan = { content: ['endless'], sizeBytes: 2_000_000 };
		await run(video({}), planned('A boat', plan));
		const { task_id: taskId } = task();
		const { error } = await run(
			videoDownload({ taskId, options: { maxSize: 1 } }, CONTINUE),
			'none',
		);
		expect(String(error!.message)).toMatch(/larger than the 1 MB that Max Size allows/);
		expect(error).toMatchObject(task());
	});
});

describe('an answer that drips', () => {
	it('Max Wait ends a wait', async () => {
		const { errors, seconds } = await run(video({}), ...DRIPS.map(polledWith));
		expect(errors).toMatchObject(tasks(DRIPS).map(({ task_id }) => ({ task_id })));
		expect(seconds).toBeGreaterThan(2.9);
		expect(seconds).toBeLessThan(12);
	});

	it.each(DRIPS)('%s: Timeout ends a text', async (fault) => {
		const { failure, seconds } = await run(
			text({ timeout: 1 }),
			planned('Hello', { text: [fault] }),
		);
		expect(failure).toMatch(/No complete answer arrived|may be billed|in time/);
		expect(seconds).toBeLessThan(8);
	});

	it('dripHead: a download is given up', async () => {
		await run(video({}), planned('A boat', { content: { always: 'dripHead' } }));
		const { task_id: taskId } = task();
		const parameters = { taskId, options: { timeout: 1, retries: 0 } };
		const { error, seconds } = await run(videoDownload(parameters, CONTINUE), 'none');
		expect(error).toMatchObject(task());
		expect(seconds).toBeLessThan(10);
	});
});
