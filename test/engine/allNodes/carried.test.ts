import type { IDataObject } from 'n8n-workflow';

import { RENDER_FACTS, RENDER_STATE } from '../../../nodes/shared/task/render';
import { CONTINUE, planned, videoDownload, videoGenerate, videoStatus } from '../../support/stage';
import { durable, useDurableStage } from '../durable/support/stage';
import type { EngineNode } from '../../support/engine';

// Include Other Input Fields: what came in goes on beside what the node gives.

const stage = useDurableStage();
const ON = { options: { includeOtherFields: true } };
const ROW = { title: 'Boat', nested: { n: 1 }, prompt: planned('A boat', {}) };

const run = async (node: EngineNode, json: IDataObject) =>
	await stage.runThrough({ node, items: [{ json }] });
/** The only item of a run, whichever output it left by. */
async function give(node: EngineNode, json: IDataObject): Promise<IDataObject> {
	const result = await run(node, json);
	if (result.error) throw result.error;
	return result.outputs().flat()[0].json;
}
const video = async () => await give(videoGenerate(), ROW);

const nothing = async (): Promise<IDataObject> => ({});
const dry = ({ options }: IDataObject) =>
	videoGenerate({ options: { ...(options as IDataObject | undefined), dryRun: true } });

const KINDS: Record<string, [(more: IDataObject) => EngineNode, () => Promise<IDataObject>]> = {
	'Video Generate, with its file': [
		(more) => videoGenerate({ ...more, downloadVideo: true }),
		nothing,
	],
	'Video Generate, not waiting': [(more) => videoGenerate({ ...more, wait: 'none' }), nothing],
	'Video Generate, asleep': [(more) => durable({ ...more, downloadVideo: true }), nothing],
	'Video Generate, dry': [dry, nothing],
	'Video Status': [(more) => videoStatus(more), video],
	'Video Download': [(more) => videoDownload(more), video],
};

describe.each(Object.entries(KINDS))('%s', (_name, [node, before]) => {
	it('carries on what came in, if it is to', async () => {
		const input = { ...ROW, ...(await before()) };
		const own = await give(node({}), input);
		expect(own).not.toHaveProperty('title');
		const both = await give(node(ON), input);
		expect(both).toMatchObject({ title: 'Boat', nested: { n: 1 }, prompt: ROW.prompt });
		expect(Object.keys(both)).toEqual(expect.arrayContaining(Object.keys(own)));
	});

	it('carries on fields of the person that have the names of its own, where it gives none', async () => {
		const earlier = await before();
		const own = await give(node({}), { ...ROW, ...earlier });
		const names = ['message', 'link', 'request', 'family', 'response', 'cost'];
		const theirs = Object.fromEntries(names.map((name) => [name, 'theirs']));
		const both = await give(node(ON), { ...earlier, ...theirs, ...ROW });
		expect(both).toMatchObject({ ...theirs, ...pick(own, ...names) });
	});

	it('gives its own fields, and none that an earlier state left', async () => {
		const earlier = await before();
		const own = await give(node({}), { ...ROW, ...earlier });
		const names = [...Object.keys(own), 'error', ...('model' in own ? RENDER_STATE : [])];
		const stale = Object.fromEntries(names.map((name) => [name, 'stale']));
		// Video Status knows the model from the item of the same task.
		const input = { ...stale, ...ROW, task_id: 'stale', ...pick(earlier, 'task_id', 'model') };
		const both = await give(node(ON), input);
		expect(Object.entries(both).filter(([, value]) => value === 'stale')).toEqual([]);
		expect(both).toMatchObject({ title: 'Boat' });
	});
});

it.each([
	['Video Generate', videoGenerate(ON)],
	['Video Generate, not waiting', videoGenerate({ ...ON, wait: 'none' })],
	['Video Status', videoStatus({ ...ON, taskId: '={{ $json.final }}' })],
	['Video Download', videoDownload({ ...ON, taskId: '={{ $json.final }}' })],
])('%s passes nothing of an earlier render off as its own', async (_name, node) => {
	const { task_id: final } = await video();
	const names = [...RENDER_STATE, ...RENDER_FACTS];
	const draft = Object.fromEntries(names.map((name) => [name, 'of the draft']));
	const item = await give(node, { ...draft, ...ROW, final });
	expect(Object.values(item)).not.toContain('of the draft');
	expect(item).toMatchObject({ title: 'Boat', final });
});

const pick = (json: IDataObject, ...names: string[]) =>
	Object.fromEntries(names.filter((name) => name in json).map((name) => [name, json[name]]));

it.each([
	['Video Generate', videoGenerate],
	[
		'Video Status',
		(more: IDataObject, facts: object) => videoStatus({ ...more, routeByState: false }, facts),
	],
	['Video Download', videoDownload],
])('%s: a failing item carries its error alone', async (_name, node) => {
	const failing = node(ON, CONTINUE);
	const item = await give(failing, { title: 'Boat', prompt: '', task_id: 'task_0' });
	expect(Object.keys(item)).toEqual(['error']);
});
