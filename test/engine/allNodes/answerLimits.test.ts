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
// video is in test/engine/videoDownload/rows.ts.

const stage = useStage();

/** The error of the only item. */
async function fail(node: EngineNode, plan: object) {
	const result = await stage.run(node, toInput({ prompt: planned('A boat', plan) }));
	return result.outputs()[0][0].json.error as IDataObject;
}

const video = (options: IDataObject = {}) =>
	videoGenerate({ options: { maxWait: 0.05, ...options } }, CONTINUE);
const text = (options: IDataObject = {}) =>
	({
		type: `${PACKAGE}.generateContent`,
		parameters: { model: byId('gemini-2.5-flash'), prompt: '={{ $json.prompt }}', options },
		onError: 'continueRegularOutput',
	}) as EngineNode;
const task = () => ({ task_id: stage.sandbox.tasks()[0].task_id });
const texts = () => stage.sandbox.count({ path: /generateContent/ });

describe('an answer that is larger than it can be', () => {
	it('a poll fails with the task ID', async () => {
		const error = await fail(video({ maxWait: 1 }), { poll: { always: 'gzipBomb' } });
		expect(error.message).toMatch(/larger than the 16 MB that it can be here/);
		expect(error).toMatchObject(task());
		expect(stage.sandbox.polls()).toHaveLength(5);
	});

	it('a submit is unclear, and is not sent again', async () => {
		const error = await fail(video(), { submit: ['brotliBomb'] });
		expect(JSON.stringify(error)).toMatch(/larger than the 16 MB/);
		expect(error.next).toBe('checkUsage');
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('a text is unclear, and is not asked for again', async () => {
		const error = await fail(text(), { text: ['endless'] });
		expect(JSON.stringify(error)).toMatch(/larger than the 64 MB/);
		expect(texts()).toBe(1);
	});
});

describe('an answer that comes byte by byte', () => {
	it('is ended by Max Wait', async () => {
		const error = await fail(video({ maxWait: 0.005 }), { poll: { always: 'drip' } });
		expect(error).toMatchObject({ ...task(), next: 'followTask' });
	});

	it('is ended by the Timeout of a text', async () => {
		const error = await fail(text({ timeout: 1 }), { text: ['dripHead'] });
		expect(error).toMatchObject({ next: 'checkUsage' });
		expect(texts()).toBe(1);
	});
});
