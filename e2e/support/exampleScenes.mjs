import { exampleNames, prepareWorkflow, readExample } from '../../sandbox/demo/examples.mjs';

/** Nodes, the names below them, the plus signs behind the last ones, and the lines between them. */
const PARTS = [
	...['.vue-flow__node', '.vue-flow__node [class*=_description_]'],
	...['[data-test-id="canvas-handle-plus"]', '.vue-flow__edge-path'],
].join();
const AROUND_PX = 24;

/** All nodes and notes of an open workflow at 100 %, as a part of the page that has a screenshot. */
async function openWholeCanvas(page) {
	await page.keyboard.press('1');
	await page.keyboard.press('0');
	await page.waitForFunction(() => {
		const { transform } = document.querySelector('.vue-flow__transformationpane').style;
		return transform.endsWith('scale(1)');
	});
	const clip = await page.evaluate(around, [PARTS, AROUND_PX]);
	return { screenshot: async (options) => await page.screenshot({ ...options, clip }) };
}

/** In the page: what to cut out of it. */
function around([parts, margin]) {
	const boxes = [...document.querySelectorAll(parts)]
		.map((part) => part.getBoundingClientRect())
		.filter(({ width, height }) => width > 0 || height > 0);
	const left = Math.min(...boxes.map((box) => box.left)) - margin;
	const top = Math.min(...boxes.map((box) => box.top)) - margin;
	const right = Math.max(...boxes.map((box) => box.right)) + margin;
	const bottom = Math.max(...boxes.map((box) => box.bottom)) + margin;
	return { x: left, y: top, width: right - left, height: bottom - top };
}

/** A canvas of this size holds every example without making it smaller. */
const SIZE = { width: 1400, height: 1700 };

/** The window for these scenes; a picture is as wide as its example then, all of the same zoom. */
export const EXAMPLE_VIEW = { viewport: SIZE, deviceScaleFactor: 1 };

/** Accounts elsewhere, which no scene uses. */
const ELSEWHERE = Object.entries({
	'S3 account': 's3',
	'Gemini account': 'googlePalmApi',
	'Gmail account': 'gmailOAuth2',
	'Google Drive account': 'googleDriveOAuth2Api',
	'Google Sheets account': 'googleSheetsOAuth2Api',
	'Telegram account': 'telegramApi',
	'Form account': 'httpBasicAuth',
	'Header account': 'httpHeaderAuth',
}).map(([name, type]) => ({ name, type, data: { endpoint: 'https://example.com' } }));

/**
 * A scene for each example, by `examples/<its name>`: its canvas as it looks once somebody has
 * imported it and chosen credentials and a spreadsheet. `credentials` are those of our nodes, by type.
 */
export async function createExampleScenes({ api }, credentials) {
	const all = { ...credentials };
	for (const credential of ELSEWHERE) {
		const { id } = await api.createCredential(credential);
		all[credential.type] = { id, name: credential.name };
	}
	const sceneOf = (fileName) => async (editor) => {
		const example = await readExample(fileName);
		for (const { parameters } of example.nodes) {
			if (parameters.documentId?.value === '') parameters.documentId.value = 'clips';
		}
		const { id } = await api.createWorkflow(prepareWorkflow(example, { credentials: all }));
		await editor.openWorkflow(id);
		return await openWholeCanvas(editor.page);
	};
	const names = await exampleNames();
	return Object.fromEntries(
		names.map((fileName) => [`examples/${fileName.replace('.json', '')}`, sceneOf(fileName)]),
	);
}
