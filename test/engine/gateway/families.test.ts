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

describe.each(FAMILIES.filter(({ label }) => label.startsWith('Veo')))(
	"$label: a film that the vendor's filter took",
	({ label, model }) => {
		const withheld = (taskId: unknown) => ({
			message: expect.stringMatching(
				`^The video could not be downloaded: the vendor's filter probably withheld it, so asking again does not help \\(task ${String(taskId)}\\)`,
			) as string,
			description: expect.stringContaining('charged all the same') as string,
			http_code: 502,
			retryable: false,
			next: 'changeRequest',
			task_id: taskId,
			status: 'SUCCESS',
		});

		it.each(['Download Video', 'Video Download'])('%s says so', async (how) => {
			const haste = hurry(200);
			const plan = { outcome: 'filtered' as const, renderMs: 0 };
			const wanted = how === 'Download Video' ? { downloadVideo: true } : { wait: 'none' };
			const { outputs } = await generate(label, model, plan, wanted).finally(haste.restore);
			const [{ json }] = outputs()[0];
			const { task_id: taskId } = stage.sandbox.tasks().at(-1)!;
			if (how === 'Download Video') {
				expect(errorOf(json)).toMatchObject(withheld(taskId));
				return;
			}
			const again = hurry(200);
			const download = await stage.engine
				.run({
					node: videoDownload({ taskId }, { onError: 'continueRegularOutput' }),
					items: toInput({}),
					credentials: stage.credentials,
				})
				.finally(again.restore);
			expect(errorOf(download.outputs()[0][0].json)).toMatchObject(withheld(taskId));
		});
	},
);

it.each([
	['a proxy answers 502', 'veo-3.1-generate-preview', 'html502'],
	[
		'another vendor gives no file',
		'sora-2',
		{ status: 502, json: { error: { message: 'Failed to fetch video content' } } },
	],
])('%s: the film may come later', async (_name, model, answer) => {
	const haste = hurry(200);
	const plan = { renderMs: 0, content: [{ always: answer }] };
	const { outputs } = await generate('Any', model, plan, { downloadVideo: true }).finally(
		haste.restore,
	);
	expect(errorOf(outputs()[0][0].json)).toMatchObject({
		message: expect.not.stringContaining('withheld') as string,
		retryable: true,
		task_id: stage.sandbox.tasks().at(-1)!.task_id,
	});
});
