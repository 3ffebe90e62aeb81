import { withTables } from '../../sandbox/writeTables';
import { read } from '../package/support/files';

// The page tells of everything that the stand-ins can do, and of nothing else.

const page = read('docs/dev/sandbox.md');

it('has the tables that npm run write writes', () => {
	expect(page).toBe(withTables(page));
});
