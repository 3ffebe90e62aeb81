import type { IDataObject } from 'n8n-workflow';

import { until } from '../../support/clock';
import { type BinaryMode } from '../../support/engine';
import { CONTINUE } from '../../support/stage';
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
		const [[{ json, binary, pairedItem }, ...others]] = result.outputs();
		expect(others).toEqual([]);
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

	const ROWS: IDataObject[] = ['cats', 7, 'cats', 7].map((film, i) => ({ film, scene: { i } }));
	const rows = (clips: Array<() => Buffer> = []) =>
		ROWS.map((json, i) => itemOf((clips[i] ?? one)(), json));
	const grouped = { groupBy: 'film' };

	it('makes a film for each value of Group By, in the order of the items', async () => {
		const options = { ...grouped, binaryProperty: 'film', link: 2 };
		const { outputs } = await join(rows(), videoJoin({ fileName: '', options }));
		const films = outputs()[0].map(({ json, binary, pairedItem }) => ({
			file: json.file_name,
			order: (json.clips as IDataObject[]).map(({ item }) => item),
			carried: [json.film, json.scene],
			isLinked: 'link' in json,
			binary: Object.keys(binary!),
			pairedItem,
		}));
		const made = { isLinked: true, binary: ['film'] };
		expect(films).toEqual([
			{
				...{ ...made, file: 'cats.mp4', order: [0, 2], carried: ['cats', { i: 0 }] },
				pairedItem: [{ item: 0 }, { item: 2 }],
			},
			{
				...{ ...made, file: '7.mp4', order: [1, 3], carried: [7, { i: 1 }] },
				pairedItem: [{ item: 1 }, { item: 3 }],
			},
		]);
	});

	const UNFIT = 'Clip 2 (a.mp4) has 320 x 240 pixels, but clip 1 (a.mp4) has 160 x 120 pixels';

	it('stops before anything is stored, if any film has a clip that does not fit', async () => {
		const result = await join(rows([one, one, one, large]), videoJoin({ options: grouped }));
		expect(result.error?.message).toBe(`${UNFIT} [item 3]`);
		// The clips alone.
		expect(stage.engine.storedSizes(result)).toHaveLength(ROWS.length);
	});

	it('makes the other films under Continue', async () => {
		const node = videoJoin({ options: grouped }, CONTINUE);
		const { outputs } = await join(rows([one, one, one, large]), node);
		const [cats, failing] = outputs()[0];
		expect(cats.json).toMatchObject({ duration_seconds: 2 });
		expect(failing).toMatchObject({
			json: {
				...ROWS[3],
				error: { message: `${UNFIT} [item 3]`, retryable: false, next: 'changeRequest' },
			},
			pairedItem: [{ item: 1 }, { item: 3 }],
		});
	});

	const failed = { error: { message: 'The render failed' } };
	const NO_CLIP = 'The item has no clip, because it failed';

	it.each<[string, IDataObject, IDataObject, string]>([
		['without a file', {}, {}, 'The item has no binary field "data"'],
		['that failed before', failed, {}, NO_CLIP],
		['that failed before and has no group', failed, { groupBy: 'a' }, NO_CLIP],
		['whose group is a list', { a: [] }, { groupBy: 'a' }, 'no text or number in the field "a"'],
	])('makes no film with a gap: an item %s', async (_what, json, options, message) => {
		const [first, last] = [1, 3].map((place) => itemOf(one(), { place, a: 'x' }));
		const node = videoJoin({ options }, CONTINUE);
		const result = await join([first, itemOf(undefined, json), last], node);
		const errors = result.outputs()[0].map((item) => item.json.error as IDataObject | undefined);
		expect(errors.at(-1)?.message).toContain(message);
		// Only where nobody knows its film, the others are one.
		expect(errors).toHaveLength('groupBy' in options ? 2 : 1);
	});

	it('tells of further videos in an item, and takes a blank behind a group for none', async () => {
		const [red, again] = ['red', 'red '].map((film) => itemOf(one(), { film }));
		Object.assign(red.binary!, { data_1: red.binary!.data });
		const result = await join([red, again], videoJoin({ options: grouped }));
		expect(result.outputs()[0]).toHaveLength(1);
		const message = expect.stringMatching(/^Of several videos in an item, one is joined: \[item 0/);
		expect(result.hints()).toMatchObject([{ message }]);
	});

	/** Clips of a second of noise, which take some megabytes each. */
	const noisy = () => {
		const args = ['-vf', 'geq=random(1)*255:128:128', '-crf', '1', '-preset', 'ultrafast'];
		return Array.from({ length: 20 }, () => itemOf(makeClip({ size: '640x480', args })));
	};

	it('leaves no half of a film when it is stopped', async () => {
		const items = noisy();
		const execution = stage.engine.start(joining(items));
		const wanted = stage.engine.storedSizes().length + items.length + 1;
		await until(() => stage.engine.storedSizes().length >= wanted);
		await execution.stop();
		const result = await execution.done;
		expect([result.status, result.outputs()[0] ?? []]).toEqual(['canceled', []]);
		expect(stage.engine.storedSizes(result)).toHaveLength(items.length);
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
