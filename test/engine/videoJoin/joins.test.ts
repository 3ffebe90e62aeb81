import type { IDataObject } from 'n8n-workflow';

import type { BinaryMode } from '../../support/engine';
import {
	byId,
	CONTINUE,
	inARow,
	plannedRows,
	useStage,
	videoDownload,
	videoGenerate,
} from '../../support/stage';
import { withEmptyFrames } from '../../nodes/VideoJoin/film/support/fragments';
import { deviations } from '../allNodes/support/outputSchema';
import { clipOf, itemOf, join, joinToFilm, stage, useEngine, videoJoin } from './support/stage';

// What a workflow gets of Video Join: items, files, and what happens when a clip does not fit.

useEngine();
const service = useStage();

const CLIP = clipOf('landscape');
const OTHER = clipOf('portrait');
const item = (json: IDataObject) => itemOf(CLIP, json);
const jsonOf = ({ outputs }: Awaited<ReturnType<typeof join>>) =>
	outputs()[0].map(({ json }) => json);

it.each<BinaryMode>(['default', 'filesystem', 'database'])(
	'makes one film of all items, with files in %s',
	async (binaryMode) => {
		const items = [itemOf(CLIP, {}, 'a.mp4'), itemOf(CLIP, {}, 'b.mp4')];
		const result = await join(items, videoJoin({ fileName: 'my/film' }), binaryMode);
		const [[{ json, binary, pairedItem }, ...others]] = result.outputs();
		expect(others).toEqual([]);
		expect(deviations('VideoJoin', json)).toEqual([]);
		const film = await stage.engine.readBinary(binary!.data);
		expect(json).toEqual({
			clips: [
				{ file_name: 'a.mp4', start_seconds: 0, duration_seconds: 2.5, item: 0 },
				{ file_name: 'b.mp4', start_seconds: 2.5, duration_seconds: 2.5, item: 1 },
			],
			...{ duration_seconds: 5, width: 640, height: 360 },
			...{ file_name: 'my_film.mp4', mime_type: 'video/mp4', size_bytes: film.length },
		});
		expect(binary!.data).toMatchObject({ fileName: 'my_film.mp4', mimeType: 'video/mp4' });
		expect(pairedItem).toEqual([{ item: 0 }, { item: 1 }]);
	},
);

it.each([
	['keep', true],
	['remove', false],
])('with Sound: %s, a film has a track of sound: %p', async (sound, isThere) => {
	const film = await joinToFilm([CLIP, CLIP], { options: { sound } });
	expect(film.includes('soun')).toBe(isThere);
});

it('counts the frames of all films of an execution', async () => {
	const large = withEmptyFrames(CLIP, 499_000);
	const items = ['a', 'b', 'c'].map((film) => itemOf(large, { film }));
	const result = await join(items, videoJoin({ options: { groupBy: 'film' } }, CONTINUE));
	const errors = jsonOf(result).map(({ error }) => (error as IDataObject | undefined)?.message);
	expect(errors).toEqual([
		...[undefined, undefined],
		expect.stringMatching(/there are more than 1000000 frames \[item 2\]$/),
	]);
});

const ROWS: IDataObject[] = ['cats', 7, 'cats', 7].map((film, i) => ({
	...{ film, scene: { i }, look: { of: film } },
	...(i < 2 && { title: 'One' }),
}));
const GROUPED = { groupBy: 'film' };

it('makes a film for each value of Group By, in the order of the items', async () => {
	const options = { ...GROUPED, binaryProperty: 'film', link: 2 };
	const { outputs } = await join(ROWS.map(item), videoJoin({ fileName: '', options }));
	const films = outputs()[0].map(({ json, binary, pairedItem }) => ({
		file: json.file_name,
		order: (json.clips as IDataObject[]).map((clip) => clip.item),
		carried: [json.film, json.look, json.title, json.scene],
		isLinked: 'link' in json,
		binary: Object.keys(binary!),
		pairedItem,
	}));
	const made = { isLinked: true, binary: ['film'] };
	expect(films).toEqual([
		{
			...{
				...made,
				file: 'cats.mp4',
				order: [0, 2],
				carried: ['cats', { of: 'cats' }, 'One', undefined],
			},
			pairedItem: [{ item: 0 }, { item: 2 }],
		},
		{
			...{ ...made, file: '7.mp4', order: [1, 3], carried: [7, { of: 7 }, 'One', undefined] },
			pairedItem: [{ item: 1 }, { item: 3 }],
		},
	]);
});

