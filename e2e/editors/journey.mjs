import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createCredentialDialog } from '../support/credentialDialog.mjs';
import { skipWithoutChromium as skip } from '../support/debian.mjs';
import { PROMPT } from '../support/editorScenes.mjs';
import { createNodesPanel } from '../support/nodesPanel.mjs';
import { createOpenedNode } from '../support/openedNode.mjs';
import { KEY } from '../support/sandbox.mjs';
import { openShared } from '../support/shared.mjs';

/** What people type, and the node that they mean. */
const WORDS = [
	...['veo', 'veo 3', 'video', 'mp4', 'prompt', 'clip', 'hailuo'].map((words) => [
		words,
		'Video Generate',
	]),
	...['download video', 'veo download', 'mp4'].map((words) => [
		words,
		'Video Download (by Task ID or URL)',
	]),
	...['check video', 'wait for video', 'poll'].map((words) => [words, 'Video Status (by Task ID)']),
	...['gemini', 'llm', 'generate text', 'prompt'].map((words) => [words, 'Generate Content']),
];

/** Where Video Generate comes first; for "veo" and "video" n8n also finds nodes of its own. */
const MEANS_GENERATE = [
	...['make a video', 'make video', 'create a video', 'generate a video', 'video generator'],
	...['text to video', 'image to video', 'animate a picture', 'AI video'],
	...['seedance', 'kling', 'vidu', 'jimeng', 'storyboard'],
];

/** Until the test lets it end, a render does not. */
const NOT_YET_MS = 3_600_000;

describe('an evening with the nodes, from an empty canvas', { skip }, () => {
	let sandbox;
	let editor;
	let panel;

	before(async () => {
		sandbox = await openShared();
		sandbox.service.reset();
		sandbox.service.set({ renderMs: 0, refreshMs: NOT_YET_MS });
		const { openEditor } = await import('../support/editor.mjs');
		editor = await openEditor({ url: sandbox.url, owner: sandbox.owner });
		panel = createNodesPanel(editor.page);
	});
	beforeEach(async () => {
		await editor.page.goto(`${sandbox.url}/workflow/new`);
		await panel.addTrigger();
		await panel.open();
	});
	after(async () => {
		await editor?.close();
		sandbox?.service.reset();
	});

	test('the nodes are found by the words that people type', async () => {
		for (const [words, name] of WORDS) await panel.find(words, name);
		for (const words of MEANS_GENERATE) {
			const [first] = await panel.find(words, 'Video Generate');
			assert.equal(first, 'Video Generate', words);
		}
		for (const words of ['veo', 'video']) {
			const found = await panel.find(words, 'Video Generate');
			const ours = found.filter((name) => name.startsWith('Video '));
			assert.equal(ours[0], 'Video Generate', found.join(', '));
		}
	});

	test('a credential says why it is not good, and then a video plays', async () => {
		const { page } = editor;
		const dialog = createCredentialDialog(page);
		const node = createOpenedNode(page);
		const said = [];
		page.on('console', (message) => said.push(message.text()));

		await panel.add('text to video', 'Video Generate');

		await dialog.openFromNode('Video Generation');
		await dialog.fill({ baseUrl: `${sandbox.service.url}/site`, apiKey: KEY });
		await dialog.save();
		await dialog.saysNo(/answers with a web page/);
		await dialog.fill({ baseUrl: `${sandbox.service.url}/v1/`, apiKey: 'a-wrong-key-77aa' });
		await dialog.save();
		await dialog.saysNo(/refuses the API key/);
		await dialog.fill({ apiKey: KEY });
		await dialog.save();
		await dialog.closed();

		await node.chooseModel('seed', 'dreamina-seedance-2-0-fast (Seedance)');
		await node.write('prompt', PROMPT);
		await node.shows(/Stopping does not cancel or refund/);
		await node.execute();
		await page.getByTestId('ndv-executing').waitFor();
		await node.shows(/Stopping does not cancel or refund/);
		sandbox.service.set({ refreshMs: 0 });
		await node.shows(/^1 video in .*: 1 submitted \(1 done\)/);
		assert.deepEqual(await node.playVideo(), { width: 640, height: 360, seconds: 2.5 });
		await editor.picture('journey-video');

		const [{ model, prompt }] = sandbox.service.submissions().map(({ body }) => body);
		assert.deepEqual([model, prompt], ['dreamina-seedance-2-0-fast', PROMPT]);
		assert.ok(said.some((line) => /item 0\W+task task_\w+: SUCCESS 100%/i.test(line)));
	});
});
