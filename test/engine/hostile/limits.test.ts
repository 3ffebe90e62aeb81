import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import { byId, PACKAGE, planned, toInput, useStage, videoGenerate } from '../../support/stage';

// Answers that do not fit into memory, or do not come to an end: by size, compression and time.

const stage = useStage();

/** Of everything that a node gives, the failing items and what the log says. */
async function run(node: ReturnType<typeof videoGenerate>, prompt: string) {
	const { engine, credentials } = stage;
	const beginMs = Date.now();
	const result = await engine.run({ node, items: toInput({ prompt }), credentials });
	const [item] = result.outputs().flat();
	const seconds = (Date.now() - beginMs) / 1000;
	return { error: item.json.error as IDataObject | undefined, json: item.json, seconds };
}

const CONTINUES = { onError: 'continueRegularOutput' } as const;
const video = (options: IDataObject, more: IDataObject = {}) =>
	videoGenerate({ options: { maxWait: 0.05, ...options }, ...more }, CONTINUES);
const text = (options: IDataObject = {}) =>
	({
		type: `${PACKAGE}.generateContent`,
		parameters: { model: byId('gemini-2.5-flash'), prompt: '={{ $json.prompt }}', options },
		...CONTINUES,
	}) as ReturnType<typeof videoGenerate>;

const BOMBS = ['gzipBomb', 'deflateBomb', 'brotliBomb', 'endless'];
const pollsWith = (fault: string): Plan => ({ poll: { always: fault } });

describe('an answer that is larger than it can be', () => {
	it.each(BOMBS)('%s: a poll fails with the task ID, and says so', async (fault) => {
		const { error } = await run(video({ maxWait: 1 }), planned('A boat', pollsWith(fault)));
		expect(error).toMatchObject({ task_id: stage.sandbox.tasks()[0].task_id });
		expect(String(error!.message)).toMatch(/larger than the 1 MB that it can be here/);
		expect(stage.sandbox.polls()).toHaveLength(5);
	});

	it.each(BOMBS)('%s: a submit is unclear, and is not sent again', async (fault) => {
		const { error } = await run(video({}), planned('A boat', { submit: [fault] }));
		expect(JSON.stringify(error)).toMatch(/larger than the 1 MB/);
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it.each(BOMBS)('%s: a text is unclear, and is not asked for again', async (fault) => {
		const { error } = await run(text(), planned('Hello', { text: [fault] }));
		expect(JSON.stringify(error)).toMatch(/larger than the 64 MB/);
		expect(stage.sandbox.count({ path: /generateContent/ })).toBe(1);
	});

	it('of lists in lists is given up before it is taken apart', async () => {
		const body = `{"candidates":[${'[],'.repeat(2_100_000)}[]]}`;
		const { error } = await run(text(), planned('Hello', { text: [{ status: 200, text: body }] }));
		expect(JSON.stringify(error)).toMatch(/larger than the 64 MB/);
	});

	it('a refusal keeps its status, however long it is', async () => {
		const refusal = { status: 403, html: '<title>No</title>', padBytes: 9_000_000 };
		const { error } = await run(video({}), planned('A boat', { submit: [refusal] }));
		expect(error).toMatchObject({ http_code: 403 });
	});

	it('a video stops at Max Size', async () => {
		const plan = { content: ['endless'], sizeBytes: 2_000_000 };
		const node = video({ maxSize: 1 }, { downloadVideo: true });
		const { error } = await run(node, planned('A boat', plan));
		expect(String(error!.message)).toMatch(/larger than the 1 MB that Max Size allows/);
		expect(error).toMatchObject({ task_id: stage.sandbox.tasks()[0].task_id });
	});
});

describe('an answer that drips', () => {
	it.each(['drip', 'dripHead', 'hang'])(
		'%s: Max Wait ends a wait',
		async (fault) => {
			const { error, seconds } = await run(video({}), planned('A boat', pollsWith(fault)));
			expect(error).toMatchObject({ task_id: stage.sandbox.tasks()[0].task_id });
			expect(seconds).toBeGreaterThan(2.9);
			expect(seconds).toBeLessThan(12);
		},
		30_000,
	);

	it.each(['drip', 'dripHead', 'hang'])(
		'%s: Timeout ends a text',
		async (fault) => {
			const asked = planned('Hello', { text: [fault] });
			const { error, seconds } = await run(text({ timeout: 1 }), asked);
			expect(String(error!.message)).toMatch(/got no complete answer|may be billed|in time/);
			expect(seconds).toBeLessThan(8);
		},
		30_000,
	);

	it.each(['drip', 'dripHead'])(
		'%s: a download is given up',
		async (fault) => {
			const asked = planned('A boat', { content: { always: fault } });
			await run(video({}), asked);
			const [{ task_id }] = stage.sandbox.tasks();
			const node = {
				type: `${PACKAGE}.videoDownload`,
				parameters: { taskId: task_id, options: { timeout: 1, retries: 0 } },
				...CONTINUES,
			} as ReturnType<typeof videoGenerate>;
			const { error, seconds } = await run(node, 'none');
			expect(error).toMatchObject({ task_id });
			expect(seconds).toBeLessThan(10);
		},
		30_000,
	);
});
