import type { IDataObject } from 'n8n-workflow';

import { until } from '../../support/clock';
import { type BinaryMode } from '../../support/engine';
import { CONTINUE } from '../../support/stage';
import { watchMemory } from '../videoDownload/support/memory';
import { deviations } from '../allNodes/support/outputSchema';
import { hasFfmpeg, makeClip, readWithMp4Box } from './support/clips';
import { join, joining, itemOf, stage, useEngine, videoJoin } from './support/stage';

// What a workflow gets of Video Join: items, files, and what happens when a clip does not fit.

useEngine();

const MODES: BinaryMode[] = ['default', 'filesystem', 'database'];
const one = () => makeClip();
const other = () => makeClip({ seconds: 0.6 });
const large = () => makeClip({ size: '320x240' });

const withFfmpeg = hasFfmpeg ? describe : describe.skip;

withFfmpeg('with ffmpeg', () => {
	it.each(MODES)('makes one film of all items, with files in %s', async (binaryMode) => {
		const items = [itemOf(one(), {}, 'a.mp4'), itemOf(other(), {}, 'b.mp4')];
		const result = await join(items, videoJoin({ fileName: 'my/film' }), binaryMode);
		expect(result.status).toBe('success');
		const output = result.outputs()[0];
		expect(output).toHaveLength(1);
		const [{ json, binary, pairedItem }] = output;
		expect(deviations('VideoJoin', json)).toEqual([]);
		const film = await stage.engine.readBinary(binary!.data);
		expect(json).toEqual({
			clips: [
				{ file_name: 'a.mp4', start_seconds: 0, duration_seconds: 1, item: 0 },
				{ file_name: 'b.mp4', start_seconds: 1, duration_seconds: 0.6, item: 1 },
			],
			duration_seconds: 1.6,
			...{ width: 160, height: 120 },
			...{ file_name: 'my_film.mp4', mime_type: 'video/mp4', size_bytes: film.length },
		});
		expect(binary!.data).toMatchObject({ fileName: 'my_film.mp4', mimeType: 'video/mp4' });
		expect(pairedItem).toEqual([{ item: 0 }, { item: 1 }]);
		expect((await readWithMp4Box(film)).seconds).toBe(1.6);
	});

	const ROWS: IDataObject[] = [
		{ film: 'cats', scene: { shot: 10 } },
		{ film: 7, scene: { shot: 'shot 2' } },
		{ film: 'cats', scene: { shot: 9 } },
		{ film: 7, scene: { shot: 'shot 10' } },
		{ film: 7, scene: { shot: 'shot 1' } },
	];
	const rows = (clips: Array<() => Buffer> = []) =>
		ROWS.map((json, i) => itemOf((clips[i] ?? one)(), json));
	const grouped = { groupBy: 'film' };

	it('makes a film for each value of Group By, in the order of the items', async () => {
		const options = { ...grouped, binaryProperty: 'film', link: 2 };
		const { outputs } = await join(rows(), videoJoin({ fileName: '', options }));
		expect(deviations('VideoJoin', outputs()[0][0].json, ['film', 'scene'])).toEqual([]);
		const films = outputs()[0].map(({ json, binary, pairedItem }) => ({
			film: json.film,
			file: json.file_name,
			order: (json.clips as IDataObject[]).map(({ item }) => item),
			first: json.scene,
			isLinked: typeof json.link,
			binary: Object.keys(binary!),
			pairedItem,
		}));
		expect(films).toEqual([
			{
				...{ film: 'cats', file: 'cats.mp4', order: [0, 2], first: ROWS[0].scene },
				...{ isLinked: 'string', binary: ['film'], pairedItem: [{ item: 0 }, { item: 2 }] },
			},
			{
				...{ film: 7, file: '7.mp4', order: [1, 3, 4], first: ROWS[1].scene },
				...{ isLinked: 'string', binary: ['film'] },
				pairedItem: [{ item: 1 }, { item: 3 }, { item: 4 }],
			},
		]);
	});

	it('stops before anything is stored, if any film has a clip that does not fit', async () => {
		const result = await join(rows([one, one, one, large]), videoJoin({ options: grouped }));
		expect(result.error?.message).toBe(
			'Clip 2 (a.mp4) has 320 x 240 pixels, but clip 1 (a.mp4) has 160 x 120 pixels [item 3]',
		);
		// The five clips alone.
		expect(stage.engine.storedSizes(result)).toHaveLength(5);
	});

	it('makes the other films under Continue', async () => {
		const node = videoJoin({ options: grouped }, CONTINUE);
		const { outputs, status } = await join(rows([one, one, one, large]), node);
		expect(status).toBe('success');
		const [cats, failing] = outputs()[0];
		expect(cats.json).toMatchObject({ duration_seconds: 2 });
		expect(failing.json).toMatchObject({ ...ROWS[3], error: {} });
		expect(failing.json.error).toMatchObject({
			message: expect.stringMatching(/^Clip 2 \(a\.mp4\) has .* \[item 3\]$/),
			...{ item_index: 3, retryable: false, next: 'changeRequest' },
		});
		expect(failing.pairedItem).toEqual([{ item: 1 }, { item: 3 }, { item: 4 }]);
	});

	const failed = { error: { message: 'The render failed' } };
	const NO_CLIP = 'The item has no clip, because it failed';
	const noField = (name: string) => `The item has no text or number in the field "${name}"`;
	const TASK = { task_id: 'task_1', status: 'queued' };
	const MISSING: Array<[string, IDataObject, IDataObject, string]> = [
		['without a file', {}, {}, 'The item has no binary field "data"'],
		['that failed before', failed, {}, NO_CLIP],
		['that is a task', TASK, {}, 'The item has no binary field "data"'],
		['that failed before and has no group', failed, { groupBy: 'a' }, NO_CLIP],
		['whose group is blank', { a: ' ' }, { groupBy: 'a' }, noField('a')],
		['whose group is a list', { a: [] }, { groupBy: 'a' }, noField('a')],
	];

	it.each(MISSING)(
		'makes no film with a gap: an item %s',
		async (_what, json, options, message) => {
			const [first, last] = [1, 3].map((place) => itemOf(one(), { place, a: 'x' }));
			const node = videoJoin({ options }, CONTINUE);
			const result = await join([first, itemOf(undefined, json), last], node);
			const errors = result.outputs()[0].map((item) => item.json.error as IDataObject | undefined);
			expect(errors.at(-1)?.message).toContain(message);
			// Only where nobody knows its film, the others are one.
			expect(errors).toHaveLength('groupBy' in options ? 2 : 1);
		},
	);

	it('refuses an expression in Group By that gives nothing', async () => {
		const node = videoJoin({ options: { groupBy: '={{ $json.nope }}' } });
		const items = ['x', 'y'].map((film) => itemOf(one(), { film }));
		expect((await join(items, node)).error?.message).toBe('Group By is empty [item 0]');
	});

	const shot = (shot_number: number, shot_count: number, film = 'red') =>
		itemOf(one(), { film, shot_number, shot_count });
	const ROWS_OF_SHOTS: Array<[string, Array<ReturnType<typeof shot>>, string]> = [
		['its second', [shot(1, 3), shot(3, 3)], 'shot 2 of 3'],
		['all but its first', [shot(1, 4)], 'shots 2, 3, 4 of 4'],
		['two lasts', [shot(1, 2), shot(1, 3), shot(2, 3)], 'shot 2 of 2 and shot 3 of 3'],
		['one that another film has', [shot(1, 2), shot(2, 2), shot(1, 2)], 'shot 2 of 2'],
	];

	it.each(ROWS_OF_SHOTS)('refuses a film without %s', async (_what, items, missing) => {
		const { error } = await join(items);
		expect(error?.message).toBe(`The film lacks ${missing} [item 0]`);
		expect(error?.description).toMatch('turn on Allow Missing Shots');
		const result = await join(items, videoJoin({ options: { allowMissingShots: true } }));
		expect(result.outputs()[0]).toHaveLength(1);
		const hints = result.hints().map((hint) => hint.message);
		expect(hints).toEqual([`A film was joined without ${missing}.`]);
	});

	it('refuses one of two films, and joins whole ones in any order', async () => {
		const items = [shot(2, 2), shot(1, 2, 'sea'), shot(1, 2), itemOf(one(), { film: 'red' })];
		const { outputs } = await join(items, videoJoin({ options: { groupBy: 'film' } }, CONTINUE));
		const [red, sea] = outputs()[0].map(({ json }) => json);
		expect(red.clips).toHaveLength(3);
		expect((sea.error as IDataObject).message).toBe('The film lacks shot 2 of 2 [item 1]');
	});

	it('with Allow Missing Shots, joins what did not fail', async () => {
		const error = { message: 'No', item_index: 1, next: 'retry' };
		// At an error output, a failed item keeps the picture that it came with.
		const items = [shot(1, 2), itemOf(one(), { film: 'red', error }), itemOf(undefined, { error })];
		const refused = await join(items);
		expect(refused.error?.message).toMatch(
			/^The item has no clip, because it failed .*\[item 1\]$/,
		);
		const options = { allowMissingShots: true, groupBy: 'film' };
		const { outputs, status } = await join(items, videoJoin({ options }));
		expect(status).toBe('success');
		const [film, ...failed] = outputs()[0].map(({ json }) => json);
		expect(film.clips).toHaveLength(1);
		expect(failed).toEqual([{ film: 'red', error }, { error }]);
	});

	it('tells of further videos in an item, and takes a blank behind a group for none', async () => {
		const [red, again] = ['red', 'red '].map((film) => itemOf(one(), { film }));
		Object.assign(red.binary!, { data_1: red.binary!.data });
		const result = await join([red, again], videoJoin({ options: { groupBy: 'film' } }));
		expect(result.outputs()[0]).toHaveLength(1);
		expect(result.hints()).toEqual([
			expect.objectContaining({
				message: expect.stringMatching(
					/^Of several videos in an item, one is joined: \[item 0\]\. /,
				),
			}),
		]);
	});

	/** A second of noise, which takes some megabytes. */
	const noise = () =>
		makeClip({
			size: '640x480',
			args: ['-vf', 'geq=random(1)*255:128:128', '-crf', '1', '-preset', 'ultrafast'],
		});
	const CLIPS = 30;
	const noisy = () => Array.from({ length: CLIPS }, () => itemOf(noise()));

	it('leaves no half of a film when it is stopped', async () => {
		const execution = stage.engine.start(joining(noisy()));
		const [before, wanted] = [stage.engine.storedSizes().length, CLIPS + 1];
		await until(() => stage.engine.storedSizes().length >= before + wanted);
		await execution.stop();
		const result = await execution.done;
		expect([result.status, result.outputs()[0] ?? []]).toEqual(['canceled', []]);
		expect(stage.engine.storedSizes(result)).toHaveLength(CLIPS);
		await stage.engine.forget(result);
	});

	it('holds no more of a film than a few pieces', async () => {
		const items = noisy();
		const memory = watchMemory();
		const result = await join(items);
		expect(result.outputs()[0][0].json.size_bytes).toBeGreaterThan(100e6);
		// V8 lets 64 MiB of garbage come together outside of its heap.
		expect(memory.grownBytes()).toBeLessThan(80 * 2 ** 20);
		await stage.engine.forget(result);
	});

	it('has one failure and no half of a film if the storage fails half-way', async () => {
		const execution = stage.engine.start(joining(noisy(), videoJoin({}, CONTINUE)));
		// Larger than a clip, and not the whole film yet.
		await until(() => stage.engine.storedSizes().some((size) => size > 20e6));
		stage.engine.loseStorage();
		const result = await execution.done;
		const [[{ json, binary }, ...others]] = result.outputs();
		const { message, next } = json.error as IDataObject;
		expect([message, next]).toEqual(['n8n could not store the film [item 0]', 'changeRequest']);
		expect([binary, others]).toEqual([undefined, []]);
		expect(stage.engine.storedSizes(result)).toEqual([]);
	});
});