it('stops before anything is stored, or under Continue makes the other films', async () => {
	const items = [...ROWS.slice(0, 3).map(item), itemOf(OTHER, ROWS[3])];
	const message =
		'Clip 2 (a.mp4) has 360 x 640 pixels, but clip 1 (a.mp4) has 640 x 360 pixels [item 3]';
	const stopped = await join(items, videoJoin({ options: GROUPED }));
	expect(stopped.error?.message).toBe(message);
	// The clips alone.
	expect(stage.engine.storedSizes(stopped)).toHaveLength(items.length);
	const { outputs } = await join(items, videoJoin({ options: GROUPED }, CONTINUE));
	expect(outputs()[0]).toMatchObject([
		{ json: { film: 'cats', duration_seconds: 5 } },
		{
			json: { ...ROWS[3], error: { message, retryable: false, next: 'changeRequest' } },
			pairedItem: [{ item: 1 }, { item: 3 }],
		},
	]);
});

const failed = { error: { message: 'The render failed' } };
const NO_CLIP = 'The item has no clip, because it failed';

it.each<[string, IDataObject, IDataObject, string]>([
	['without a file', {}, {}, 'The item has no binary field "data"'],
	['that failed before', failed, {}, NO_CLIP],
	['that failed before and has no group', failed, { groupBy: 'a' }, NO_CLIP],
	['whose group is a list', { a: [] }, { groupBy: 'a' }, 'no text or number in the field "a"'],
])('makes no film with a gap: an item %s', async (_what, json, options, message) => {
	const [first, last] = [1, 3].map((place) => item({ place, a: 'x' }));
	const node = videoJoin({ options }, CONTINUE);
	const films = jsonOf(await join([first, itemOf(undefined, json), last], node));
	expect((films.at(-1)!.error as IDataObject).message).toContain(message);
	// Only where nobody knows its film, the others are one.
	expect(films).toHaveLength('groupBy' in options ? 2 : 1);
});

it('tells of further videos in an item, and takes a blank behind a group for none', async () => {
	const [red, again] = ['red', 'red '].map((film) => item({ film }));
	Object.assign(red.binary!, { data_1: red.binary!.data });
	const result = await join([red, again], videoJoin({ options: GROUPED }));
	expect(result.outputs()[0]).toHaveLength(1);
	const message = expect.stringMatching(
		/^Of several videos and sounds in an item, one is taken: \[item 0/,
	);
	expect(result.hints()).toMatchObject([{ message }]);
});

describe('a film of chained shots', () => {
	const shot = (shot_number: number, shot_count: number) =>
		item({ film: 'red', shot_number, shot_count });

	const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

	it.each<[string, Array<ReturnType<typeof shot>>, string]>([
		['all but its first', [shot(1, 4)], 'shots 2, 3, 4 of 4'],
		['two lasts', [shot(1, 2), shot(1, 3), shot(2, 3)], 'shot 2 of 2 and shot 3 of 3'],
		['a billion', [shot(3, 1e9)], `shots 1, 2, ${upTo(21).slice(3).join(', ')}, ... of 1000000000`],
		['one that another film has', [shot(2, 2), shot(1, 2), shot(1, 2)], 'shot 2 of 2'],
	])('is refused without %s, unless Allow Missing Shots is on', async (_what, items, missing) => {
		expect((await join(items)).error?.message).toBe(`The film lacks ${missing} [item 0]`);
		const result = await join(items, videoJoin({ options: { allowMissingShots: true } }));
		expect(result.outputs()[0]).toHaveLength(1);
		const hints = result.hints().map((hint) => hint.message);
		expect(hints).toEqual([`A film was joined without ${missing}.`]);
	});

	it('is, with Allow Missing Shots, made of what did not fail', async () => {
		const error = { message: 'No', item_index: 1, next: 'retry' };
		// At an error output, a failed item keeps the picture that it came with.
		const items = [shot(1, 2), item({ film: 'red', error }), itemOf(undefined, { error })];
		expect((await join(items)).error?.message).toMatch(/no clip, because it failed .*\[item 1\]$/);
		const options = { allowMissingShots: true, ...GROUPED };
		const [film, ...others] = jsonOf(await join(items, videoJoin({ options })));
		expect(film.clips).toHaveLength(1);
		expect(others).toEqual([{ film: 'red', error }, { error }]);
	});

	it('is not made of the first alone, where Video Generate has lost the others', async () => {
		const chained = {
			model: byId('doubao-seedance-1-5-pro-251215'),
			options: { chainShots: true },
		};
		const result = await service.engine.run({
			...inARow(
				{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
				{ ...videoGenerate(chained, { onError: 'continueErrorOutput' }), name: 'Video' },
				{ ...videoDownload(), name: 'Download' },
				videoJoin(),
			),
			items: plannedRows({}, { submit: 'forbidden' }, {}),
			credentials: service.credentials,
		});
		expect(result.error?.message).toBe('The film lacks shots 2, 3 of 3 [item 0]');
	});
});
