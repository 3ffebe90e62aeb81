import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { skipWithoutChromium as skip } from '../support/debian.mjs';
import { createOpenedNode } from '../support/openedNode.mjs';
import { openShared } from '../support/shared.mjs';

const TYPE = 'n8n-nodes-video-generation.videoGenerate';

const byId = (value) => ({ __rl: true, mode: 'id', value });
const listed = (value) => ({ __rl: true, mode: 'list', value, cachedResultName: value });

const KLING = 'kling-v2-master';
const VEO_LISTS = {
	duration: ['Model Default (8 Seconds)', '4 Seconds', '6 Seconds', '8 Seconds'],
	aspectRatio: ['Model Default (16:9)', '16:9 (Landscape)', '9:16 (Portrait)'],
	resolution: ['Model Default (720p)', '720p', '1080p', '4K'],
};
const KLING_LISTS = {
	duration: ['Model Default (5 Seconds)', '5 Seconds', '10 Seconds'],
	aspectRatio: [...['Model Default (1:1)', '16:9 (Landscape)', '9:16 (Portrait)', '1:1 (Square)']],
	resolution: ['Model Default'],
};

/** A model from the list, and one whose family is chosen by hand. Neither node has a credential. */
const CHOSEN = {
	'Veo From List': [{ model: listed('veo-3.1-fast-generate-001') }, VEO_LISTS],
	'Own Name': [
		{ model: byId('our-best'), options: { modelFamily: 'Jimeng' } },
		{
			duration: ['Model Default', '5 Seconds', '10 Seconds'],
			aspectRatio: [
				...['Model Default', '16:9 (Landscape)', '9:16 (Portrait)', '1:1 (Square)'],
				...['4:3', '3:4', '21:9 (Ultrawide)'],
			],
			resolution: ['Model Default'],
		},
	],
};
/** Veo at first, with a resolution that Kling does not have. */
const CHANGED = { model: byId('veo-3.1-generate-001'), aspectRatio: '9:16', resolution: '1080p' };

function workflow() {
	const all = { ...CHOSEN, Changed: [CHANGED] };
	const nodes = Object.entries(all).map(([name, [parameters]], index) => ({
		id: randomUUID(),
		name,
		type: TYPE,
		typeVersion: 1,
		position: [index * 240, 0],
		parameters: { prompt: 'A paper boat on a rainy street', ...parameters },
	}));
	return { name: 'Form', nodes, connections: {}, settings: { executionOrder: 'v1' } };
}

describe('the form of Video Generate', { skip }, () => {
	let sandbox;
	let editor;
	let node;
	let workflowId;

	before(async () => {
		sandbox = await openShared();
		workflowId = (await sandbox.api.createWorkflow(workflow())).id;
		const { openEditor } = await import('../support/editor.mjs');
		editor = await openEditor({ url: sandbox.url, owner: sandbox.owner });
		node = createOpenedNode(editor.page);
	});
	beforeEach(async () => await editor.openWorkflow(workflowId));
	after(() => editor?.close());

	const field = (name) => editor.page.getByTestId(`parameter-input-${name}`);
	const issueOf = (name) => field(name).getByTestId('parameter-issues');

	async function listsOf(nodeName) {
		const [family] = nodeName.toLowerCase().split(' ');
		const lists = {};
		for (const name of ['duration', 'aspectRatio', 'resolution']) {
			const shoot = async () => await editor.picture(`form-${family}-${name}`);
			lists[name] = await node.choicesOf(name, shoot);
		}
		return lists;
	}

	for (const [name, [, wanted]] of Object.entries(CHOSEN)) {
		test(`lists what the chosen model takes, without a credential: ${name}`, async () => {
			await editor.openNode(name);
			assert.deepEqual(await listsOf(name), wanted);
		});
	}

	test('another model has its own lists at once, and what it does not take is marked', async () => {
		const panel = await editor.openNode('Changed');
		assert.deepEqual(await listsOf('Changed'), VEO_LISTS);
		assert.equal(await panel.getByTestId('parameter-issues').count(), 0);

		await editor.page.getByTestId('rlc-input').first().fill(KLING);
		await editor.page.getByTestId('rlc-input').first().press('Tab');
		await issueOf('resolution').waitFor();
		assert.deepEqual(await listsOf('Changed'), KLING_LISTS);
		await issueOf('resolution').hover();
		await editor.page.getByText('The value "1080p" is not supported!').waitFor();
		assert.equal(await issueOf('aspectRatio').count(), 0);
		await editor.picture('form-changed');
	});
});
