import { itemsOf } from '../../../sandbox/n8n/api.mjs';
import { openSandbox } from '../sandbox.mjs';
import {
	chain,
	createStudio,
	items,
	lookBack,
	planned,
	videoGenerate,
	webhook,
} from '../workflows.mjs';

export const WITHIN_MS = 6 * 60_000;
export const DURABLE = { wait: 'durable' };

/** An item that asks for a video, by a name that its prompt begins with. */
export const video = (name, plan = { renderMs: 5_000 }) => ({
	prompt: planned(name, plan),
	n: name,
});

/**
 * A real n8n in which workflows sleep side by side, each under a name. `of` holds them: their ids and
 * what their webhooks answer. `sandbox` and `studio` are there once it is open.
 */
export function createRuns() {
	const runs = { of: {}, itemsOf };

	async function open() {
		runs.sandbox = await openSandbox();
		runs.studio = await createStudio(runs.sandbox);
	}

	/** Publishes, calls the webhook, and keeps what it takes to look at the end. */
	async function begin(name, nodes, connections, settings) {
		const workflow = await runs.studio.publish(name, nodes, connections, settings);
		const answer = runs.sandbox.api.callWebhook(workflow.path);
		answer.catch(() => undefined);
		runs.of[name] = { ...workflow, answer };
	}

	/** Video Generate for these items, and a node behind it that looks back. */
	const straight = async (name, rows, { parameters, rest, settings, hook } = {}) =>
		await begin(
			name,
			[
				webhook(hook),
				items(rows),
				videoGenerate(runs.studio.credentials, { ...DURABLE, ...parameters }, rest),
				lookBack(),
			],
			chain('Webhook', 'Prompts', 'Video Generate', 'After'),
			settings,
		);

	return Object.assign(runs, {
		open,
		close: async () => await runs.sandbox?.close(),
		begin,
		straight,
		/** The execution of a workflow, once it has ended. */
		endOf: async (name) => await runs.studio.ended(runs.of[name].id, WITHIN_MS),
		json: (execution, node, output) => itemsOf(execution, node, output).map((item) => item.json),
		/** The tasks that were created for a name. */
		tasksOf: (name) =>
			runs.sandbox.service.tasks().filter(({ prompt }) => prompt.startsWith(`${name} `)),
	});
}
