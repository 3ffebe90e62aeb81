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

/** The first shot of a film has a picture. */
const films = (...shots: Array<[film: string, plan?: Plan]>): INodeExecutionData[] =>
	shots.map(([film, plan = {}], n) => ({
		json: { film, prompt: planned(`${film} ${n}`, plan) },
		...(shots.findIndex(([one]) => one === film) === n && { binary: HERO }),
	}));
const run = async (
	items: INodeExecutionData[],
	parameters: IDataObject = {},
	settings: IDataObject = {},
) => {
	const model = byId(SEEDANCE[0]);
	const options = { chainShots: true, groupBy: 'film' };
	const all = { model, imageSource: 'binary', options, ...parameters };
	return await stage.run(videoGenerate(all, settings), items);
};
/** The beginnings of the prompts that were submitted. */
const submitted = () => stage.sandbox.submissions().map(({ body }) => body!.prompt!.slice(0, 5));
const fieldsOf = (result: RunResult, field: string) =>
	result.outputs()[0].map(({ json }) => json[field]);
const SUCCESSES = Array<string>(6).fill('SUCCESS');

it('two films of three shots: each begins with its picture, and goes on where it ended', async () => {
	const items = films(['red'], ['sea'], ['red'], ['sea'], ['red'], ['sea']);
	const result = await run(items);
	expect(fieldsOf(result, 'status')).toEqual(SUCCESSES);
	// So Video Join can group by the same field.
	expect(fieldsOf(result, 'film')).toEqual(items.map(({ json }) => json.film));
	const begins = new Map(
		stage.sandbox
			.submissions()
			.map(({ body }) => [body!.prompt!.slice(0, 5), (body!.images as string[])[0]]),
	);
	const picture = `data:image/png;base64,${PNG}`;
	expect(items.map(({ json }) => begins.get(String(json.prompt).slice(0, 5)))).toEqual([
		...[picture, picture, ...fieldsOf(result, 'last_frame_url').slice(0, 4)],
	]);
});

it('Seedance 2.5, which refuses a ratio beside a frame, gets it for the first shot alone', async () => {
	const items = films(['red'], ['red']).map(({ json }) => ({ json }));
	const shape = { imageSource: 'none', aspectRatio: '9:16' };
	await run(items, { model: byId(SEEDANCE[1]), ...shape });
	expect(stage.sandbox.submissions().map(({ body }) => body!.metadata)).toEqual([
		{ ratio: '9:16', return_last_frame: true },
		{ return_last_frame: true },
	]);
});

it('references, which all items have, count for the first shot of a film', async () => {
	const rows = [{ role: 'reference', imageSource: 'url', image: 'https://example.com/hero.png' }];
	const options = { chainShots: true, groupBy: 'film', images: { image: rows } };
	const result = await run(
		films(['red'], ['red']).map(({ json }) => ({ json })),
		{
			...{ imageSource: 'none', options },
		},
	);
	expect(fieldsOf(result, 'status')).toEqual(['SUCCESS', 'SUCCESS']);
	const [first, second] = stage.sandbox.submissions().map(({ body }) => body!);
	expect(JSON.stringify(first)).toContain('hero.png');
	expect(JSON.stringify(second)).not.toContain('hero.png');
	expect(second.images).toEqual([fieldsOf(result, 'last_frame_url')[0]]);
});

it('"Retry execution" pays for the rest of a film that failed at its third shot', async () => {
	const refused = { submit: ['forbidden', 'ok'] } as Plan;
	const failed = await run(films(['red'], ['red'], ['red', refused], ['red']));
	const last = await stage.engine.retry(failed);
	expect(fieldsOf(last, 'status')).toEqual(SUCCESSES.slice(2));
	expect(submitted()).toEqual([0, 1, 2, 2, 3].map((n) => `red ${n}`));
	expect(stage.sandbox.tasks()).toHaveLength(4);
});

it('a download does not hold up the next shot', async () => {
	const again = { content: ['rateLimited', 'ok'] } as Plan;
	await run(films(['red', again], ['red']), { downloadVideo: true });
	const path = `/v1/videos/${stage.sandbox.tasks()[0].task_id}/content`;
	const { requests } = stage.sandbox;
	const downloaded = requests.find((one) => one.path === path && one.status === 200);
	expect(stage.sandbox.submissions()[1].n).toBeLessThan(downloaded!.n);
});

it('each shot says its place in its film, and so do a failing one and what follows it', async () => {
	const items = films(
		['red'],
		['sea'],
		['red', { submit: 'chineseMessage' }],
		['sea'],
		[' '],
		['red'],
	);
	const [shots, failed] = (await run(items, {}, { onError: 'continueErrorOutput' })).outputs();
	const placesOf = (all: IDataObject[]) =>
		all.map((one) => `${one.shot_number as number} of ${one.shot_count as number}`);
	expect(placesOf(shots.map(({ json }) => json))).toEqual(['1 of 3', '1 of 2', '2 of 2']);
	const errors = failed.map(({ json }) => json.error as IDataObject);
	// An item whose film cannot be read fails by itself.
	expect(placesOf(errors)).toEqual(['2 of 3', 'undefined of undefined', '3 of 3']);
	expect(errors[1].message).toMatch(/no text or number in the field "film" \[item 4\]/);
	const place = { shot_number: 2, shot_count: 2 };
	for (const next of [videoStatus(), videoDownload()]) {
		const { task_id } = shots[2].json;
		const [[{ json }]] = (await stage.run(next, [shots[2]])).outputs();
		expect(json).toMatchObject({ task_id, ...place });
	}
});
