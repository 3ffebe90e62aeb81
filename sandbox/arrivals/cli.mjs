#!/usr/bin/env node
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { createStudio } from '../../e2e/support/workflows.mjs';
import { openSandbox } from '../../e2e/support/sandbox.mjs';
import { groupBy } from './groupBy.mjs';
import { startRecorder } from './recorder.mjs';
import { runArrivals } from './run.mjs';

const require = createRequire(import.meta.url);
const { CASES } = require('./cases.js');
const { judge } = require('./judge.js');

const USAGE = `Usage: VIDEO_API_KEY=... npm run arrivals -- --base-url GATEWAY --vendors http://127.0.0.1:4020 [--only COLUMN] [--out FILE]
`;

const { values } = parseArgs({
	options: {
		'base-url': { type: 'string' },
		vendors: { type: 'string', default: 'http://127.0.0.1:4020' },
		only: { type: 'string' },
		out: { type: 'string' },
	},
});
const key = process.env.VIDEO_API_KEY;
if (!key || !values['base-url']) {
	process.stderr.write(USAGE);
	process.exit(1);
}

const recorder = await startRecorder(values['base-url']);
const sandbox = await openSandbox();
try {
	const studio = await createStudio({ service: { url: recorder.url }, api: sandbox.api, key });
	const cases = CASES.filter(({ column }) => !values.only || column.startsWith(values.only));
	const records = await runArrivals({
		api: sandbox.api,
		credentials: studio.credentials,
		recorder,
		gateway: { baseUrl: values['base-url'], key },
		vendorsUrl: values.vendors,
		cases,
	});
	const judged = records.map((record) => ({ record, ...judge(record) }));
	const count = groupBy(judged, ({ verdict }) => verdict);
	for (const [verdict, all] of count) process.stdout.write(`${verdict}: ${all.length}\n`);
	for (const { record, verdict, why } of judged) {
		if (verdict === 'arrives' || verdict === 'refused') continue;
		process.stdout.write(
			`${verdict}: ${record.column}, ${record.about}: ${why} ${record.says ?? ''}\n`,
		);
	}
	if (values.out) await writeFile(values.out, JSON.stringify(records));
} finally {
	await sandbox.close();
	await recorder.close();
}
