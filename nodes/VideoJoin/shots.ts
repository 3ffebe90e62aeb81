import { toPlace } from '../shared/n8n/carried';
import { MAX_SHOWN_IDS, toList } from '../shared/n8n/output';
import type { Reader } from '../shared/n8n/reader';
import type { Place, Run } from '../shared/n8n/run';

/**
 * Refuses a film without all its chained shots, or only says so if the person allows it.
 *
 * @param clips the items of the film
 */
export function checkShots({ report }: Run, clips: Reader[]): void {
	const [{ options, refuse }] = clips;
	const missing = findMissing(clips.flatMap(({ input }) => toPlace(input.json) ?? []));
	if (missing === '') return;
	if (!options.boolean('allowMissingShots')) {
		refuse(
			`The film lacks ${missing}`,
			`Look at the failing items of Video Generate. To join what is there, turn on ${options.label('allowMissingShots')}.`,
		);
	}
	report.hint(`A film was joined without ${missing}.`, 'warning');
}

/**
 * Returns the places that are missing, such as "shot 2 of 5", or ''. Shots do not tell their film: of
 * several films in one, as many as there are have each place.
 */
function findMissing(places: Place[]): string {
	const counts = [...new Set(places.map(({ shot_count }) => shot_count))].slice(0, MAX_SHOWN_IDS);
	const missing = counts.flatMap((count) => {
		const found = new Map<number, number>();
		for (const { shot_number, shot_count } of places) {
			if (shot_count === count) found.set(shot_number, (found.get(shot_number) ?? 0) + 1);
		}
		const most = [...found.values()].reduce((one, other) => Math.max(one, other));
		const numbers: string[] = [];
		// An item may say that its film has a billion shots, so no more are looked for than are shown.
		for (let number = 1; number <= count && numbers.length <= MAX_SHOWN_IDS; number++) {
			if ((found.get(number) ?? 0) < most) numbers.push(`${number}`);
		}
		if (numbers.length === 0) return [];
		return [`shot${numbers.length > 1 ? 's' : ''} ${toList(numbers)} of ${count}`];
	});
	return missing.join(' and ');
}
