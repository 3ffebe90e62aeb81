import {
	byId,
	inARow,
	plannedRows,
	useStage,
	videoDownload,
	videoGenerate,
} from '../../support/stage';
import { CLIP, itemOf, join, useEngine, videoJoin } from './support/stage';

// A film of chained shots is made of all of them, unless Allow Missing Shots is on.

const stage = useStage();
useEngine();

const shot = (shot_number: number, shot_count: number) =>
	itemOf(CLIP, { film: 'red', shot_number, shot_count });

it.each<[string, Array<ReturnType<typeof shot>>, string]>([
	['all but its first', [shot(1, 4)], 'shots 2, 3, 4 of 4'],
	['two lasts', [shot(1, 2), shot(1, 3), shot(2, 3)], 'shot 2 of 2 and shot 3 of 3'],
	['one that another film has', [shot(2, 2), shot(1, 2), shot(1, 2)], 'shot 2 of 2'],
])('refuses a film without %s', async (_what, items, missing) => {
	expect((await join(items)).error?.message).toBe(`The film lacks ${missing} [item 0]`);
	const result = await join(items, videoJoin({ options: { allowMissingShots: true } }));
	expect(result.outputs()[0]).toHaveLength(1);
	const hints = result.hints().map((hint) => hint.message);
	expect(hints).toEqual([`A film was joined without ${missing}.`]);
});

it('with Allow Missing Shots, joins what did not fail', async () => {
	const error = { message: 'No', item_index: 1, next: 'retry' };
	// At an error output, a failed item keeps the picture that it came with.
	const items = [shot(1, 2), itemOf(CLIP, { film: 'red', error }), itemOf(undefined, { error })];
	expect((await join(items)).error?.message).toMatch(/no clip, because it failed .*\[item 1\]$/);
	const options = { allowMissingShots: true, groupBy: 'film' };
	const [[film, ...others]] = (await join(items, videoJoin({ options }))).outputs();
	expect(film.json.clips).toHaveLength(1);
	expect(others.map(({ json }) => json)).toEqual([{ film: 'red', error }, { error }]);
});

it('is not made of the first shot alone, where Video Generate has lost the others', async () => {
	const chained = {
		model: byId('doubao-seedance-1-5-pro-251215'),
		options: { film: { chainShots: true } },
	};
	const result = await stage.engine.run({
		...inARow(
			{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
			{ ...videoGenerate(chained, { onError: 'continueErrorOutput' }), name: 'Video' },
			{ ...videoDownload(), name: 'Download' },
			videoJoin(),
		),
		items: plannedRows({}, { submit: 'forbidden' }, {}),
		credentials: stage.credentials,
	});
	expect(result.error?.message).toBe('The film lacks shots 2, 3 of 3 [item 0]');
});
