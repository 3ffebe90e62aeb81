import { ARRIVALS, TEXT_ARRIVALS, withTables } from '../../sandbox/arrivals';
import { read } from './support/files';

it('docs/models.md shows the recorded run', () => {
	const page = read('docs/models.md');
	expect(page).toBe(withTables(page, ARRIVALS, TEXT_ARRIVALS));
});

it('docs/models.md counts it', () => {
	const arrived = ARRIVALS.filter(({ sent }) => sent).length;
	const counts = `${ARRIVALS.length} settings: ${arrived} arrive,\n${ARRIVALS.length - arrived} are refused`;
	expect(read('docs/models.md')).toContain(counts);
});
