import { hurry } from '../../support/clock';
import { planned, promptsOf } from '../../support/stage';
import {
	durable,
	errorOf,
	FAILS,
	jsonOf,
	rows,
	SLOW,
	statusesOf,
	useDurableStage,
} from './support/stage';

const stage = useDurableStage();
const IN_ERROR_OUTPUT = { onError: 'continueErrorOutput' } as const;

it('sleeps as a whole where one item does: none holds the process for the others', async () => {
	const items = ['durable', 'inProcess', 'durable'].map((mode, i) => ({
		json: { prompt: planned(`video ${i}`, {}), mode },
	}));
	const begun = await stage.begin({ node: durable({ wait: '={{ $json.mode }}' }), items });
	expect(jsonOf(begun.outputs()[0])).toMatchObject(items.map(() => ({ status: 'queued' })));
	const [videos] = (await stage.toEnd(begun)).outputs();
	expect(promptsOf(stage, videos)).toEqual(items.map(({ json }) => json.prompt));
	expect(jsonOf(videos)).toMatchObject(items.map(() => ({ status: 'SUCCESS' })));
	expect(stage.sandbox.submissions()).toHaveLength(3);
});

it('with refused and unclear submits: each item once', async () => {
	const items = rows({}, { submit: 'forbidden' }, { submit: 'acceptThen500' }, {});
	const node = durable({}, IN_ERROR_OUTPUT);
	const [good, failed] = (await stage.runThrough({ node, items })).outputs();
	expect(failed.map(errorOf)).toMatchObject([
		{ message: expect.stringMatching(/was not submitted.*\[item 1\]/) },
		{ message: expect.stringMatching(/may or may not have been accepted.*\[item 2\]/) },
	]);
	expect(promptsOf(stage, good)).toEqual([0, 3].map((i) => items[i].json.prompt));
	expect(stage.sandbox.submissions()).toHaveLength(4);
});

it('does not go to sleep after a refusal in the default mode, and names the tasks', async () => {
	const items = rows(SLOW, { submit: 'forbidden' });
	const result = await stage.begin({ node: durable(), items });
	expect(result.error?.message).toMatch(/was not submitted/);
	expect(result.error?.description).toContain(stage.taskIds()[0]);
	expect(stage.subExecutions()).toEqual([]);
});

it('of which the first item ends before the others is looked at to its end', async () => {
	const result = await stage.runThrough({ node: durable(), items: rows({}, SLOW) });
	expect(result.status).toBe('success');
	expect(statusesOf(stage.subExecutions().slice(1))).toEqual(['success']);
	expect(stage.sandbox.polls(stage.taskIds()[0])).toHaveLength(1);
});

it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
	'of which one fails, in the mode %s, ends the wait for the others only if it ends the node',
	async (onError) => {
		const failing = { ...FAILS, renderMs: 90_000 };
		const node = durable({}, { onError });
		const result = await stage.runThrough({ node, items: rows(SLOW, failing) });
		const [other, failed] = stage.taskIds();
		if (onError === 'stopWorkflow') {
			expect(result.error?.message).toContain(`(task ${failed}) [item 1]`);
			expect(result.error?.description).toContain(other);
			expect(stage.sandbox.polls(other)).toHaveLength(2);
			return;
		}
		const states = jsonOf(result.outputs()[0]);
		expect(states).toMatchObject([{ status: 'SUCCESS' }, { error: { status: 'FAILURE' } }]);
	},
);

it('gives up after a while where a task cannot be followed, with its ID', async () => {
	const haste = hurry(300);
	const items = rows({ poll: { always: 'unauthorized' } });
	const result = await stage.runThrough({ node: durable({ options: { maxWait: 600 } }), items });
	haste.restore();
	expect(result.error?.message).toMatch(/^The task can no longer be followed/);
	expect(result.error?.message).toContain(`(task ${stage.taskIds()[0]}) [item 0]`);
	// n8n does not run a node again that has slept.
	expect(result.error?.description).not.toMatch(/retry of this execution/i);
	expect(stage.sandbox.polls()).toHaveLength(5);
});

describe('files', () => {
	it.each(['default', 'filesystem', 'database'] as const)(
		'can be read after the sleep (%s mode)',
		async (binaryMode) => {
			const node = durable({ downloadVideo: true });
			const result = await stage.runThrough({ node, items: rows({}, {}), binaryMode });
			for (const { json, binary } of result.outputs()[0]) {
				expect(binary?.data).toMatchObject({ fileName: `${json.task_id}.mp4` });
				const bytes = await stage.engine.readBinary(binary!.data);
				expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
			}
			expect(stage.sandbox.count({ path: /content$/ })).toBe(2);
		},
	);

	it('that an item came with are there at the error output, to be sent back', async () => {
		const data = Buffer.from('photo').toString('base64');
		const items = rows(SLOW, { ...FAILS, ...SLOW }, null).map((item) => ({
			...item,
			binary: { photo: { mimeType: 'image/png', data } },
		}));
		const node = durable({}, IN_ERROR_OUTPUT);
		const [done, failed] = (await stage.runThrough({ node, items })).outputs();
		expect(failed.map(({ binary }) => binary?.photo.data)).toEqual([data, data]);
		expect(done.map(({ binary }) => binary)).toEqual([undefined]);
	});
});
