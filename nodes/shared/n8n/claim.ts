import type { IExecuteFunctions, INode } from 'n8n-workflow';

type Helpers = IExecuteFunctions['helpers'];

const ENTRIES = { mode: 'entries' } as const;

/**
 * Claims a name for this node in n8n's database, once for all executions on all workers. n8n writes it at
 * once, where neither Stop nor a kill undoes it; what a node keeps elsewhere, n8n saves at the end only.
 * It goes with the workflow, or with `release`.
 *
 * @returns whether the name was free
 */
export async function claim(context: IExecuteFunctions, name: string): Promise<boolean> {
	const insert = async () => {
		const { new: added } = await withRow(
			context,
			name,
			async (helpers) => await helpers.checkProcessedAndRecord([name], 'node', ENTRIES),
		);
		return added.length > 0;
	};
	// The database refuses an insert if another was faster. The second call then finds that row. It also
	// finds one that was inserted by a call whose answer was lost: the name counts as taken.
	return await insert().catch(insert);
}

/** Makes a claimed name free again. */
export async function release(context: IExecuteFunctions, name: string): Promise<void> {
	await withRow(
		context,
		name,
		async (helpers) => await helpers.clearAllProcessedItems('node', ENTRIES),
	);
}

/**
 * Calls a helper of n8n that keeps what a node has processed, with a row of this name instead of the row
 * of the node. n8n keeps a row for each node ID, and reads and rewrites it as a whole (deduplication-helper.js,
 * n8n 2.41), so that entries get lost when two executions write at the same time. But workflow and node ID
 * are the primary key of its table: of all inserts of the same row, the database lets one through.
 *
 * n8n reads the ID from its own object of the node, before anything asynchronous. Nothing else runs in
 * between. In the sub-nodes of an agent, the node of `getExecuteData()` would be the agent.
 */
async function withRow<Result>(
	context: IExecuteFunctions,
	name: string,
	call: (helpers: Helpers) => Promise<Result>,
): Promise<Result> {
	const { node } = context as unknown as { node: INode };
	const { id } = node;
	node.id = `${id} ${name}`;
	let asked: Promise<Result>;
	try {
		asked = call(context.helpers);
	} finally {
		node.id = id;
	}
	return await asked;
}
