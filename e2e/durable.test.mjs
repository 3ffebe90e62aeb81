import { after, before } from 'node:test';
import * as batch from './support/durable/batch.mjs';
import * as inWorkflows from './support/durable/inWorkflows.mjs';
import * as limits from './support/durable/limits.mjs';
import * as manual from './support/durable/manual.mjs';
import * as onError from './support/durable/onError.mjs';
import { createRuns } from './support/durable/runs.mjs';
import * as stop from './support/durable/stop.mjs';

// Durable waiting in a real n8n. A look comes after 65 s of sleep at the earliest, so all workflows
// are started first and sleep side by side; then each test looks at the end of its own.

const runs = createRuns();

before(async () => {
	await runs.open();
	for (const part of [batch, limits, onError, inWorkflows, manual, stop]) await part.begin(runs);
});
after(async () => await runs.close());

stop.check(runs);
for (const part of [batch, limits, onError, inWorkflows, manual]) part.check(runs);
stop.checkLater(runs);
