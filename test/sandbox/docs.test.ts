import { withTables } from '../../sandbox/writeTables';
import { readFile } from './support/client';

// The page tells of everything that the stand-ins can do, and of nothing else.

const page = readFile('docs/dev/sandbox.md').toString();

it('has the tables that npm run write writes', () => {
	expect(page).toBe(withTables(page));
});
