import { whyNotDurable } from '../../../nodes/VideoGenerate/park';
import { makeRun } from '../../support/makeRun';

const older = {
	getKnownNodeTypes: () => ({ 'n8n-nodes-base.wait': {} }),
	getWorkflow: () => ({ id: '1' }),
	getWorkflowDataProxy: () => ({ $: () => ({ isExecuted: true }) }),
	getParentNodes: () => [],
};
const able = { ...older, onExecutionFinish: () => {} };

// Triggers, agents and an instance without the Wait node: test/engine/durable/inWorkflows.test.ts.
it.each<[what: string, more: object, why: RegExp | undefined]>([
	['all is there', able, undefined],
	['a workflow that is not saved', { ...able, getWorkflow: () => ({}) }, /not saved/],
	['an n8n that is older than its package', older, /this version of n8n/],
])('why a wait cannot be durable: %s', (_what, more, why) => {
	const reason = whyNotDurable(makeRun({ more }));
	if (why) expect(reason).toMatch(why);
	else expect(reason).toBeUndefined();
});
