import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { demoCredentials, putCredentials, openState } from '../sandbox/demo/credentials.mjs';
import { executeInProduction, putWorkflow } from '../sandbox/demo/examples.mjs';
import { TEXT } from '../sandbox/demo/text.mjs';
import { readMp4 } from '../sandbox/demo/videoFacts.mjs';
import { itemsOf } from '../sandbox/n8n/api.mjs';
import { ROOT } from '../sandbox/n8n/folders.mjs';
import { freePort } from '../sandbox/n8n/ports.mjs';
import { toThreeStates } from './support/editorScenes.mjs';
import { KEY, openSandbox } from './support/sandbox.mjs';
import { chain, createStudio, webhook } from './support/workflows.mjs';

const PACKAGE = 'n8n-nodes-video-generation';
const NODES = ['generateContent', 'videoDownload', 'videoGenerate', 'videoStatus', 'videoTasks'];
/** Works on files, which n8n gives to no tool. */
const JOIN = 'videoJoin';

let sandbox;
let credentials;
let state;
const folder = mkdtempSync(path.join(tmpdir(), 'n8n-nodes-'));

before(async () => {
	sandbox = await openSandbox();
	state = await openState(folder);
	const service = { baseUrl: sandbox.service.url, key: KEY };
	credentials = await putCredentials(sandbox.api, state, demoCredentials(service));
});
after(async () => {
	await sandbox?.close();
	rmSync(folder, { recursive: true, force: true });
});

const execute = async (fileName, settings = {}) => {
	const workflow = await putWorkflow(sandbox.api, state, fileName, { credentials, ...settings });
	return await executeInProduction(sandbox.api, workflow, fileName);
};

test("n8n loads the nodes under the package's name, as nodes and as tools", async () => {
	const types = (await sandbox.api.nodeTypes()).map(({ name }) => name);
	for (const name of NODES) {
		assert.ok(types.includes(`${PACKAGE}.${name}`), `${name} is missing`);
		assert.ok(types.includes(`${PACKAGE}.${name}Tool`), `${name} is no tool`);
	}
	assert.ok(types.includes(`${PACKAGE}.${JOIN}`), `${JOIN} is missing`);
	assert.equal(types.filter((name) => name.includes('CUSTOM')).length, 0);
});

test('where agents look for tools, ours stand in places of n8n', async () => {
	const types = (await sandbox.api.nodeTypes()).filter(({ codex }) => codex?.categories);
	const isOurs = ({ name }) => name.startsWith(PACKAGE);
	const placesOf = ({ codex: { categories, subcategories = {} } }) => [
		...categories,
		...Object.entries(subcategories).map((entry) => JSON.stringify(entry)),
	];
	const known = new Set(types.filter((type) => !isOurs(type)).flatMap(placesOf));
	// As nodes, they stand in the categories of community nodes alone (test/package/loader.test.ts).
	const ours = types.filter((type) => isOurs(type) && type.codex.categories.includes('AI'));
	assert.equal(ours.length, NODES.length);
	for (const type of ours) {
		assert.deepEqual(
			placesOf(type).filter((place) => !known.has(place)),
			[],
			type.name,
		);
	}
});

test('n8n gives the editor the fields of each node before its first run', async () => {
	const operations = ['getAll', 'cancel'].map((operation) => ['videoTasks', `/${operation}`]);
	const others = [...NODES, JOIN].filter((name) => name !== 'videoTasks');
	for (const [name, operation] of [...others.map((one) => [one, '']), ...operations]) {
		// The editor's own address.
		const response = await fetch(
			`${sandbox.url}/schemas/${PACKAGE}.${name}/1.0.0${operation}.json`,
		);
		assert.equal(response.status, 200, name);
		const folder = `${name[0].toUpperCase()}${name.slice(1)}`;
		const schemas = path.join(ROOT, 'dist', 'nodes', folder, '__schema__');
		const published = path.join(schemas, `v1.0.0${operation}.json`);
		assert.deepEqual(await response.json(), JSON.parse(readFileSync(published, 'utf8')));
	}
});

