import type { IDataObject } from 'n8n-workflow';

import type { Plan, RequestRecord } from '../../../sandbox/service';
import { until } from '../../support/clock';
import type { BinaryMode, EngineNode } from '../../support/engine';
import {
	CONTINUE,
	planned,
	toInput,
	useStage,
	videoDownload,
	videoGenerate,
} from '../../support/stage';

// What downloads hold of sockets and storage.

/** Large enough to be on its way for a while. */
const SIZE = 500_000;
const MODES: BinaryMode[] = ['filesystem', 'database'];
const ended = new Set<RequestRecord>();
const stage = useStage({ renderMs: 0, logger: (record) => void ended.add(record) });

const contents = () => stage.sandbox.requests.filter(({ path }) => /\/content$/.test(path));
const promptOf = (plan: Plan) => ({ prompt: planned('A boat', { sizeBytes: SIZE, ...plan }) });

/** Tasks for Video Download, with a plan for all of them. */
async function tasks(plan: Plan, count = 1): Promise<IDataObject[]> {
	const items = toInput(...Array.from({ length: count }, () => promptOf(plan)));
	const { outputs } = await stage.run(videoGenerate(), items);
	return outputs()[0].map(({ json: { task_id } }) => ({ task_id }));
}

const download = async (json: IDataObject[], options: IDataObject = {}) =>
	await stage.run(videoDownload({ options }), toInput(...json), { binaryMode: 'filesystem' });

describe.each(MODES)('Stop, while a video goes into the %s', (binaryMode) => {
	/** Storage is given half a megabyte at a time. */
	const sizeBytes = 30_000_000;
	const status = (wanted: number | null) => () => contents().some((r) => r.status === wanted);
	const sent = (bytes: number) => () => contents().some((r) => r.sentBytes >= bytes);

	/** What the service has sent may be on its way to the disk. */
	const isThere = (isStored: boolean) =>
		!isStored || binaryMode === 'database' || stage.engine.storedSizes().some((size) => size > 0);

	it.each<[string, Plan, when: () => boolean, isStored: boolean]>([
		['no answer has come', { content: 'hang' }, () => contents().length > 0, false],
		['it flows', { sizeBytes, content: { pieceDelayMs: 20 } }, sent(1_200_000), true],
		['it waits for a first try more', { content: { always: 'html502' } }, status(502), false],
	])('and %s', async (_when, plan, when, isStored) => {
		const { engine, credentials } = stage;
		const stop = async (node: EngineNode, json: IDataObject) => {
			const execution = engine.start({ node, items: toInput(json), credentials, binaryMode });
			await until(() => when() && isThere(isStored));
			await execution.stop();
			const result = await execution.done;
			expect(result.status).toBe('canceled');
			// Every socket is closed, and nothing new is asked for.
			const count = contents().length;
			await until(() => contents().every((record) => ended.has(record)));
			expect(contents()).toHaveLength(count);
			expect(engine.storedSizes(result)).toEqual([]);
			return result.outputs()[0][0];
		};
		const [{ task_id }] = await tasks(plan);
		const { json } = await stop(videoDownload(), { task_id });
		const message = expect.stringMatching(/the download was stopped/);
		expect(json.error).toMatchObject({ message, task_id, retryable: true });
		stage.sandbox.reset();
		const item = await stop(videoGenerate({ downloadVideo: true }), promptOf(plan));
		expect(item.json).toMatchObject({ status: 'SUCCESS', task_id: expect.any(String) });
		expect(item.binary).toBeUndefined();
	});
});

describe('a storage that fails half-way', () => {
	const sizeBytes = 6_000_000;
	const isHalfWay = () =>
		contents().some((r) => r.sentBytes >= 1_200_000) &&
		stage.engine.storedSizes().some((size) => size > 0);

	it.each([
		['Video Generate', videoGenerate({ downloadVideo: true }, CONTINUE)],
		['Video Download', videoDownload({}, CONTINUE)],
	])('%s: one failure with the task, no other try, and nothing new is paid', async (name, node) => {
		const plan: Plan = { sizeBytes, content: [{ pieceDelayMs: 20 }] };
		const { engine, credentials } = stage;
		const [json] = name === 'Video Generate' ? [promptOf(plan)] : await tasks(plan);
		const items = toInput(json);
		const execution = engine.start({ node, items, credentials, binaryMode: 'filesystem' });
		await until(isHalfWay);
		engine.loseStorage();
		const result = await execution.done;
		const [[{ json: failed, binary }]] = result.outputs();
		const [{ task_id }] = stage.sandbox.tasks();
		expect(binary).toBeUndefined();
		expect(failed.error).toMatchObject({
			message: expect.stringMatching(/could not be downloaded: n8n could not store the video/),
			...{ task_id, next: 'followTask' },
		});
		expect(contents().filter(({ sentBytes }) => sentBytes > 0)).toHaveLength(1);
		expect(stage.sandbox.submissions()).toHaveLength(1);
		// The same task has its file once there is a disk again.
		const again = await download([{ task_id }]);
		expect(engine.storedSizes(again)).toEqual([sizeBytes]);
		await engine.forget(again);
	});
});

it('runs four downloads at once, and no more', async () => {
	const input = await tasks({ content: { delayMs: 250 } }, 14);
	const { requests } = stage.sandbox;
	let most = 0;
	requests.push = (...records: RequestRecord[]) => {
		const unsent = contents().filter(({ sentBytes }) => sentBytes < SIZE);
		most = Math.max(most, unsent.length + records.length);
		return Array.prototype.push.apply(requests, records);
	};
	const result = await download(input);
	requests.push = Array.prototype.push;
	expect(result.outputs()[0].map(({ json }) => json.task_id)).toEqual(
		input.map(({ task_id }) => task_id),
	);
	expect(stage.engine.storedSizes(result)).toEqual(input.map(() => SIZE));
	expect(most).toBe(4);
});
