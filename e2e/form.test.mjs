import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { skipWithoutChromium as skip } from './support/debian.mjs';
import { openSandbox } from './support/sandbox.mjs';

const TYPE = 'n8n-nodes-video-generation.videoGenerate';

const byId = (value) => ({ __rl: true, mode: 'id', value });
const listed = (value) => ({ __rl: true, mode: 'list', value, cachedResultName: value });

/** One node for each way in which a model may have been chosen. No node has a credential. */
const CHOSEN = {
	'Veo From List': { model: listed('veo-3.1-fast-generate-001'), aspectRatio: '9:16' },
	'Kling By ID': { model: byId('kling-v2-master'), aspectRatio: '21:9' },
	'Sora By Expression': { model: byId('={{ "sora-" + 2 + "-pro" }}') },
	'Own Name': { model: byId('our-best'), options: { modelFamily: 'Jimeng' } },
	Unknown: { model: byId('our-best') },
};

function workflow() {
	const node = ([name, parameters], index) => ({
		id: randomUUID(),
		name,
		type: TYPE,
		typeVersion: 1,
		position: [index * 240, 0],
		parameters: { prompt: 'A paper boat', ...parameters },
	});
	const nodes = Object.entries(CHOSEN).map(node);
	return { name: 'Form', nodes, connections: {}, settings: { executionOrder: 'v1' } };
}

describe('the form of Video Generate', { skip }, () => {
	let sandbox;
	let editor;
	let workflowId;

	before(async () => {
		sandbox = await openSandbox();
		workflowId = (await sandbox.api.createWorkflow(workflow())).id;
		const { openEditor } = await import('./support/editor.mjs');
		editor = await openEditor({ url: sandbox.url, owner: sandbox.owner });
	});
	after(async () => {
		await editor?.close();
		await sandbox?.close();
	});

	const field = (name) => editor.page.getByTestId(`parameter-input-${name}`);

	/** Opens a list and returns what it offers. */
	async function choicesOf(name) {
		await field(name).locator('input').first().click();
		const shown = editor.page.locator('.el-select-dropdown:visible');
		await shown.getByText('Default of the Model').first().waitFor();
		const all = await shown.locator('[class*="option-headline"], .option-headline').allInnerTexts();
		await field(name).locator('input').first().click();
		await shown.waitFor({ state: 'hidden' });
		return all.map((text) => text.trim());
	}

	test('lists what the chosen model takes, without a credential', async () => {
		for (const name of Object.keys(CHOSEN)) {
			await editor.openWorkflow(workflowId);
			await editor.openNode(name);
			const lists = {};
			for (const list of ['duration', 'aspectRatio', 'resolution'])
				lists[list] = await choicesOf(list);
			console.log(name, JSON.stringify(lists));
			await editor.picture(`form-${name.replaceAll(' ', '-')}`);
		}
		assert.ok(true);
	});
});
