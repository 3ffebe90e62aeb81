import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { openCleanN8n } from './support/cleanN8n.mjs';
import { chain, createStudio, items, videoGenerate, webhook } from './support/workflows.mjs';

// As people install the package: by its name under Settings > Community Nodes, in an n8n that has
// never seen it. These tests are steps of one story.

const PACKAGE = 'n8n-nodes-video-generation';
const TOOLS = ['generateContent', 'videoDownload', 'videoGenerate', 'videoStatus', 'videoTasks'];
const NODES = [...TOOLS, 'videoJoin'].sort();
const NEXT = '99.0.0';
const PLACE = '/community-packages';

let clean;
let studio;
let workflow;
let version;

before(async () => {
	clean = await openCleanN8n();
	version = await clean.publish();
});
after(() => clean?.close());

const ownTypes = async () =>
	(await clean.api.nodeTypes()).map(({ name }) => name).filter((name) => name.includes(PACKAGE));
const allTypes = [...NODES, ...TOOLS.map((name) => `${name}Tool`)].map(
	(name) => `${PACKAGE}.${name}`,
);
const installedPackages = async () => await clean.api.rest('GET', PLACE);

async function assertInstalled(wanted) {
	const [installed, ...others] = await installedPackages();
	assert.deepEqual(others, []);
	const { packageName, installedVersion, failedLoading, installedNodes } = installed;
	assert.deepEqual([packageName, installedVersion, failedLoading], [PACKAGE, wanted, false]);
	const types = installedNodes.map(({ type }) => type).sort();
	assert.deepEqual(
		types,
		NODES.map((name) => `${PACKAGE}.${name}`),
	);
	assert.deepEqual((await ownTypes()).sort(), allTypes.toSorted());
	return installed;
}

/** One video by the workflow, which was made before the last restart or update. */
async function assertRenders() {
	const before = clean.service.submissions().length;
	const executionId = await (await clean.api.callWebhook(workflow.path)).text();
	const execution = await clean.api.waitForExecution(executionId);
	assert.equal(execution.status, 'success');
	const [{ json }] = studio.itemsOf(execution, 'Video Generate');
	assert.equal(json.status, 'SUCCESS');
	assert.equal(clean.service.submissions().length, before + 1);
}

test('an n8n without the package knows none of its nodes', async () => {
	assert.deepEqual(await ownTypes(), []);
	assert.deepEqual(await installedPackages(), []);
});

test('n8n installs it by its name, and lists its nodes', async () => {
	const installed = await clean.api.rest('POST', PLACE, { name: PACKAGE });
	assert.equal(installed.installedVersion, version);
	await assertInstalled(version);
});

test('the registry is asked for nothing but this package', () => {
	const others = clean.registry.asked.filter((place) => !place.startsWith(`/${PACKAGE}`));
	assert.deepEqual(others, []);
	assert.ok(clean.registry.asked.some((place) => place.endsWith('.tgz')));
	// n8n asks its makers whether a package is banned, and installs it where they do not answer.
	const hosts = clean.wayOut.refused.filter((host) => !/(^|\.)n8n\.io:443$/.test(host));
	assert.deepEqual(hosts, []);
});

test('a workflow renders with what was installed', async () => {
	studio = await createStudio({ service: clean.service, api: () => clean.api });
	const nodes = [
		webhook({ options: { responseData: '={{ $execution.id }}' } }),
		items([{ prompt: 'A paper boat' }]),
		videoGenerate(studio.credentials, { options: { polling: { pollInterval: 1 } } }),
	];
	workflow = await studio.publish('boat', nodes, chain('Webhook', 'Prompts', 'Video Generate'));
	await assertRenders();
});

test('after a restart of n8n it is all still there', async () => {
	await clean.restart();
	await assertInstalled(version);
	await assertRenders();
});

test('n8n offers the next version, updates to it, and renders on', async () => {
	await clean.publish(NEXT);
	assert.equal((await assertInstalled(version)).updateAvailable, NEXT);
	await clean.api.rest('PATCH', PLACE, { name: PACKAGE });
	assert.equal((await assertInstalled(NEXT)).updateAvailable, undefined);
	await assertRenders();
});

test('n8n removes it without a trace', async () => {
	await clean.api.rest('DELETE', `${PLACE}?name=${PACKAGE}`);
	assert.deepEqual(await ownTypes(), []);
	assert.deepEqual(await installedPackages(), []);
	assert.equal(existsSync(path.join(clean.nodesFolder, PACKAGE)), false);
});
