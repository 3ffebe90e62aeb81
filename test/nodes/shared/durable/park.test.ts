import { whyNotDurable } from '../../../../nodes/shared/durable/park';
import { makeRun } from '../../../support/makeRun';

const able = {
	onExecutionFinish: () => {},
	getKnownNodeTypes: () => ({ 'n8n-nodes-base.wait': {} }),
	getWorkflow: () => ({ id: '1' }),
	getWorkflowDataProxy: () => ({ $: () => ({ isExecuted: true }) }),
	getParentNodes: () => [],
};
const webhook = (parameters: object, type = 'webhook') => ({
	getParentNodes: () => [{ name: 'Start', type: `n8n-nodes-base.${type}`, parameters }],
});
const why = (more: object = {}) => whyNotDurable(makeRun({ more: { ...able, ...more } }));

describe('whyNotDurable', () => {
	it('has no reason where all is there', () => expect(why()).toBeUndefined());

	it.each([
		['an agent', { isToolExecution: () => true }, /agent/],
		['no saved workflow', { getWorkflow: () => ({}) }, /not saved/],
		['no Wait node', { getKnownNodeTypes: () => ({}) }, /no Wait node/],
		['a webhook that waits', webhook({ responseMode: 'lastNode' }), /webhook responds/],
		['a chat that waits', webhook({}, 'chatTrigger'), /webhook responds/],
	])('%s is one', (_name, more, reason) => expect(why(more)).toMatch(reason));

	it('an n8n without its method to resume is one, whatever its package exports', () => {
		const older: Partial<typeof able> = { ...able };
		delete older.onExecutionFinish;
		const run = makeRun({ more: older });
		expect(whyNotDurable(run)).toMatch(/this version of n8n/);
	});

	it.each([
		['a webhook that answers at once', webhook({ responseMode: 'onReceived' })],
		['a webhook', webhook({})],
		['another trigger', webhook({ responseMode: 'lastNode' }, 'cron')],
	])('%s is none', (_name, more) => expect(why(more)).toBeUndefined());
});
