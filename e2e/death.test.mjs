import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { createApi } from '../sandbox/n8n/api.mjs';
import { startN8n } from '../sandbox/n8n/start.mjs';
import { assertNothingLost, dieAtRandom } from './support/death.mjs';
import { openSandbox } from './support/sandbox.mjs';
import { chain, createStudio, node, videoGenerate, webhook } from './support/workflows.mjs';

// n8n is killed (SIGKILL) at random moments while renders go on, and started again each time.

const VIDEOS = Number(process.env.DEATH_VIDEOS ?? 100);
const KILLS = Number(process.env.DEATH_KILLS ?? 20);
const SEED = Number(process.env.DEATH_SEED ?? Date.now() % 1_000_000);

let sandbox;
let running;
let api;
let earlierLogs = '';

const readLog = async () => await readFile(running.logFile, 'utf8');

async function kill() {
	await running.kill9();
	earlierLogs += await readLog();
	const { installed, folder, url } = sandbox;
	const port = Number(new URL(url).port);
	const { logFile } = running;
	running = await startN8n({ installed, userFolder: folder, port, logFile });
	api = createApi(url, installed);
	await api.signIn(sandbox.owner);
}

before(async () => {
	sandbox = await openSandbox();
	running = sandbox.n8n;
	api = sandbox.api;
});
after(async () => {
	await running?.stop();
	await sandbox?.close();
});

test(`${KILLS} kills over ${VIDEOS} renders`, async (t) => {
	t.diagnostic(`seed ${SEED}`);
	const studio = await createStudio({ ...sandbox, api: () => api });
	const workflow = await studio.publish(
		'death',
		[
			webhook(),
			node('Prompts', 'n8n-nodes-base.code', 2, {
				jsCode: 'return $input.first().json.body.prompts.map((prompt) => ({ json: { prompt } }));',
			}),
			videoGenerate(studio.credentials, { waitMode: 'durable' }),
		],
		chain('Webhook', 'Prompts', 'Video Generate'),
	);
	const result = await dieAtRandom({
		service: sandbox.service,
		workflow,
		kill,
		api: () => api,
		executionsOf: studio.executionsOf,
		logs: async () => earlierLogs + (await readLog()),
		videos: VIDEOS,
		kills: KILLS,
		seed: SEED,
	});
	t.diagnostic(JSON.stringify(result));
	assertNothingLost(result, VIDEOS);
});
