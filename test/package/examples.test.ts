import type { INode, IWorkflowBase } from 'n8n-workflow';

import { list, read, readJson } from './support/files';

const PACKAGE = 'n8n-nodes-video-generation';
const LONGEST_SECONDS = 8;

const exampleFiles = list('examples').filter((file) => file.endsWith('.json'));
const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';
const isOurs = ({ type }: INode) => type.startsWith(`${PACKAGE}.`);
/** Its name in this package, such as `videoGenerate`; below an agent n8n saves it as a tool. */
const ownName = ({ type }: INode) => type.slice(`${PACKAGE}.`.length).replace(/Tool$/, '');

const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');

// That n8n knows each node and field, and what comes out, is tested in a real n8n (e2e/).
describe.each(exampleFiles)('%s', (file) => {
	const example = readJson<IWorkflowBase>(file);
	const { nodes, connections } = example;
	const steps = nodes.filter((node) => !isNote(node));
	const notes = nodes.filter(isNote).map(({ parameters }) => parameters.content as string);

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

	it('says how long the videos are that it pays for, and keeps them short', () => {
		for (const node of nodes.filter((one) => isOurs(one) && ownName(one) === 'videoGenerate')) {
			const { duration } = node.parameters;
			// A storyboard has them in its schema, and a shot that is made anew may tell none.
			const seconds = isExpression(duration)
				? /\\"maximum\\": (\d+)|\|\| (\d+) \}\}"/.exec(read(file))?.slice(1).find(Boolean)
				: duration;
			expect(Number(seconds)).toBeLessThanOrEqual(LONGEST_SECONDS);
			expect(notes.join()).toContain(`${String(seconds)} seconds`);
		}
	});

	it("names nobody's address", () => {
		const text = JSON.stringify(steps);
		expect(text).not.toMatch(/https?:\/\/(?!([\w-]+\.)*example\.com\b)/);
	});

	it('is run in a real n8n', () => {
		const name = file.split('/').pop()!;
		// Some with the answers of other services pinned, by the test of the demo.
		const tests = ['e2e/nodes.test.mjs', 'e2e/templates.test.mjs', 'sandbox/demo/pinned.mjs'];
		expect(tests.filter((path) => read(path).includes(`'${name}'`))).not.toEqual([]);
	});
});