/** Starts a server for the time of a test, and resolves to its address. */
const serve = async (t, answer) => {
	const server = createServer(answer);
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	t.after(() => server.close());
	return `http://127.0.0.1:${server.address().port}`;
};

const noService = async (t) =>
	await serve(t, (_request, response) => {
		response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>');
	});

const [forVideos, forTexts] = demoCredentials({ baseUrl: 'set below', key: KEY });
for (const { type, data } of [forVideos, forTexts]) {
	const check = async (changes) => {
		const own = { ...data, baseUrl: sandbox.service.url, ...changes };
		return await sandbox.api.testCredential({ type, data: own });
	};

	for (const listings of [true, false]) {
		const where = listings ? 'with model listings' : 'without model listings';
		test(`${type}: its test says yes to a right key and no to a wrong one, ${where}`, async (t) => {
			sandbox.service.set({ listings });
			t.after(() => sandbox.service.reset());
			assert.equal((await check({})).status, 'OK');
			const wrong = await check({ apiKey: 'a-wrong-key-77aa' });
			assert.equal(wrong.status, 'Error');
			assert.match(wrong.message, /\w/);
		});
	}

	test(`${type}: its test takes a base URL as people type it`, async () => {
		for (const ending of ['/', '/v1', '/v1beta/']) {
			const { status, message } = await check({ baseUrl: `${sandbox.service.url}${ending}` });
			assert.equal(status, 'OK', `${ending}: ${message}`);
		}
	});

	test(`${type}: its test says no, with a reason, to a wrong base URL`, async (t) => {
		const nobody = `http://127.0.0.1:${await freePort()}`;
		for (const baseUrl of [nobody, await noService(t)]) {
			const { status, message } = await check({ baseUrl });
			assert.equal(status, 'Error', baseUrl);
			assert.match(message, /\w/);
		}
	});
}

test('prompt -> Video Generate -> Video Download gives a whole MP4 in production', async () => {
	const execution = await execute('prompt-to-video.json');
	assert.equal(execution.mode, 'webhook');
	const [item] = itemsOf(execution, 'Video Download');
	const file = path.join(folder, 'video.mp4');
	await sandbox.api.saveBinary(item.binary.data, file);
	const { whole, reason, bytes } = await readMp4(file);
	assert.ok(whole, reason);
	assert.equal(item.json.size_bytes, bytes);
	assert.equal(itemsOf(execution, 'Video Generate')[0].json.status, 'SUCCESS');
	assert.equal(sandbox.service.submissions().length, 1);
});

test('Generate Content answers in production', async () => {
	const execution = await execute(TEXT.name, { workflow: TEXT });
	assert.equal(execution.mode, 'webhook');
	const [{ json }] = itemsOf(execution, 'Generate Content');
	assert.equal(typeof json.text, 'string');
	assert.notEqual(json.text, '');
	assert.equal(json.finishReason, 'STOP');
});

test('Video Status gives each task to the output of its state', async () => {
	const studio = await createStudio(sandbox);
	const nodes = [webhook(), ...toThreeStates(studio.credentials)];
	const row = chain(...nodes.map(({ name }) => name));
	const workflow = await studio.publish('Three States', nodes, row);
	await sandbox.api.callWebhook(workflow.path);
	const execution = await studio.ended(workflow.id);
	const [{ data }] = execution.data.resultData.runData['Video Status'];
	const states = data.main.map((output) => output.map(({ json }) => json.status));
	assert.deepEqual(states, [['SUCCESS'], ['queued'], ['FAILURE']]);
	assert.equal(data.main[2][0].json.fail_reason, 'Too dark');
});

test('a failed execution ends with the reason and stays readable', async () => {
	const models = { [`${PACKAGE}.videoGenerate`]: 'no-such-model' };
	await assert.rejects(execute('prompt-to-video.json', { models }), (error) => {
		assert.match(error.message, /ended with error/);
		assert.match(error.message, /Video Generate: [^]*no-such-model/);
		return true;
	});
});
