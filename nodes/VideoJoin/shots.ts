import { toPlace } from '../shared/item/carried';
import { toList } from '../shared/item/output';
import { isSet, type Reader } from '../shared/item/reader';
import { toItemName } from '../shared/item/words';
import type { Run } from '../shared/item/run';

/** A chained shot among the clips of a film. */
interface Shot {
	number: number;
	itemIndex: number;
	task_id: unknown;
}

const nameOf = ({ task_id, itemIndex }: Pick<Shot, 'itemIndex' | 'task_id'>) =>
	isSet(task_id) ? String(task_id) : toItemName(itemIndex);

/**
 * Refuses a film without all its chained shots, or only says so if the person allows it. Also refuses a
 * shot that is there twice, and one that tells no place, which may hide a missing one.
 *
 * @param clips the items of the film, in its order
 */
export function checkShots({ report }: Run, clips: Reader[]): void {
	const [{ options, refuse }] = clips;
	const allowsMissing = options.boolean('allowMissingShots');
	const films = new Map<string, Shot[]>();
	const sequence: string[] = [];
	for (const { input, itemIndex, refuse: refuseShot } of clips) {
		const { shot_film, task_id } = input.json;
		const place = toPlace(input.json);
		if (place) {
			const { shot_number: number, shot_count } = place;
			const film = `${shot_count} ${place.shot_film ?? ''}`;
			const shots = films.get(film) ?? [];
			const twin = isSet(shot_film) && shots.find((shot) => shot.number === number);
			if (twin) {
				refuseShot(
					`The film has shot ${number} twice: ${toList([twin, { itemIndex, task_id }].map(nameOf))}`,
					'Remove one of the two items, or look for a node that doubles items.',
				);
			}
			shots.push({ number, itemIndex, task_id });
			films.set(film, shots);
			sequence.push(film);
		} else if (isSet(shot_film) && !allowsMissing) {
			refuseShot(
				'The shot does not tell its place in the film',
				`Keep shot_number and shot_count beside shot_film. To join what is there, turn on ${options.label('allowMissingShots')}.`,
			);
		}
	}
	const ids = clips.map(({ input }) => input.json.task_id).filter(isSet);
	const twice = new Set(ids.filter((id, i) => ids.indexOf(id) < i));
	if (twice.size > 0) {
		report.hint(`A film has the same video twice: ${toList([...twice].map(String))}`, 'warning');
	}
	const missing = [...films].flatMap(findMissing).join(' and ');
	if (missing !== '' && !allowsMissing) {
		refuse(
			`The film lacks ${missing}`,
			`Look at the failing items of Video Generate. To join what is there, turn on ${options.label('allowMissingShots')}.`,
		);
	}
	if (missing !== '') report.hint(`A film was joined without ${missing}.`, 'warning');
	const parts = sequence.filter((film, i) => film !== sequence[i - 1]).length;
	if (parts > films.size) {
		report.hint(
			`The shots of ${films.size} films alternate in one. To join each by itself, set ${options.label('groupBy')} to your field that tells the film.`,
			'warning',
		);
	}
	const order = films.size === 1 ? [...films.values()][0].map(({ number }) => number) : [];
	const isSorted = order.every((number, i) => i === 0 || number > order[i - 1]);
	if (options.isSet('sortBy') || isSorted || new Set(order).size < order.length) return;
	report.hint(
		`A film has its shots in the order of the items: ${toList(order.map(String))}. To sort them, set ${options.label('sortBy')} to shot_number.`,
		'warning',
	);
}

/**
 * Returns the places of a film that are missing, such as "shot 2 of 5", or none. If items do not tell
 * their films, then of several films in one, as many as there are have each place.
 */
function findMissing([film, shots]: [string, Shot[]]): string[] {
	const shot_count = Number.parseInt(film, 10);
	const found = new Array<number>(shot_count).fill(0);
	for (const { number } of shots) found[number - 1]++;
	const most = Math.max(...found);
	const missing = found.flatMap((count, i) => (count < most ? [`${i + 1}`] : []));
	if (missing.length === 0) return [];
	return [`shot${missing.length > 1 ? 's' : ''} ${toList(missing)} of ${shot_count}`];
}
