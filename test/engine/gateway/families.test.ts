import type { IDataObject } from 'n8n-workflow';

import { FAMILIES } from '../../../sandbox/service/gatewayProfile';
import { hurry } from '../../support/clock';
import {
	byId,
	planned,
	toInput,
	useStage,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../../support/stage';

// The nodes against what a real gateway answered, family by family.

const stage = useStage({ profile: 'gateway', renderMs: 150 });

/** What the vendors need besides a prompt. */
const PARAMETERS: Record<string, IDataObject> = {
	Kling: { options: { aspectRatio: '16:9' } },
};
const needs = (label: string) => PARAMETERS[label] ?? {};

async function generate(label: string, model: string, plan: object, more: IDataObject = {}) {
	const { options, ...rest } = { ...needs(label), ...more } as { options?: IDataObject };
	return await stage.engine.run({
		node: videoGenerate(
			{ model: byId(model), options: { pollInterval: 0.05, ...options }, ...rest },
			{ onError: 'continueRegularOutput' },
		),
		items: toInput({ prompt: planned('A boat', plan) }),
		credentials: stage.credentials,
	});
}

const errorOf = (json: IDataObject) => json.error as IDataObject;

describe.each(FAMILIES)('$label', ({ label, model }) => {
	it('a render comes back with its film, by the gateway', async () => {
		const { outputs } = await generate(label, model, {}, { downloadVideo: true });
		const [{ json, binary }] = outputs()[0];
		expect(json).toMatchObject({ status: 'SUCCESS' });
		expect(binary?.data.mimeType).toBe('video/mp4');
		expect(stage.sandbox.tasks()).toHaveLength(1);
		const downloads = stage.sandbox.requests.filter(({ path }) => /\/content$/.test(path));
		expect(downloads.some(({ status }) => status === 200)).toBe(true);
	});

	it('a failed render says why where the gateway does, and that nothing is to be paid again', async () => {
		const plan = { outcome: 'FAILURE' as const, failReason: 'No GPU was free' };
		// A failure of Veo is looked at again, some seconds later.
		const haste = hurry(200);
		const { outputs } = await generate(label, model, plan).finally(haste.restore);
		const error = errorOf(outputs()[0][0].json);
		expect(error).toMatchObject({
			status: 'FAILURE',
			task_id: expect.stringMatching(/^task_/) as string,
		});
		if (!label.startsWith('Veo')) expect(error.fail_reason).toMatch(/\w/);
		expect(stage.sandbox.tasks()).toHaveLength(1);
	});

	it('Video Status and Video Download take the task', async () => {
		const { outputs } = await generate(label, model, { renderMs: 0 }, { wait: 'none' });
		const { task_id: taskId } = outputs()[0][0].json;
		const taken = { items: toInput({ taskId: taskId as string }), credentials: stage.credentials };
		const parameters = { taskId: '={{ $json.taskId }}' };
		const status = await stage.engine.run({ node: videoStatus(parameters), ...taken });
		expect(status.outputs()[0][0].json).toMatchObject({ task_id: taskId, status: 'SUCCESS' });
		const download = await stage.engine.run({ node: videoDownload(parameters), ...taken });
		expect(download.outputs()[0][0].binary?.data.mimeType).toBe('video/mp4');
	});
});
