import type { IDataObject } from 'n8n-workflow';

import { FAMILIES } from '../../../sandbox/service/gatewayProfile';
import { hurry } from '../../support/clock';
import type { EngineNode } from '../../support/engine';
import {
	byId,
	CONTINUE,
	planned,
	toInput,
	useStage,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../../support/stage';

// The nodes against what a real gateway answered, family by family.

const stage = useStage({ profile: 'gateway', renderMs: 150 });

async function run(node: EngineNode, json: IDataObject) {
	// A failure of Veo is looked at again, some seconds later.
	const haste = hurry(200);
	const { engine, credentials } = stage;
	const { outputs } = await engine
		.run({ node, items: toInput(json), credentials })
		.finally(haste.restore);
	return outputs()[0][0];
}

async function generate(model: string, plan: object, more: IDataObject = {}) {
	const node = videoGenerate({ model: byId(model), ...more }, CONTINUE);
	return await run(node, { prompt: planned('A boat', plan) });
}

describe.each(FAMILIES)('$label', ({ label, model }) => {
	it('a render comes back with its film, by the gateway', async () => {
		const { json, binary } = await generate(model, {}, { downloadVideo: true });
		expect(json).toMatchObject({ status: 'SUCCESS' });
		expect(binary?.data.mimeType).toBe('video/mp4');
		expect(stage.sandbox.tasks()).toHaveLength(1);
		expect(stage.sandbox.count({ path: /\/content$/, status: 200 })).toBeGreaterThan(0);
	});

	it('a failed render says why where the gateway does, and that nothing is to be paid again', async () => {
		const { json } = await generate(model, { outcome: 'FAILURE', failReason: 'No GPU was free' });
		const error = json.error as IDataObject;
		const task_id = expect.stringMatching(/^task_/) as string;
		expect(error).toMatchObject({ status: 'FAILURE', task_id });
		if (!label.startsWith('Veo')) expect(error.fail_reason).toMatch(/\w/);
		expect(stage.sandbox.tasks()).toHaveLength(1);
	});

	it('Video Status and Video Download take the task', async () => {
		const { task_id } = (await generate(model, { renderMs: 0 }, { wait: 'none' })).json;
		const parameters = { taskId: '={{ $json.taskId }}' };
		const status = await run(videoStatus(parameters), { taskId: task_id });
		expect(status.json).toMatchObject({ task_id, status: 'SUCCESS' });
		const download = await run(videoDownload(parameters), { taskId: task_id });
		expect(download.binary?.data.mimeType).toBe('video/mp4');
	});
});

const VEO = FAMILIES.filter(({ label }) => label.startsWith('Veo'));

it.each(VEO)("$label: a film that the vendor's filter took stays billed", async ({ model }) => {
	const plan = { outcome: 'filtered', renderMs: 0 };
	const generated = await generate(model, plan, { downloadVideo: true });
	const { task_id: taskId } = stage.sandbox.tasks()[0];
	const downloaded = await run(videoDownload({ taskId }, CONTINUE), {});
	for (const { json } of [generated, downloaded]) {
		expect(json.error).toMatchObject({
			message: expect.stringContaining('the service gets no file from the vendor') as string,
			description: expect.stringContaining('Failed to resolve') as string,
			...{ http_code: 502, next: 'followTask', task_id: taskId, status: 'SUCCESS' },
		});
	}
	expect(stage.sandbox.tasks()).toHaveLength(1);
});

it.each([
	['a proxy answers 502', 'veo-3.1-generate-preview', 'html502'],
	[
		'another vendor gives no file',
		'kling-v1-6',
		{ status: 502, json: { error: { message: 'Failed to fetch video content' } } },
	],
])('%s: the film may come later', async (_name, model, answer) => {
	const plan = { renderMs: 0, content: [{ always: answer }] };
	const { json } = await generate(model, plan, { downloadVideo: true });
	expect(json.error).toMatchObject({
		retryable: true,
		task_id: stage.sandbox.tasks()[0].task_id,
	});
});
