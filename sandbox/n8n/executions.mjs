import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ASK_EVERY_MS = 300;
const ENDED = new Set(['success', 'error', 'canceled', 'crashed']);

/**
 * What n8n ran, by `rest` of its api. `installed` is n8n's folder: its copy of `flatted` reads the
 * run data that n8n stores.
 */
export function createExecutions(rest, installed) {
	const parse = (data) =>
		createRequire(path.join(installed, 'package.json'))('flatted').parse(data);

	/** The execution with its run data read: `{ id, mode, status, finished, data }`. */
	async function execution(id) {
		const found = await rest('GET', `/executions/${id}`);
		const { data } = found;
		return { ...found, data: typeof data === 'string' ? parse(data) : data };
	}

	/**
	 * All executions of a workflow without their data, sub-executions too, newest first. n8n looks
	 * for those that run and those that have ended one after the other, so its list lacks one that
	 * ends in between; it ends once, so a second list has it, or the first one had.
	 */
	async function executionsOf(workflowId) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const list = async () => {
			const all = [];
			let cursor = '';
			do {
				const page = await rest('GET', `/executions?limit=100&filter=${filter}${cursor}`);
				all.push(...page.results);
				// n8n 1 gives one page.
				cursor = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : '';
			} while (cursor);
			return all;
		};
		const found = [...(await list()), ...(await list())].map((one) => [one.id, one]);
		return [...new Map(found).values()].sort((a, b) => Number(b.id) - Number(a.id));
	}

	/** The same without sub-executions, which n8n lists under the workflow that started them. */
	const callersOf = async (workflowId) =>
		(await executionsOf(workflowId)).filter(({ mode }) => mode !== 'integrated');

	async function waitForExecution(id, withinMs) {
		const deadline = Date.now() + withinMs;
		while (Date.now() < deadline) {
			const found = await execution(id);
			if (ENDED.has(found.status)) return found;
			await pause(ASK_EVERY_MS);
		}
		throw new Error(`Execution ${id} had not finished after ${withinMs / 1000} s.`);
	}

	/** The newest execution of a workflow, once it has ended. */
	async function lastExecution(workflowId, withinMs = 30_000) {
		const [{ id }] = await callersOf(workflowId);
		return await waitForExecution(id, withinMs);
	}

	return { execution, executionsOf, callersOf, waitForExecution, lastExecution };
}

/** The items that a node put out, last run, first output unless told. */
export function itemsOf(execution, nodeName, output = 0) {
	return execution.data.resultData.runData[nodeName]?.at(-1)?.data?.main?.[output] ?? [];
}
