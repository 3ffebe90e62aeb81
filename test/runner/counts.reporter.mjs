import path from 'node:path';

// A reporter for Node.js's test runner: one JSON line for each test that ended, for suites.mjs.
export default async function* counts(source) {
	for await (const { type, data } of source) {
		if (type !== 'test:pass' && type !== 'test:fail') continue;
		const { file, skip, todo } = data;
		// A suite counts by its tests; one that is skipped has none.
		if (data.details?.type === 'suite' && skip === undefined) continue;
		const open = skip ?? todo;
		const state = open !== undefined ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
		const said = state === 'failed' ? data.details.error.message : open;
		const reason = typeof said === 'string' && said ? said : 'no reason is given';
		const name = file ? `${path.relative('', file)}: ${data.name}` : data.name;
		yield `${JSON.stringify({ name, state, reason })}\n`;
	}
}
