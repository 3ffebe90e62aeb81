#!/usr/bin/env node
// `npm run pictures`: takes the pictures of the README, of docs/ and of examples/ again, in a real n8n
// against the stand-in service. Needs chromium and ffmpeg; takes some minutes.
import { prepareWorkflow, readExample } from '../sandbox/demo/examples.mjs';
import { putTextCredential } from './support/texts.mjs';
import { openChatPanel } from './support/chatPanel.mjs';
import { createCredentialDialog } from './support/credentialDialog.mjs';
import { openEditor } from './support/editor.mjs';
import { chatScene, oneVideo, PROMPT, threeStates } from './support/editorScenes.mjs';
import { createExampleScenes, EXAMPLE_VIEW } from './support/exampleScenes.mjs';
import { keepPicture } from './support/media.mjs';
import { createNodesPanel } from './support/nodesPanel.mjs';
import { createOpenedNode } from './support/openedNode.mjs';
import { KEY, openSandbox } from './support/sandbox.mjs';
import { createStudio } from './support/workflows.mjs';

const SIZE = { width: 1440, height: 810 };
const view = { viewport: SIZE, deviceScaleFactor: 1600 / SIZE.width };
const NAME = 'Video Generation account';
const FILM = 'storyboard-to-film';
/** Scenes that readers of a dark page see dark, beside all examples. */
const DARK = ['video-plays', 'film-plays', 'durable-sleeps'];
/** `npm run pictures -- chat-film` takes this one alone, `examples` those of all examples. */
const ONLY = process.argv.slice(2);
const isWanted = (name) =>
	ONLY.length === 0 || ONLY.some((only) => name === only || name.startsWith(`${only}/`));

const sandbox = await openSandbox({ service: { renderMs: 0 } });
const { asleep } = await createStudio(sandbox);
const { id: credentialId } = await sandbox.api.createCredential({
	name: NAME,
	type: 'videoGenerationApi',
	data: { baseUrl: sandbox.service.url, apiKey: KEY },
});
const credentials = { videoGenerationApi: { id: credentialId, name: NAME } };
const textCredentials = await putTextCredential(sandbox);

/** Each scene leaves one picture, of the part that it returns. */
const SCENES = {
	'nodes-panel': async (editor) => {
		await openScene(editor, oneVideo(credentials), null);
		const panel = createNodesPanel(editor.page);
		await panel.open();
		await panel.find('seedance', 'Video Generate');
		await editor.page.setViewportSize({ ...SIZE, height: 440 });
		return editor.page.getByTestId('node-creator');
	},
	credential: async ({ page, openCredential }) => {
		await page.setViewportSize(SIZE);
		await openCredential(credentialId);
		const { dialog } = createCredentialDialog(page);
		await dialog.getByText('Connection tested successfully').waitFor();
		return dialog;
	},
	'video-plays': async (editor) => {
		const node = await openScene(editor, oneVideo(credentials, { downloadVideo: true }));
		await node.execute();
		await closeNotices(editor.page);
		await node.playVideo();
		await editor.page.locator('video').evaluate((player) => player.pause());
	},
	'film-plays': async (editor) => {
		const example = await readExample(`${FILM}.json`);
		const all = { ...credentials, ...textCredentials };
		await openScene(editor, prepareWorkflow(example, { credentials: all }), null);
		await editor.page.getByTestId('execute-workflow-button').first().click();
		await closeNotices(editor.page);
		await editor.openNode('Join Shots');
		// Into the second shot.
		await createOpenedNode(editor.page).playVideo(3);
		await editor.page.locator('video').evaluate((player) => player.pause());
	},
	'three-states': async (editor) => {
		await openScene(editor, threeStates(credentials), null);
		await editor.page.getByTestId('execute-workflow-button').first().click();
		await editor.page.getByTestId('canvas-node-status-success').nth(3).waitFor();
		await closeNotices(editor.page);
	},
	'durable-sleeps': async (editor) => {
		sandbox.service.set({ renderMs: 600_000 });
		const parameters = { wait: 'durable', prompt: PROMPT };
		const id = await openScene(editor, oneVideo(credentials, parameters), null);
		await editor.page.getByTestId('execute-workflow-button').first().click();
		await asleep(id);
		sandbox.service.set({ renderMs: 0 });
		await editor.page.goto(`${sandbox.url}/workflow/${id}/executions`);
		await editor.page.getByText('Check Videos').waitFor();
	},
	// The last one, because the editor keeps the panel open.
	'chat-film': async (editor) => {
		sandbox.service.set({ plan: { renderMs: 6_000 } });
		await openScene(editor, chatScene(credentials), null);
		const chat = await openChatPanel(editor.page, 320);
		await chat.ask('A paper boat on a rainy street');
		await chat.seesLink(/^task_\w+\.mp4$/);
		sandbox.service.set({ plan: {} });
		await closeNotices(editor.page);
	},
};

/** Opens a workflow, and one of its nodes unless told otherwise. */
async function openScene(editor, workflow, nodeName = 'Video Generate') {
	const { id } = await sandbox.api.createWorkflow(workflow);
	await editor.openWorkflow(id);
	if (nodeName === null) return id;
	await editor.openNode(nodeName);
	return createOpenedNode(editor.page);
}

async function closeNotices(page) {
	const close = page.locator('.el-notification__closeBtn');
	await close.first().waitFor();
	for (const button of await close.all()) await button.click();
	await close.first().waitFor({ state: 'detached' });
}

/** Takes those of the scenes that are wanted, in an editor of their own. */
async function take(scenes, theme, view) {
	const wanted = Object.entries(scenes).filter(([name]) => isWanted(name));
	if (wanted.length === 0) return;
	const editor = await openEditor({ url: sandbox.url, owner: sandbox.owner, theme, view });
	for (const [name, scene] of wanted) {
		const part = await scene(editor);
		console.log(await keepPicture(editor.page, name, { theme, part }));
	}
	await editor.close();
}

try {
	const examples = await createExampleScenes(sandbox, { ...credentials, ...textCredentials });
	const dark = Object.fromEntries(DARK.map((name) => [name, SCENES[name]]));
	await take(SCENES, 'light', view);
	await take(dark, 'dark', view);
	await take(examples, 'light', EXAMPLE_VIEW);
	await take(examples, 'dark', EXAMPLE_VIEW);
} finally {
	await sandbox.close();
}
