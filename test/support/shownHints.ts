import type { IDataObject, INodeType, INodeTypes, NodeHint } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

/** The hints of a node that the editor shows above its output before a run. */
export function shownHints(
	type: INodeType,
	hints: NodeHint[],
	parameters: IDataObject,
): NodeHint[] {
	const nodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
	} as unknown as INodeTypes;
	const node = {
		...{ id: '1', name: 'Node', type: 'x.node', typeVersion: 1 },
		...{ position: [0, 0] as [number, number], parameters: parameters as never },
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return hints.filter(({ displayCondition }) => {
		const holds: unknown = workflow.expression.getSimpleParameterValue(
			node,
			displayCondition!,
			'internal',
			{},
		);
		expect(typeof holds).toBe('boolean');
		return holds;
	});
}
