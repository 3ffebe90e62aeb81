import type { Run } from '../shared/item/run';

interface Tries {
	runIndex: number;
	count: number;
}

/** By the object that n8n gives a node in an execution, which is the same in all its tries. */
const ofNodes = new WeakMap<object, Tries>();

/**
 * Counts that n8n begins a try of the node.
 *
 * @returns whether n8n makes no further one, whatever comes of it
 */
export function beginTry({ context }: Pick<Run, 'context'>): boolean {
	const { retryOnFail, maxTries } = context.getNode();
	if (retryOnFail !== true) return true;
	const node = context.getContext('node');
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	const before = ofNodes.get(node);
	const count = before?.runIndex === runIndex ? before.count + 1 : 1;
	ofNodes.set(node, { runIndex, count });
	return count >= toMaxTries(maxTries);
}

/** As n8n reads the setting. */
const toMaxTries = (maxTries: number | undefined) => Math.min(5, Math.max(2, maxTries || 3));
