import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import type { RunResult } from '../../support/engine';
import {
	byId,
	planned,
	useStage,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../../support/stage';

// Chain Shots: the shots of a film one after the other, films side by side, each shot paid for once.

const SEEDANCE = ['doubao-seedance-1-5-pro-251215', 'doubao-seedance-2-5-260628'];
const stage = useStage({ models: { video: SEEDANCE, text: [] } });
const PNG =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const HERO = { data: { mimeType: 'image/png', data: PNG } };

const films = (...shots: Array<[film: string, plan?: Plan]>): INodeExecutionData[] => {
	const begun = new Set<string>();
	return shots.map(([film, plan = {}], n) => {
		const json = { film, prompt: planned(`${film} ${n}`, plan) };
		const isFirst = !begun.has(film);
		begun.add(film);
		return { json, ...(isFirst && { binary: HERO }) };
	});
};
const node = (parameters: IDataObject = {}, settings: IDataObject = {}) => {
	const model = byId(SEEDANCE[0]);
	const options = { film: { chainShots: true, groupBy: 'film' } };
	return videoGenerate({ model, imageSource: 'binary', options, ...parameters }, settings);
};
const run = async (items: INodeExecutionData[], ...set: Parameters<typeof node>) =>
	await stage.run(node(...set), items);
/** The beginnings of the prompts that were submitted. */
const submitted = () => stage.sandbox.submissions().map(({ body }) => body!.prompt!.slice(0, 5));
const statesOf = (result: RunResult) =>
	result
		.outputs()[0]
		.map(({ json: { status, error } }) => status ?? (error as IDataObject).message);

it('two films of three shots: each begins with its picture, and goes on where it ended', async () => {
	const items = films(['red'], ['sea'], ['red'], ['sea'], ['red'], ['sea']);
	const result = await run(items);
	expect(statesOf(result)).toEqual(Array(6).fill('SUCCESS'));
	// So Video Join can group by the same field.
	expect(result.outputs()[0].map(({ json }) => json.film)).toEqual(
		items.map(({ json }) => json.film),
	);
	const frames = result.outputs()[0].map(({ json }) => json.last_frame_url);
	const images = new Map(
		stage.sandbox
			.submissions()
			.map(({ body }) => [body!.prompt!.slice(0, 5), (body!.images as string[])[0]]),
	);
	expect(images.get('red 0')).toBe(`data:image/png;base64,${PNG}`);
	expect(items.slice(2).map(({ json }) => images.get(String(json.prompt).slice(0, 5)))).toEqual(
		frames.slice(0, 4),
	);
});

it('Seedance 2.5, which refuses a ratio beside a frame, gets it for the first shot alone', async () => {
	const items = films(['red'], ['red']).map(({ json }) => ({ json }));
	const result = await run(items, {
		model: byId(SEEDANCE[1]),
		...{ imageSource: 'none', aspectRatio: '9:16' },
	});
	expect(statesOf(result)).toEqual(['SUCCESS', 'SUCCESS']);
	expect(stage.sandbox.submissions().map(({ body }) => body!.metadata)).toEqual([
		{ ratio: '9:16', return_last_frame: true },
		{ return_last_frame: true },
	]);
});

describe.each([
	['Retry On Fail', { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }],
	['"Retry execution"', {}],
])('%s', (_what, settings) => {
	it('pays for the rest of a film of six that failed at its fourth shot', async () => {
		const refused = { submit: ['forbidden', 'ok'] } as Plan;
		const items = films(['red'], ['red'], ['red'], ['red', refused], ['red'], ['red']);
		const failed = await run(items, {}, settings);
		const first = ['red 0', 'red 1', 'red 2', 'red 3'];
		if (failed.status === 'error') {
			expect(submitted()).toEqual(first);
			expect(statesOf(await stage.engine.retry(failed))).toEqual(Array(6).fill('SUCCESS'));
		}
		expect(submitted()).toEqual([...first, 'red 3', 'red 4', 'red 5']);
		expect(stage.sandbox.tasks()).toHaveLength(6);
	});
});

it('mended in the saved workflow, pays for what is not ready alone', async () => {
	const bad = { outcome: 'FAILURE', renderMs: 0 } as Plan;
	const items = films(['red'], ['sea'], ['red', bad], ['red'], ['sea']);
	const failed = await run(items);
	expect(failed.error?.description).toMatch(/Retry execution submits this video anew/);
	expect(submitted()).not.toContain('red 3');
	const mended = node({ prompt: '={{ $json.prompt.replace("FAILURE", "SUCCESS") }}' });
	const retried = await stage.engine.retry(failed, {
		node: mended,
		credentials: stage.credentials,
	});
	expect(statesOf(retried)).toEqual(Array(5).fill('SUCCESS'));
	expect(submitted().sort()).toEqual(['red 0', 'red 2', 'red 2', 'red 3', 'sea 1', 'sea 4']);
});

it('a download does not hold up the next shot', async () => {
	const again = { content: ['rateLimited', 'ok'] } as Plan;
	await run(films(['red', again], ['red']), { downloadVideo: true });
	const [{ task_id }] = stage.sandbox.tasks();
	const isFirst = ({ path }: { path: string }) => path === `/v1/videos/${task_id}/content`;
	const { requests } = stage.sandbox;
	const downloaded = requests.find((one) => isFirst(one) && one.status === 200);
	expect(stage.sandbox.submissions()[1].n).toBeLessThan(downloaded!.n);
});

it('each shot says its place in its film, and so does a failing one', async () => {
	const items = films(['red'], ['sea'], ['red', { submit: 'forbidden' }], ['sea'], ['red']);
	const [shots, failed] = (await run(items, {}, { onError: 'continueErrorOutput' })).outputs();
	const placesOf = (all: IDataObject[]) => all.map((one) => [one.shot_number, one.shot_count]);
	const ofSea = [
		[1, 2],
		[2, 2],
	];
	expect(placesOf(shots.map(({ json }) => json))).toEqual([[1, 3], ...ofSea]);
	const errors = failed.map(({ json }) => json.error as IDataObject);
	expect(placesOf(errors)).toEqual([
		[2, 3],
		[3, 3],
	]);
	const [film] = failed.map(({ json }) => json.film);
	expect(film).toBe('red');
});

it('what follows a shot by its task keeps its place', async () => {
	const [shots] = (await run(films(['red'], ['red']))).outputs();
	const place = { shot_number: 2, shot_count: 2 };
	for (const next of [videoStatus(), videoDownload()]) {
		const [[item]] = (await stage.run(next, [shots[1]])).outputs();
		expect(item.json).toMatchObject(place);
		const { task_id } = shots[1].json;
		const failed = { task_id: 'draft', error: { task_id, next: 'followTask', ...place } };
		const [[followed]] = (await stage.run(next, [{ json: failed }])).outputs();
		expect(followed.json).toMatchObject({ task_id, ...place });
	}
});

it('an item whose film cannot be read fails by itself', async () => {
	const items = films(['red'], [' '], ['red']);
	const result = await run(items, {}, { onError: 'continueErrorOutput' });
	expect(submitted()).toEqual(['red 0', 'red 2']);
	const [shots, failed] = result.outputs();
	expect(shots.map(({ json }) => json.shot_count)).toEqual([2, 2]);
	const { message } = failed[0].json.error as IDataObject;
	expect(message).toBe('The item has no text or number in the field "film" [item 1]');
});

it('a shot that is paid for is followed, though its picture is lost and its prompt has a gap', async () => {
	const { credentials, engine, sandbox } = stage;
	const { executionId } = await run([{ json: { prompt: 'x' } }]);
	const isNext = `$execution.id == ${Number(executionId) + 1}`;
	const failed = await run(films(['red', { poll: Array(5).fill('unauthorized') }]), {
		prompt: `={{ $json.prompt }} {{ ${isNext} ? 'slow' : undefined }}`,
		imageBinaryProperty: `={{ ${isNext} ? 'data' : 'lost' }}`,
	});
	expect([failed.status, failed.executionId]).toEqual(['error', `${Number(executionId) + 1}`]);
	const retried = await engine.retry(failed, { credentials });
	expect(retried.outputs()[0]).toMatchObject([{ json: { status: 'SUCCESS', reused: true } }]);
	expect(sandbox.submissions()).toHaveLength(1);
});
