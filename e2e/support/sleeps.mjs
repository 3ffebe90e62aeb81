import path from 'node:path';
import { run } from '../../sandbox/n8n/command.mjs';
import { nodeFolder } from '../../sandbox/n8n/folders.mjs';

/** Ends all sleeps that have an end; n8n writes the year 3000 where there is none. */
export const END_SLEEPS =
	`UPDATE execution_entity SET "waitTill" = '2000-01-01 00:00:00.000' ` +
	`WHERE status = 'waiting' AND "waitTill" < '2999-01-01'`;

/** Lets an n8n that does not run find all sleeps over when it starts, as after a night without it. */
export async function endSleeps({ installed, folder }) {
	const file = path.join(folder, '.n8n', 'database.sqlite');
	// n8n's Node.js has SQLite built in; ours may not.
	const node = path.join(nodeFolder(installed), 'bin', 'node');
	const script = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec(process.argv[2])`;
	const { code, output } = await run(node, ['-e', script, file, END_SLEEPS]);
	if (code !== 0) throw new Error(`The sleeps could not be ended: ${output}`);
}
