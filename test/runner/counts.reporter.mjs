// A reporter for Node.js's test runner: one JSON line for each test that ended, for nodeTests.mjs.
export default async function* counts(source) {
	for await (const { type, data } of source) {
		if (type !== 'test:pass' && type !== 'test:fail') continue;
		const { name, file = '', skip, todo } = data;
		// A suite counts by its tests; one that is skipped has none.
		if (data.details?.type === 'suite' && skip === undefined) continue;
		const open = skip ?? todo;
		const state = open !== undefined ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
		const reason = typeof open === 'string' && open ? open : 'no reason is given';
		yield `${JSON.stringify({ name, file, state, reason })}\n`;
	}
}
