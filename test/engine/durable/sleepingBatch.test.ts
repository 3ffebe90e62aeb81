import type { Plan } from '../../../sandbox/service';
import { hurry } from '../../support/clock';
import type { RunResult } from '../../support/engine';
import { byId, planned, promptsOf } from '../../support/stage';
import { durable, FAILS, jsonOf, rows, SLOW, useDurableStage } from './support/stage';

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

/** The address of a frame is signed, until a second of its own. */
const DIFFERS = ['submitted_at', 'finished_at', 'poll_count', 'last_frame_url'];
/** What a workflow gets, without what differs between two runs. */
function whatCameOf({ outputs }: RunResult) {
	const text = JSON.stringify(outputs(), (name, value: unknown) => {
		if (name === 'response') return Object.keys(value as object);
		return DIFFERS.includes(name) ? 'other' : value;
	});
	return stage.taskIds().reduce((all, id, i) => all.replaceAll(id, `task ${i}`), text);
}

it('gives what a wait in process gives, but for how to go on', async () => {
	const items = rows(
		...[{}, FAILS, { content: { always: 'forbidden' } }, { lastFrameUrl: 'none' } as Plan],
		...[{ submit: 'forbidden' }, { submit: 'acceptThen500' }],
	);
	const parameters = {
		...{ model: byId('doubao-seedance-1-5-pro-251215'), downloadVideo: true },
		options: { rawResponse: true, binaryProperty: 'film', returnLastFrame: true },
	};
	const play = async (wait: string) => {
		const node = durable({ ...parameters, wait }, IN_ERROR_OUTPUT);
		const seen = whatCameOf(await stage.runThrough({ node, items }));
		expect(stage.sandbox.submissions()).toHaveLength(6);
		stage.sandbox.reset();
		return seen;
	};
	const slept = await play('durable');
	// n8n does not run a node again that has slept.
	expect(slept).not.toContain('Retry execution');
	expect(slept).toBe((await play('inProcess')).replaceAll(/ ?Retry execution [^.]*\./g, ''));
});

it('does not go to sleep after a refusal in the default mode, and names the tasks', async () => {
	const items = rows(SLOW, { submit: 'forbidden' });
	const result = await stage.begin({ node: durable(), items });
	expect(result.error?.message).toMatch(/was not submitted/);
	expect(result.error?.description).toContain(stage.taskIds()[0]);
	expect(stage.subExecutions()).toEqual([]);
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
	expect(stage.sandbox.polls()).toHaveLength(5);
});

describe('files', () => {
	it('can be read after the sleep', async () => {
		const node = durable({ downloadVideo: true });
		const request = { node, items: rows({}, {}), binaryMode: 'filesystem' } as const;
		for (const { binary } of (await stage.runThrough(request)).outputs()[0]) {
			const bytes = await stage.engine.readBinary(binary!.data);
			expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
		}
		expect(stage.sandbox.count({ path: /content$/ })).toBe(2);
	});

	it('that an item came with are there at the error output, to be sent back', async () => {
		const data = Buffer.from('photo').toString('base64');
		const items = rows(SLOW, { ...FAILS, ...SLOW }, null).map((item) => ({
			...item,
			binary: { photo: { mimeType: 'image/png', data } },
		}));
		const node = durable({}, IN_ERROR_OUTPUT);
		const [done, failed] = (await stage.runThrough({ node, items })).outputs();
		expect(failed.map(({ binary }) => binary?.photo.data)).toEqual([data, data]);
		expect(done.map(({ binary }) => binary?.photo.data)).toEqual([data]);
	});
});
