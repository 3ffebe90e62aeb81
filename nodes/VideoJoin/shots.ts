import { toPlace } from '../shared/n8n/carried';
import { toList } from '../shared/n8n/output';
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
	const counts = [...new Set(places.map(({ shot_count }) => shot_count))];
	const missing = counts.flatMap((count) => {
		const found = new Array<number>(count).fill(0);
		for (const { shot_number, shot_count } of places) {
			if (shot_count === count) found[shot_number - 1]++;
		}
		const most = Math.max(...found);
		const numbers = found.flatMap((times, i) => (times < most ? [`${i + 1}`] : []));
		if (numbers.length === 0) return [];
		return [`shot${numbers.length > 1 ? 's' : ''} ${toList(numbers)} of ${count}`];
	});
	return missing.join(' and ');
}
