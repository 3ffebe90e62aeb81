import { ROWS } from '../../sandbox/check';
import { check, ordering, seenOf } from './support/check';
import { startHostile } from './support/hostile';

// Values that are not what they should be: the check comes to its end, with a task that is paid, too.

let server: Awaited<ReturnType<typeof startHostile>> | undefined;
afterEach(async () => await server?.close());

const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
const VALUES = {
	'no toString': '{"toString":1}',
	'no toString, toJSON and valueOf': '{"toString":1,"toJSON":1,"valueOf":1}',
	'a list': '[null]',
	'a deep list': deep,
	'many spaces': `"${' '.repeat(100_000)}"`,
	'many brackets': `"${'('.repeat(100_000)}"`,
};
const CASES = Object.entries(VALUES).flatMap(([name, value]) =>
	Object.entries({ FAILURE: '"FAILURE"', SUCCESS: '"SUCCESS"', 'the same': value }).map(
		([end, status]) => [name, end, value, status],
	),
);

/** Every field of every answer is the value; one task is made and ends with the status. */
const start = async (value: string, { id = '"task_paid"', status = '"FAILURE"' } = {}) =>
	await startHostile((request, response) => {
		const isOrder = request.body.includes('"prompt"');
		const isOrdered = request.url!.includes('task_paid');
		const isPublic = request.url!.includes('/status');
		const words = [
			'message',
			'code',
			'type',
			'fail_reason',
			'progress',
			'quota',
			'object',
			'model',
		];
		const fields = words.map((name) => `"${name}":${value}`).join();
		const unit = `"quota_per_unit":1,"quota_display_type":${value}`;
		const data = `{${fields},${unit},"status":${status}}`;
		const task = isOrder ? `"task_id":${id},` : '';
		response.writeHead(isOrder || isOrdered || isPublic ? 200 : 400, {
			'content-type': 'application/json',
		});
		response.end(`{${task}${fields},"data":${data}}`);
	});

const line = (length: number) => expect.stringMatching(new RegExp(`^.{0,${length}}$`));

it.each(CASES)('%s everywhere, at the end %s', async (_name, _end, value, status) => {
	server = await start(value, { status });
	const result = await check(server, { ...ordering('a-model'), waitMs: 0 });
	expect(result.rows).toHaveLength(ROWS.length);
	expect(result.taskId).toBe('task_paid');
	for (const { seen } of result.rows) expect(seen).toEqual(line(221));
});

it('a question that fails is a no', async () => {
	server = await start('"x"');
	const mayRender = async () => await Promise.reject(new Error('no terminal'));
	const result = await check(server, { render: 'a-model', mayRender });
	expect(seenOf(result, 'Submit')).toBe('nothing was ordered');
});

it.each([
	['"\\ud800x"', '"\\ud800x"'],
	['"a  b"', '"a\\u0020\\u0020b"'],
	['"a\\u202eb\\n"', '"a\\u202eb\\n"'],
	['"task-1.2:3/x"', 'task-1.2:3/x'],
	['12', '12'],
])('the ID %s is told as %s', async (id, told) => {
	server = await start('"x"', { id });
	const result = await check(server, { ...ordering('a-model'), waitMs: 0 });
	expect(result.taskId).toBe(told);
	expect(result.said[0]).toContain(`task ${told}. It is paid for`);
	expect(seenOf(result, 'Submit')).toBe(`200, task ${told}`);
});
