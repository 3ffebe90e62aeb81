import { randomUUID } from 'node:crypto';
import { shortHash } from '../n8n/folders.mjs';
import { prepareProduction, prepareWorkflow, readExample } from './examples.mjs';

const same = (example) => example;

/**
 * Imports the example for a person, or finds the one imported before. It is imported anew only if
 * the example (or the models asked for) changed, so that what a person edits in the demo's n8n stays.
 */
export async function putExample(api, state, fileName, settings) {
	await putCopies(api, state, fileName, settings);
}

/**
 * The same, and the demo's own copy beside it, which it gives. `change` makes another example of it.
 */
export async function putWorkflow(api, state, fileName, settings) {
	// Not guessable: on a real service whoever can call it spends money.
	const webhookPath = state.get(fileName)?.webhookPath ?? randomUUID();
	const { id } = await putCopies(api, state, fileName, { ...settings, webhookPath });
	await api.activate(id);
	return { id, webhookPath };
}

async function putCopies(api, state, fileName, { webhookPath, change = same, ...settings }) {
	const example = change(await readExample(fileName));
	const hash = shortHash(JSON.stringify([example, settings.models]));
	const known = state.get(fileName);
	const isCurrent = known?.hash === hash;
	const prepare = () => prepareWorkflow(example, settings);
	const copies = { hash, exampleId: await putVersion(api, known?.exampleId, isCurrent, prepare) };
	if (webhookPath) {
		const prepareOwn = () => prepareProduction(prepare(), webhookPath);
		copies.webhookPath = webhookPath;
		copies.id = await putVersion(api, known?.id, isCurrent, prepareOwn);
	}
	await state.set(fileName, copies);
	return copies;
}

async function putVersion(api, id, isCurrent, prepare) {
	if (id !== undefined) {
		const current = await api.getWorkflow(id).catch((error) => {
			if (error.status === 404) return null;
			throw error;
		});
		if (current && !current.isArchived) {
			if (!isCurrent) await api.updateWorkflow(id, prepare());
			return id;
		}
	}
	return (await api.createWorkflow(prepare())).id;
}
