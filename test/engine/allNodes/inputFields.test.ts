import type { IDataObject } from 'n8n-workflow';

import { RENDER_FACTS, RENDER_STATE } from '../../../nodes/shared/n8n/carried';
import type { EngineNode } from '../../support/engine';
import { CONTINUE, planned, videoDownload, videoGenerate, videoStatus } from '../../support/stage';
import { durable, useDurableStage } from '../durable/support/stage';

// What came in goes on before what the node gives, unless Leave Out Input Fields is on.

const stage = useDurableStage();
const ROW = { title: 'Boat', nested: { n: 1 }, prompt: planned('A boat', {}) };

/** The only item of a run, whichever output it left by. */
async function give(node: EngineNode, json: IDataObject): Promise<IDataObject> {
	const result = await stage.runThrough({ node, items: [{ json }] });
	if (result.error) throw result.error;
	return result.outputs().flat()[0].json;
}
const all = (names: readonly string[], value: unknown) =>
	Object.fromEntries(names.map((name) => [name, value]));

type Make = (more: IDataObject, settings?: object) => EngineNode;
const byFinal = { taskId: '={{ $json.final }}' };
const NODES: Array<[string, Make]> = [
	['Video Generate', videoGenerate],
	['Video Generate, asleep', durable],
	['Video Status', (more, settings) => videoStatus({ ...byFinal, ...more }, settings)],
	['Video Download', (more, settings) => videoDownload({ ...byFinal, ...more }, settings)],
];

it.each(NODES)('%s carries on what came in, and nothing of another render', async (_name, node) => {
	const { task_id: final } = await give(videoGenerate(), ROW);
	const row = { ...ROW, final };
	const own = await give(node({ options: { leaveOutInputFields: true } }), row);
	expect(own).not.toHaveProperty('title');
	// Without a task beside it, a field of a render is the person's own.
	const item = await give(node({}), { ...row, family: 'Smith' });
	expect(item).toMatchObject({ ...row, family: 'Smith' });
	expect(Object.keys(item)).toEqual([...Object.keys(row), 'family', ...Object.keys(own)]);
	const draft = all([...RENDER_STATE, ...RENDER_FACTS], 'of the draft');
	// A dry run gives no task ID.
	for (const mark of [{}, { task_id: undefined, dry_run: true }]) {
		const later = await give(node({}), { ...draft, ...mark, ...row });
		expect(Object.values(later)).not.toContain('of the draft');
		expect(later).toMatchObject(row);
	}
});

const FILE = { data: Buffer.from('photo').toString('base64'), mimeType: 'image/png' };

it.each(NODES)('%s carries on the files that came in, behind its own', async (name, node) => {
	const { task_id: final } = await give(videoGenerate(), ROW);
	const items = [{ json: { ...ROW, final }, binary: { photo: FILE, data: FILE } }];
	const filesOf = async (options: IDataObject) => {
		const make = node({ downloadVideo: true, options });
		const result = await stage.runThrough({ node: make, items });
		if (result.error) throw result.error;
		return result.outputs().flat()[0].binary;
	};
	const carried = await filesOf({});
	expect(carried?.photo).toMatchObject(FILE);
	const hasOwn = name !== 'Video Status';
	expect(carried?.data.mimeType).toBe(hasOwn ? 'video/mp4' : 'image/png');
	const own = await filesOf({ leaveOutInputFields: true });
	expect(Object.keys(own ?? {})).toEqual(hasOwn ? ['data'] : []);
});

it('a result without an own file leaves its field empty, and one with a file leaves no earlier ones there', async () => {
	const binary = { data: FILE, data_1: FILE, photo: FILE };
	const filesOf = async (downloadVideo: boolean) => {
		const node = videoGenerate({ downloadVideo });
		const result = await stage.runThrough({ node, items: [{ json: ROW, binary }] });
		return Object.entries(result.outputs().flat()[0].binary ?? {}).map(
			([name, { mimeType }]) => `${name} ${mimeType}`,
		);
	};
	expect(await filesOf(false)).toEqual(['photo image/png']);
	expect(await filesOf(true)).toEqual(['data video/mp4', 'photo image/png']);
});

it('Video Status takes the model from an item of the same task, and no earlier state', async () => {
	const { task_id, model } = await give(videoGenerate(), ROW);
	const earlier = { ...all(RENDER_STATE, 'stale'), ...ROW, task_id, model };
	const item = await give(videoStatus(), earlier);
	expect(Object.values(item)).not.toContain('stale');
	expect(item).toMatchObject({ ...ROW, task_id, model });
});

it.each(NODES)('%s: a failing item has its row, and nothing of another render', async (...row) => {
	const [, node] = row;
	const draft = { title: 'Boat', prompt: '', task_id: 'task_0', status: 'SUCCESS' };
	const item = await give(node({}, CONTINUE), draft);
	const error = expect.objectContaining({ next: 'changeRequest' }) as unknown;
	expect(item).toEqual({ title: 'Boat', prompt: '', error });
	const alone = node({ options: { leaveOutInputFields: true } }, CONTINUE);
	expect(Object.keys(await give(alone, draft))).toEqual(['error']);
});
