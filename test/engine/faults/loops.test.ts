import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import { hurry, until } from '../../support/clock';
import type { EngineNode } from '../../support/engine';
import {
	byId,
	planned,
	plannedRows,
	to,
	useStage,
	videoGenerate,
	videoStatus,
} from '../../support/stage';
import { always, times } from './support/faults';

// An item that comes back to the node is about what it paid for.

const stage = useStage();
const counts = () => ({
	submitted: stage.sandbox.submissions().length,
	paid: stage.sandbox.tasks().length,
});

const FAILURE: Plan = { outcome: 'FAILURE', renderMs: 0 };
/** Five polls in a row that are refused end the wait; the next pass finds it ready. */
const LOST: Plan = { poll: times('unauthorized', 5), renderMs: 0 };
const ALWAYS_LOST: Plan = { poll: always('unauthorized') };
const UNCLEAR: Plan = { submit: always('acceptThen500') };
const COUNTING = '={{ $json.prompt }}{{ $json.pass }}';
const TICKING = '={{ $json.prompt }}{{ $now.toMillis() }}';
const MOVING = {
	seed: '={{ $json.pass || 0 }}',
	additionalFields: '={"user": "{{ $execution.id }}"}',
};
/** Edit Fields, which gives the prompt alone and loses files; it counts the passes. */
const edit = (prompt = '={{ $json.prompt }}') => ({
	type: 'n8n-nodes-base.set',
	parameters: { prompt },
});
const NO_OP: EngineNode = { type: 'n8n-nodes-base.noOp' };

/** Sends failing items back to Video Generate through a node; a loop that does not end is stopped. */
async function sendBack(
	items: INodeExecutionData[],
	parameters: IDataObject = {},
	through: EngineNode = edit(),
	credentials = stage.credentials,
) {
	const haste = hurry(1_000);
	const video = videoGenerate(parameters, { onError: 'continueErrorOutput' });
	const execution = stage.engine.start({
		nodes: [
			{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
			{ ...video, name: 'Video' },
			{ ...NO_OP, name: 'End' },
			{ ...through, name: 'Through' },
		],
		connections: {
			Click: { main: [to('Video')] },
			Video: { main: [to('End'), to('Through')] },
			Through: { main: [to('Video'), to('Video'), to('Video')] },
		},
		items,
		credentials,
	});
	let isOver = false;
	void execution.done.then(() => (isOver = true));
	// Each time that it comes back it is held a moment, so that n8n has one to stop the loop.
	const holds = () => haste.delaysMs.filter((ms) => ms === 1_000).length;
	const checks = () => stage.sandbox.polls().length;
	await until(() => isOver || holds() >= 4 || checks() >= 20);
	await execution.stop();
	haste.restore();
	const result = await execution.done;
	const ended = result.runs('End').flatMap(({ data }) => data!.main[0] ?? []);
	return { passes: result.runs('Video').length, ended: ended.map(({ json }) => json) };
}

describe('a failing item that is sent back', () => {
	it('follows its task, also where its place moves', async () => {
		const { ended } = await sendBack(plannedRows({ renderMs: 0 }, LOST));
		expect(counts()).toEqual({ submitted: 2, paid: 2 });
		expect(ended).toMatchObject([
			{ status: 'SUCCESS', reused: false },
			{ status: 'SUCCESS', reused: true },
		]);
	});

	const status = videoStatus({ taskId: '={{ $json.error?.task_id || $json.task_id }}' });
	it.each<[what: string, plan: Plan, parameters: IDataObject, EngineNode]>([
		['lost, and its prompt counts', ALWAYS_LOST, { prompt: COUNTING }, edit()],
		['unclear, and its prompt counts', UNCLEAR, { prompt: COUNTING }, edit()],
		['failed, and its options move', FAILURE, { options: MOVING }, edit()],
		['failed, and its prompt moves by itself', FAILURE, { prompt: TICKING }, NO_OP],
		['failed, and comes from Video Status', FAILURE, {}, status],
	])('is not paid for again: %s', async (_what, plan, parameters, through) => {
		const { passes } = await sendBack(plannedRows(plan), parameters, through);
		expect(passes).toBeGreaterThan(2);
		expect(counts()).toEqual({ submitted: 1, paid: 1 });
	});

	it('is submitted anew after FAILURE where somebody has changed it, once for each change', async () => {
		await sendBack(plannedRows(FAILURE), {}, edit(planned('changed to 2', FAILURE)));
		expect(counts()).toEqual({ submitted: 2, paid: 2 });
	});

	it.each<[api: string, model: string, failCode: number, failReason: string]>([
		['wavespeed', 'wavespeed-ai/wan-2.2/t2v-480p-ultra-fast', 5000, 'Internal'],
		['kie', 'veo-3-1', 500, 'Internal Error, Please try again later.'],
	])(
		'is ordered anew twice after renders that broke off at the vendor, and then not: %s',
		async (api, id, failCode, failReason) => {
			stage.sandbox.set({ profile: api });
			const { videoGenerationApi } = stage.credentials;
			const access = { ...videoGenerationApi, api, proxyUrl: stage.sandbox.url };
			const broken: Plan = { ...FAILURE, failCode, failReason };
			const model = byId(id);
			const credentials = { ...stage.credentials, videoGenerationApi: access };
			const { passes } = await sendBack(plannedRows(broken), { model }, edit(), credentials);
			expect(passes).toBeGreaterThan(3);
			expect(counts()).toEqual({ submitted: 3, paid: 3 });
		},
	);

	it('is not paid for twice after a pass in which it could not be read', async () => {
		const prompt = `={{ $runIndex === 1 ? '' : ${JSON.stringify(planned('video 0', LOST))} }}`;
		await sendBack(plannedRows(LOST), { prompt });
		expect(counts()).toEqual({ submitted: 1, paid: 1 });
	});

	const PNG = Buffer.from('\x89PNG\r\n\x1a\n and a picture', 'latin1').toString('base64');
	it.each<[what: string, plan: Plan, through: EngineNode, submitted: number]>([
		[
			'is submitted with its photo, if it was refused',
			{ submit: ['forbidden'], renderMs: 0 },
			NO_OP,
			2,
		],
		['gets its paid video, though the photo is lost on the way', LOST, edit(), 1],
	])('%s', async (_what, plan, through, submitted) => {
		const [{ json }] = plannedRows(plan);
		const binary = { data: { mimeType: 'image/png', data: PNG } };
		const { ended } = await sendBack([{ json, binary }], { imageSource: 'binary' }, through);
		expect(ended).toMatchObject([{ status: 'SUCCESS', reused: submitted === 1 }]);
		const images = stage.sandbox.submissions().map(({ body }) => body!.images);
		expect(images).toEqual(Array(submitted).fill([`data:image/png;base64,${PNG}`]));
	});
});
