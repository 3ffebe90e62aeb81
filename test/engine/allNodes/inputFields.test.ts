import type { IDataObject } from 'n8n-workflow';

import { RENDER_FACTS, RENDER_STATE } from '../../../nodes/shared/item/carried';
import { CONTINUE, planned, videoDownload, videoGenerate, videoStatus } from '../../support/stage';
import { durable, useDurableStage } from '../durable/support/stage';
import type { EngineNode } from '../../support/engine';

// What came in goes on before what the node gives, unless Leave Out Input Fields is on.

const stage = useDurableStage();
const ALONE = { options: { leaveOutInputFields: true } };
const ROW = { title: 'Boat', nested: { n: 1 }, prompt: planned('A boat', {}) };

/** The only item of a run, whichever output it left by. */
async function give(node: EngineNode, json: IDataObject): Promise<IDataObject> {
	const result = await stage.runThrough({ node, items: [{ json }] });
	if (result.error) throw result.error;
	return result.outputs().flat()[0].json;
}
const video = async () => await give(videoGenerate(), ROW);
const nothing = async (): Promise<IDataObject> => ({});
const pick = (json: IDataObject, ...names: string[]) =>
	Object.fromEntries(names.filter((name) => name in json).map((name) => [name, json[name]]));
const all = (names: readonly string[], value: unknown) =>
	Object.fromEntries(names.map((name) => [name, value]));

const KINDS: Record<string, [(more: IDataObject) => EngineNode, () => Promise<IDataObject>]> = {
	'Video Generate': [(more) => videoGenerate({ ...more, downloadVideo: true }), nothing],
	'Video Generate, asleep': [(more) => durable({ ...more, downloadVideo: true }), nothing],
	'Video Status': [(more) => videoStatus(more), video],
	'Video Download': [(more) => videoDownload(more), video],
};

it.each(Object.entries(KINDS))('%s carries on what came in', async (_name, [node, before]) => {
	const earlier = await before();
	const own = await give(node(ALONE), { ...ROW, ...earlier });
	expect(own).not.toHaveProperty('title');
	// Before its own fields, and those of the person that have the names of its own where it gives none.
	const theirs = all(['message', 'link', 'request', 'family', 'response', 'cost'], 'theirs');
	const both = await give(node({}), { ...ROW, ...theirs, ...earlier });
	expect(both).toMatchObject({ title: 'Boat', nested: { n: 1 }, prompt: ROW.prompt });
	expect(both).toMatchObject({ ...theirs, ...pick(own, ...Object.keys(theirs)) });
	expect(Object.keys(both).slice(0, 3)).toEqual(Object.keys(ROW));
	expect(Object.keys(both).slice(-Object.keys(own).length)).toEqual(Object.keys(own));
	// Nothing that an earlier state has left; Video Status knows the model from the item of the same task.
	const names = [...Object.keys(own), 'error', ...('model' in own ? RENDER_STATE : [])];
	const kept = { ...ROW, task_id: 'stale', ...pick(earlier, 'task_id', 'model') };
	const later = await give(node({}), { ...all(names, 'stale'), ...kept });
	expect(Object.values(later)).not.toContain('stale');
	expect(later).toMatchObject({ title: 'Boat' });
});

it.each([
	['Video Generate', videoGenerate()],
	['Video Status', videoStatus({ taskId: '={{ $json.final }}' })],
	['Video Download', videoDownload({ taskId: '={{ $json.final }}' })],
])('%s passes nothing of an earlier render off as its own', async (_name, node) => {
	const { task_id: final } = await video();
	const draft = all([...RENDER_STATE, ...RENDER_FACTS], 'of the draft');
	// A dry run gives no task ID.
	for (const mark of [{}, { task_id: undefined, dry_run: true }]) {
		const item = await give(node, { ...draft, ...mark, ...ROW, final });
		expect(Object.values(item)).not.toContain('of the draft');
		expect(item).toMatchObject({ title: 'Boat', final });
	}
});

it.each([
	['Video Generate', videoGenerate],
	[
		'Video Status',
		(more: IDataObject, facts: object) => videoStatus({ ...more, routeByState: false }, facts),
	],
	['Video Download', videoDownload],
])('%s: a failing item has its row, and nothing of an earlier render', async (_name, node) => {
	const row = { title: 'Boat', prompt: '' };
	const failed = { ...row, task_id: 'task_0', status: 'SUCCESS' };
	const item = await give(node({}, CONTINUE), failed);
	expect(item).toEqual({ ...row, error: expect.objectContaining({ next: 'changeRequest' }) });
	expect(Object.keys(await give(node(ALONE, CONTINUE), failed))).toEqual(['error']);
	const errorOutput = node({}, { onError: 'continueErrorOutput' });
	const outputs = (await stage.run(errorOutput, [{ json: failed }])).outputs();
	expect(outputs.at(-1)).toMatchObject([{ json: { ...failed, error: expect.anything() } }]);
});
