import type { INode, IWorkflowBase } from 'n8n-workflow';

import { list, read, readJson } from './support/files';

const exampleFiles = list('examples').filter((file) => file.endsWith('.json'));
const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';

// That n8n knows each node and field, and what comes out, is tested in a real n8n (e2e/).
describe.each(exampleFiles)('%s', (file) => {
	const example = readJson<IWorkflowBase>(file);
	const { nodes, connections } = example;
	const steps = nodes.filter((node) => !isNote(node));

	it('holds no ids, credentials or pinned data of whoever drew it', () => {
		expect(Object.keys(example).sort()).toEqual(['connections', 'name', 'nodes', 'settings']);
		for (const node of nodes) {
			const own = ['id', 'credentials', 'webhookId'].filter((field) => field in node);
			expect([node.name, own]).toEqual([node.name, []]);
		}
		expect(read(file)).not.toMatch(/instanceId|task_[0-9a-f]{8,}|127\.0\.0\.1|localhost/);
	});

	it('connects every step, by names that exist once', () => {
		const names = steps.map(({ name }) => name);
		expect(new Set(nodes.map(({ name }) => name)).size).toBe(nodes.length);
		const targets = Object.values(connections)
			.flatMap((byType) => Object.values(byType).flat())
			.flatMap((links) => (links ?? []).map((link) => link.node));
		expect(
			[...Object.keys(connections), ...targets].filter((name) => !names.includes(name)),
		).toEqual([]);
		const linked = new Set([...Object.keys(connections), ...targets]);
		expect(names.filter((name) => !linked.has(name))).toEqual([]);
		expect(example.settings).toMatchObject({ executionOrder: 'v1' });
	});

	it('puts no text of an item between the quotation marks of JSON: one in the text would end it', () => {
		expect(read(file)).not.toMatch(/:\s*\\"\{\{/);
	});

	it("names nobody's address", () => {
		const text = JSON.stringify(steps);
		expect(text).not.toMatch(/https?:\/\/(?!([\w-]+\.)*example\.com\b)/);
	});
});
