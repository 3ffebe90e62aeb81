import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createCredentialDialog } from '../support/credentialDialog.mjs';
import { skipWithoutChromium as skip } from '../support/debian.mjs';
import { PROMPT } from '../support/editorScenes.mjs';
import { createNodesPanel } from '../support/nodesPanel.mjs';
import { createOpenedNode } from '../support/openedNode.mjs';
import { KEY } from '../support/sandbox.mjs';
import { openShared } from '../support/shared.mjs';

const VEO = 'Veo 3.1: fal-ai/veo3.1 (video)';
const VEO_LISTS = {
	duration: ['Model Default (8 Seconds)', '4 Seconds', '6 Seconds', '8 Seconds'],
	aspectRatio: ['Model Default (16:9)', '16:9', '9:16'],
	resolution: ['Model Default (720p)', '720p', '1080p', '4k'],
};
const KLING = 'Kling 3 Pro: fal-ai/kling-video/v3/pro/image-to-video (video)';
const KLING_LISTS = {
	duration: [
		'Model Default (5 Seconds)',
		...Array.from({ length: 13 }, (_, i) => `${i + 3} Seconds`),
	],
	aspectRatio: ['This Model Has No Such Setting'],
	resolution: ['This Model Has No Such Setting'],
};

describe('a service that has a schema of each model', { skip }, () => {
	let sandbox;
	let editor;

	before(async () => {
		sandbox = await openShared();
		sandbox.service.reset();
		sandbox.service.set({ profile: 'fal', renderMs: 0 });
		const { openEditor } = await import('../support/editor.mjs');
		editor = await openEditor({ url: sandbox.url, owner: sandbox.owner });
	});
	after(async () => {
		await editor?.close();
		sandbox?.service.reset();
		const all = (await sandbox?.api.rest('GET', '/credentials')) ?? [];
		for (const { id } of all) await sandbox.api.rest('DELETE', `/credentials/${id}`);
	});

	test('fal, from the credential to the video that plays', async () => {
		const { page } = editor;
		const panel = createNodesPanel(page);
		const dialog = createCredentialDialog(page);
		const node = createOpenedNode(page);
		await page.goto(`${sandbox.url}/workflow/new`);
		await panel.addTrigger();
		await panel.open();
		await panel.add('text to video', 'Video Generate');

		await dialog.openFromNode('Video Generation');
		await dialog.chooseService('fal');
		const shown = ['Service', 'API Key *', 'Proxy URL', 'Allow Private Addresses'];
		assert.deepEqual((await dialog.labels()).slice(0, shown.length), shown);
		await dialog.fill({ proxyUrl: sandbox.service.url, apiKey: 'a-wrong-key-77aa' });
		// Where the stand-in has its videos.
		await dialog.turnOn('allowPrivateAddresses');
		await dialog.save();
		await dialog.saysNo(/refuses the API key/);
		await dialog.fill({ apiKey: KEY });
		await dialog.save();
		await dialog.closed();

		for (const [words, name, lists] of [
			['kling', KLING, KLING_LISTS],
			['veo', VEO, VEO_LISTS],
		]) {
			await node.chooseModel(words, name);
			for (const [field, choices] of Object.entries(lists)) {
				await node.showsChoice(field, choices[0]);
				assert.deepEqual(await node.choicesOf(field), choices);
			}
		}
		await node.choose('duration', '6 Seconds');
		await node.choose('aspectRatio', '9:16');
		await node.write('prompt', PROMPT);
		await node.execute();
		await node.shows(/^1 video in .*: 1 submitted \(1 done\)\. Cost: 8 billable units/);
		assert.deepEqual(await node.playVideo(), { width: 360, height: 640, seconds: 6 });
		const submits = sandbox.service.submissions().map(({ path, body }) => [path, body]);
		const body = { prompt: PROMPT, duration: '6s', aspect_ratio: '9:16' };
		assert.deepEqual(submits, [['/fal-ai/veo3.1', body]]);
	});
});
