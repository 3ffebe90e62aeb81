import type { IDataObject } from 'n8n-workflow';

import { FAMILIES, REFUSALS } from '../../sandbox/service/gatewayProfile';
import { hurry } from '../support/clock';
import type { EngineNode } from '../support/engine';
import {
	byId,
	CONTINUE,
	planned,
	toInput,
	useStage,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../support/stage';

// The nodes against what a real gateway answered, family by family.

const stage = useStage({ profile: 'gateway', renderMs: 150 });

/** @param times A failure of Veo is looked at again, some seconds later; a submit waits for its answer for two minutes. */
async function runHurried(times: number, node: EngineNode, ...rows: IDataObject[]) {
	const haste = hurry(times);
	const { outputs } = await stage.run(node, toInput(...rows)).finally(haste.restore);
	return outputs()[0];
}

const run = async (node: EngineNode, ...rows: IDataObject[]) => await runHurried(40, node, ...rows);

interface Film {
	label: string;
	model: string;
}
/** A film of each family, all with one plan. */
const generate = async (films: Film[], plan: object, more: IDataObject = {}) =>
	await run(
		videoGenerate({ model: byId('={{ $json.model }}'), ...more }, CONTINUE),
		...films.map(({ model }) => ({ model, prompt: planned('A boat', plan) })),
	);
const DOWNLOADS = { downloadVideo: true };

it('the renders of all families come back with their films, also by their task IDs', async () => {
	const items = await generate(FAMILIES, {}, DOWNLOADS);
	expect(stage.sandbox.tasks()).toHaveLength(FAMILIES.length);
	const ids = items.map(({ json: { task_id } }) => ({ task_id }));
	const done = ids.map((id) => ({ ...id, status: 'SUCCESS' }));
	expect(items.map(({ json }) => json)).toMatchObject(done);
	expect((await run(videoStatus(), ...ids)).map(({ json }) => json)).toMatchObject(done);
	for (const { binary } of [...items, ...(await run(videoDownload(), ...ids))]) {
		expect(binary?.data.mimeType).toBe('video/mp4');
	}
});

it('a failed render says why where the gateway does, and is not paid for again', async () => {
	const items = await generate(FAMILIES, { outcome: 'FAILURE', failReason: 'No GPU was free' });
	const reason = expect.stringMatching(/\w/) as string;
	expect(items.map(({ json }) => json.error)).toMatchObject(
		FAMILIES.map(({ label }: Film) => ({
			...{ status: 'FAILURE', task_id: expect.stringMatching(/^task_/) as string },
			...(!label.startsWith('Veo') && { fail_reason: reason }),
			// What a plan fails by is over the request, as the demo shows it.
			next: 'changeRequest',
		})),
	);
	expect(stage.sandbox.tasks()).toHaveLength(FAMILIES.length);
});

it("a film that Google's filter took stays billed", async () => {
	const veo = FAMILIES.filter(({ label }: Film) => label.startsWith('Veo'));
	const generated = await generate(veo, { outcome: 'filtered', renderMs: 0 }, DOWNLOADS);
	const ids = stage.sandbox.tasks().map(({ task_id }) => ({ task_id }));
	const downloaded = await run(videoDownload({}, CONTINUE), ...ids);
	for (const { json } of [...generated, ...downloaded]) {
		expect(json.error).toMatchObject({
			message: expect.stringContaining('the service gets no file from the vendor') as string,
			description: expect.stringContaining('Failed to resolve') as string,
			...{ http_code: 502, next: 'followTask', status: 'SUCCESS' },
		});
	}
	expect(stage.sandbox.tasks()).toHaveLength(veo.length);
});

const NO_FILE = { status: 502, json: { error: { message: 'Failed to fetch video content' } } };
it.each([
	['a proxy answers 502', 'veo-3.1-generate-preview', 'html502'],
	['another vendor gives no file', 'kling-v1-6', NO_FILE],
])('%s: the film may come later', async (label, model, answer) => {
	const plan = { renderMs: 0, content: [{ always: answer }] };
	const [{ json }] = await generate([{ label, model }], plan, DOWNLOADS);
	const [{ task_id }] = stage.sandbox.tasks();
	expect(json.error).toMatchObject({ retryable: true, task_id });
});

it('of all the ways in which it refused a submit, none says that something may be charged', async () => {
	const model = byId(FAMILIES[0].model);
	const prompts = REFUSALS.map(({ status, json }: IDataObject, i: number) => ({
		prompt: planned(`video ${i}`, { submit: [{ status, json }] }),
	}));
	const node = videoGenerate({ model, wait: 'none' }, CONTINUE);
	const items = [];
	// An account without credit ends the orders of its run, so that each refusal has a run of its own.
	for (const prompt of prompts) items.push(...(await runHurried(10, node, prompt)));
	const message = expect.stringMatching(/^The video was not submitted: /) as string;
	expect(items.map(({ json }) => json)).toMatchObject(
		REFUSALS.map(({ status }: IDataObject) =>
			// It passes, so it is sent again.
			status === 429
				? { status: 'queued' }
				: { error: { message, http_code: status, billed: 'no' } },
		),
	);
	expect(stage.sandbox.tasks()).toHaveLength(
		REFUSALS.filter(({ status }: IDataObject) => status === 429).length,
	);
});
