import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { demoCredentials } from '../sandbox/demo/credentials.mjs';
import { skipWithoutChromium as skip } from './support/debian.mjs';
import { openSandbox, KEY } from './support/sandbox.mjs';
import { chain, node } from './support/workflows.mjs';

const PACKAGE = 'n8n-nodes-video-generation';
/** Per node: labels that people read in its panel. */
const NODES = [
	{ name: 'Video Generate', type: 'videoGenerate', labels: ['Model', 'Prompt', 'Options'] },
	{ name: 'Video Status', type: 'videoStatus', labels: ['Task ID'] },
	{ name: 'Video Download', type: 'videoDownload', labels: ['Source', 'Task ID', 'Options'] },
	{ name: 'Generate Content', type: 'generateContent', labels: ['Model', 'Prompt', 'Options'] },
];

const folderOf = ({ name }) => name.replace(' ', '');

/** The names of a schema's fields, and of those inside them. */
const fieldsOf = ({ properties = {} }) =>
	Object.entries(properties).flatMap(([name, schema]) => [name, ...fieldsOf(schema)]);

/** The four nodes in a row, which never ran, and one that people would map their fields in. */
function neverRun() {
	const ours = NODES.map(({ name, type }) => node(name, `${PACKAGE}.${type}`, 1));
	const start = node('Start', 'n8n-nodes-base.manualTrigger', 1);
	const nodes = [start, ...ours, node('Edit Fields', 'n8n-nodes-base.set', 3.4)];
	const connections = chain(...nodes.map(({ name }) => name));
	return { name: 'Never Run', nodes, connections, settings: { executionOrder: 'v1' } };
}

function fourNodes(credentials) {
	const node = ({ name, type }, index) => ({
		id: randomUUID(),
		name,
		type: `${PACKAGE}.${type}`,
		typeVersion: 1,
		position: [index * 240, 0],
		parameters: {},
		credentials: type === 'generateContent' ? credentials.text : credentials.video,
	});
	const settings = { executionOrder: 'v1' };
	return { name: 'Four Nodes', nodes: NODES.map(node), connections: {}, settings };
}

describe('the editor', { skip }, () => {
	let sandbox;
	let ids;
	let workflowId;

	before(async () => {
		sandbox = await openSandbox();
		const service = { baseUrl: sandbox.service.url, key: KEY };
		const [video, text] = await Promise.all(
			demoCredentials(service).map(async (credential) => {
				const { id } = await sandbox.api.createCredential(credential);
				return { [credential.type]: { id, name: credential.name } };
			}),
		);
		ids = [video.videoGenerationApi.id, text.geminiCompatibleApi.id];
		workflowId = (await sandbox.api.createWorkflow(fourNodes({ video, text }))).id;
	});
	after(() => sandbox?.close());

	for (const theme of process.env.DAILY ? ['light'] : ['light', 'dark']) {
		test(`shows the nodes, their panels and the credentials (${theme})`, async (t) => {
			const { openEditor } = await import('./support/editor.mjs');
			const editor = await openEditor({ url: sandbox.url, owner: sandbox.owner, theme });
			t.after(() => editor.close());
			await editor.openWorkflow(workflowId);
			const pictures = [await editor.picture('canvas')];
			for (const { name, type, labels } of NODES) {
				const panel = await editor.openNode(name);
				for (const label of labels) {
					await panel.getByText(label, { exact: true }).first().waitFor();
				}
				pictures.push(await editor.picture(type));
				await editor.closeNode();
			}
			for (const id of ids) {
				const dialog = await editor.openCredential(id);
				await dialog
					.getByText(/^Base URL/)
					.first()
					.waitFor();
				await dialog
					.getByText(/^API Key/)
					.first()
					.waitFor();
				// The editor tests a credential by itself when it is opened.
				await dialog.getByText('Connection tested successfully').waitFor();
				pictures.push(await editor.picture(`credential-${ids.indexOf(id) + 1}`));
			}
			for (const picture of pictures) assert.ok((await stat(picture)).size > 0);
			t.diagnostic(`Pictures: ${pictures.join(', ')}`);
		});
	}

	test('shows the fields of a node that has not run to the node behind it', async (t) => {
		const workflow = neverRun();
		const { id } = await sandbox.api.createWorkflow(workflow);
		const { openEditor } = await import('./support/editor.mjs');
		// The panel holds no more fields than it has room for.
		const view = { viewport: { width: 1600, height: 6000 } };
		const editor = await openEditor({ url: sandbox.url, owner: sandbox.owner, view });
		t.after(() => editor.close());
		await editor.openWorkflow(id);
		const names = workflow.nodes.map(({ name }) => name);
		for (const ours of NODES) {
			const published = `../dist/nodes/${folderOf(ours)}/__schema__/v1.0.0.json`;
			const fields = fieldsOf(createRequire(import.meta.url)(published));
			assert.ok(fields.length > 3);
			await editor.openNode(names[names.indexOf(ours.name) + 1]);
			await editor.seePreview(ours.name, fields);
			await editor.closeNode();
		}
	});
});
