import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { skipWithoutChromium as skip } from '../support/debian.mjs';
import { manyRuns } from '../support/editorScenes.mjs';
import { createOpenedNode } from '../support/openedNode.mjs';
import { KEY } from '../support/sandbox.mjs';
import { openShared } from '../support/shared.mjs';

/** Per node of the scene, the two texts of the error view: what happened, and what to do. */
const FAILURES = [
	['No Prompt', /^Prompt is empty \[item 0\]$/, /check that the incoming item has the field/],
	[
		'Failing Render',
		/^The video could not be rendered: Too dark \(task \w+\) \[item 0\]$/,
		/^It may be billed: .* Change the prompt or the image/,
	],
	['Wrong Key', /^The video was not submitted: .* API key.*401/, /Check the credential/],
	['Wrong Address', /^The video was not submitted: nothing/, /Check the address in the credential/],
];

describe('what the editor shows of a run', { skip }, () => {
	let sandbox;
	let editor;
	let node;

	before(async () => {
		sandbox = await openShared();
		const good = await credential({});
		const wrongKey = await credential({ apiKey: 'wrong' });
		const wrongAddress = await credential({ baseUrl: 'http://127.0.0.1:9' });
		const { id } = await sandbox.api.createWorkflow(manyRuns(good, { wrongKey, wrongAddress }));
		const { openEditor } = await import('../support/editor.mjs');
		editor = await openEditor({ url: sandbox.url, owner: sandbox.owner });
		node = createOpenedNode(editor.page);
		await editor.openWorkflow(id);
	});
	after(() => editor?.close());

	async function credential({ baseUrl = sandbox.service.url, apiKey = KEY }) {
		const type = 'videoGenerationApi';
		const { id } = await sandbox.api.createCredential({
			name: 'Video Generation account',
			type,
			data: { baseUrl, apiKey },
		});
		return { [type]: { id, name: 'Video Generation account' } };
	}

	/** n8n's editor cannot run one step after another one that failed, on another branch. */
	async function run(t, name) {
		t.after(async () => {
			await editor.closeNode();
			await editor.clearRun();
		});
		await editor.openNode(name);
		await node.execute();
	}

	for (const [name, happened, toDo] of FAILURES) {
		test(`${name}: what happened, and what to do`, async (t) => {
			await run(t, name);
			const { message, description } = await node.failure();
			assert.match(message, happened);
			assert.match(description, toDo);
		});
	}

	test('a free node says that its step pays first, as long as it has no input', async () => {
		await editor.openNode('Video Download');
		await node.shows(/If Video Generate is one of them, it renders/);
		await editor.closeNode();
	});

	test('Video Download gives a file that plays', async (t) => {
		await run(t, 'Video Download');
		assert.equal((await node.playVideo()).width, 640);
	});

	test('a dry run says before and after it that nothing is billed', async (t) => {
		t.after(async () => {
			await editor.closeNode();
			await editor.clearRun();
		});
		const before = sandbox.service.submissions().length;
		await editor.openNode('Rehearsal');
		await node.shows(/^Dry Run: the requests are checked and returned/);
		await node.execute();
		await node.shows(/^Dry Run: 1 request checked, and nothing submitted/);
		assert.equal(sandbox.service.submissions().length, before);
	});

	test('Durable says before the run how it waits', async () => {
		await editor.openNode('Sleeper');
		await node.shows(/The execution sleeps and resumes by itself/);
	});
});
