import { planned, promptsOf } from '../../support/stage';
import { durable, errorOf, FAILS, jsonOf, rows, SLOW, useDurableStage } from './support/stage';

const stage = useDurableStage();
const workers = () => stage.subExecutions().slice(1);

describe('a batch that waits durably', () => {
	it('sleeps as a whole where one item does: none holds the process for the others', async () => {
		const { sandbox } = stage;
		const items = ['durable', 'inProcess', 'durable'].map((mode, i) => ({
			json: { prompt: planned(`video ${i}`, {}), mode },
		}));
		const begun = await stage.begin({ node: durable({ wait: '={{ $json.mode }}' }), items });
		const states = jsonOf(begun.outputs()[0]).map(({ status }) => status);
		expect(states).toEqual(items.map(() => 'queued'));
		const { outputs } = await stage.toEnd(begun);
		expect(promptsOf(stage, outputs()[0])).toEqual(items.map(({ json }) => json.prompt));
		expect(jsonOf(outputs()[0]).every(({ status }) => status === 'SUCCESS')).toBe(true);
		expect(sandbox.submissions()).toHaveLength(3);
	});

	it('with refused and unclear submits: each item once', async () => {
		const items = rows({}, { submit: 'forbidden' }, { submit: 'acceptThen500' }, {});
		const node = durable({}, { onError: 'continueErrorOutput' });
		const [good, failed] = (await stage.runThrough({ node, items })).outputs();
		const message = (words: RegExp) => expect.stringMatching(words);
		expect(failed.map(errorOf)).toMatchObject([
			{ message: message(/was not submitted.*\[item 1\]/) },
			{ message: message(/may or may not have been accepted.*\[item 2\]/), retryable: false },
		]);
		expect(promptsOf(stage, good)).toEqual([0, 3].map((i) => items[i].json.prompt));
		expect(stage.sandbox.submissions()).toHaveLength(4);
	});

	it('does not go to sleep after a refusal in the default mode, and names the tasks', async () => {
		const items = rows(SLOW, { submit: 'forbidden' });
		const result = await stage.begin({ node: durable(), items });
		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(/was not submitted/);
		expect(result.error?.description).toContain(stage.taskIds()[0]);
		expect(stage.subExecutions()).toEqual([]);
	});
});

describe('the Sleep node reads its time from the first item', () => {
	it('a first item that ends before the others does not end the worker', async () => {
		const result = await stage.runThrough({ node: durable(), items: rows({}, SLOW) });
		expect(result.status).toBe('success');
		expect(workers().map(({ status, error }) => [status, error?.message])).toEqual([
			['success', undefined],
		]);
		const [first] = stage.taskIds();
		expect(stage.sandbox.polls(first)).toHaveLength(1);
	});
});

describe('files', () => {
	it.each(['default', 'filesystem', 'database'] as const)(
		'can be read after the sleep (%s mode)',
		async (binaryMode) => {
			const { engine, sandbox } = stage;
			const node = durable({ downloadVideo: true, options: { binaryProperty: 'film' } });
			const result = await stage.runThrough({ node, items: rows({}, {}), binaryMode });
			const [items] = result.outputs();
			for (const { json, binary } of items) {
				expect(binary?.film).toMatchObject({ fileName: `${json.task_id}.mp4` });
				const bytes = await engine.readBinary(binary!.film);
				expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
			}
			expect(sandbox.count({ path: /content$/ })).toBe(2);
		},
	);

	it('that an item came with are there at the error output, to be sent back', async () => {
		const node = durable({}, { onError: 'continueErrorOutput' });
		const data = Buffer.from('photo').toString('base64');
		const items = rows(SLOW, { ...FAILS, ...SLOW }, null).map((item) => ({
			...item,
			binary: { photo: { mimeType: 'image/png', data } },
		}));
		const [done, failed] = (await stage.runThrough({ node, items })).outputs();
		expect(failed.map(({ binary }) => binary?.photo.data)).toEqual([data, data]);
		expect(done.map(({ binary }) => binary)).toEqual([undefined]);
	});
});
