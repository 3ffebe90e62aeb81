import { exampleNames, prepareWorkflow, readExample } from '../../sandbox/demo/examples.mjs';
import { geminiCredential } from './agent.mjs';
import { KEY } from './sandbox.mjs';
import { openWholeCanvas } from './wholeCanvas.mjs';

/** A canvas of this size holds every example without making it smaller. */
const SIZE = { width: 2400, height: 1300 };

/** The window for these scenes; a picture is as wide as its example then, all of the same zoom. */
export const EXAMPLE_VIEW = { viewport: SIZE, deviceScaleFactor: 1 };

const NO_STORAGE = {
	name: 'S3 account',
	type: 's3',
	data: { endpoint: 'https://example.com', accessKeyId: 'none', secretAccessKey: 'none' },
};

/**
 * A scene for each example, by `examples/<its name>`: its canvas as it looks once somebody has
 * imported it and chosen credentials. `credentials` are those of our nodes, by type.
 */
export async function createExampleScenes({ api, service }, credentials) {
	const all = { ...credentials };
	for (const credential of [geminiCredential(service.url, KEY), NO_STORAGE]) {
		const { id } = await api.createCredential(credential);
		all[credential.type] = { id, name: credential.name };
	}
	const sceneOf = (fileName) => async (editor) => {
		const example = await readExample(fileName);
		const { id } = await api.createWorkflow(prepareWorkflow(example, { credentials: all }));
		await editor.openWorkflow(id);
		return await openWholeCanvas(editor.page);
	};
	const names = await exampleNames();
	return Object.fromEntries(
		names.map((fileName) => [`examples/${fileName.replace('.json', '')}`, sceneOf(fileName)]),
	);
}
