import type { IDataObject } from 'n8n-workflow';

import type { EngineNode } from '../../support/engine';
import {
	byId,
	CONTINUE,
	PACKAGE,
	planned,
	toInput,
	useStage,
	videoGenerate,
} from '../../support/stage';

// Answers that do not fit into memory, or do not come to an end: by size, compression and time. That of a
// video is in test/engine/videoDownload/downloads.test.ts.

const stage = useStage();

/** The error of the only item. */
async function fail(node: EngineNode, plan: object) {
	const result = await stage.run(node, toInput({ prompt: planned('A boat', plan) }));
	return result.outputs()[0][0].json.error as IDataObject;
}

const video = (options: IDataObject = {}) => videoGenerate({ options }, CONTINUE);
const text = (options: IDataObject = {}) =>
	({
		type: `${PACKAGE}.generateContent`,
		parameters: { model: byId('gemini-2.5-flash'), prompt: '={{ $json.prompt }}', options },
		...CONTINUE,
	}) as EngineNode;

it.each([
	['a submit is larger than it can be', video(), { submit: ['brotliBomb'] }, /than the 16 MB/],
	['a text is larger than it can be', text(), { text: ['endless'] }, /than the 64 MB/],
	['a text comes byte by byte', text({ timeout: 1 }), { text: ['dripHead'] }, /in time/],
])('the answer to %s: it is unclear, and not asked for again', async (_what, node, plan, why) => {
	const error = await fail(node, plan);
	expect(error.next).toBe('checkUsage');
	expect(JSON.stringify(error)).toMatch(why);
	expect(stage.sandbox.count({ method: 'POST' })).toBe(1);
});

it('a poll that comes byte by byte is ended by Max Wait', async () => {
	const error = await fail(video({ maxWait: 0.005 }), { poll: { always: 'drip' } });
	const [{ task_id }] = stage.sandbox.tasks();
	expect(error).toMatchObject({ task_id, next: 'followTask' });
});
