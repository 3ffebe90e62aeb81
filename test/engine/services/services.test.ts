import { RECORDS } from '../../../sandbox/services/records';
import { hurry } from '../../support/clock';
import { createEngine, type Engine } from '../../support/engine';
import { EXPECTED } from './expectations';
import { videoGenerate } from '../../support/stage';
import { listen } from './support/listen';
import { runService, wishesOf } from './support/runService';

// Video Generate at each hosted service whose page was read. `npm run sandbox -- services` prints what
// becomes of each setting.

jest.setTimeout(60_000);

let engine: Engine;
let haste: ReturnType<typeof hurry>;
beforeAll(async () => {
	engine = await createEngine();
	haste = hurry(200);
});
afterAll(() => {
	haste.restore();
	engine.close();
});

const run = async (
	...args: Parameters<typeof runService> extends [unknown, ...infer R] ? R : never
) => await runService(engine, ...args);

describe.each(RECORDS)('$name', (record) => {
	const wishes = wishesOf(record);
	const all = wishes.at(-1)!;

	it.each(wishes)('%j: a video is paid for once, and its task is told', async (wish) => {
		const { tasks, lost } = await run(record, wish);
		expect([tasks.length <= 1, lost]).toEqual([true, []]);
	});

	it.each(['fail', 'filtered'] as const)('%s: likewise', async (fault) => {
		const { tasks, lost } = await run(record, {}, { fault });
		expect([tasks.length <= 1, lost]).toEqual([true, []]);
	});

	const expected = EXPECTED[record.name];
	if (expected === undefined) return;
	it(`with all settings: ${JSON.stringify(expected)}`, async () => {
		const { reason = 'works', verdicts, hints, error } = await run(record, all);
		if (expected instanceof RegExp) {
			expect(reason).toMatch(expected);
			// What the credential or the options can change is told.
			const { description = '' } = error as { description?: string };
			if (/HTTP 4/.test(reason)) expect(description).toMatch(/Custom Paths|Additional Fields/);
			return;
		}
		const { drops } = expected === 'works' ? { drops: undefined } : expected;
		const toVerdict = (setting: string) => [setting, setting === drops ? 'dropped' : 'arrives'];
		const wanted = Object.fromEntries(Object.keys(verdicts).map(toVerdict)) as typeof verdicts;
		expect([reason, verdicts]).toEqual(['works', wanted]);
		if (drops) expect(hints).toContain('sent, but some services');
	});
});

it.each([
	[
		'Vancine',
		{ ratio: '16:9' },
		{ api: 'customPaths', submitPath: '/v1/video/generations', taskPath: '/api/task/{id}' },
	],
])('%s: a video with %j and %j in the credential', async (name, wish, access) => {
	const record = RECORDS.find((one) => one.name === name)!;
	const { reason = 'works', tasks, verdicts } = await run(record, wish, { access });
	expect([reason, tasks.length]).toEqual(['works', 1]);
	expect(new Set(Object.values(verdicts))).toEqual(new Set(['arrives']));
});

it('expects something of services that there are', () => {
	const names = RECORDS.map(({ name }) => name);
	expect(Object.keys(EXPECTED).filter((name) => !names.includes(name))).toEqual([]);
});

it('an address that has expired is asked for anew, and nothing is paid twice', async () => {
	const asked: string[] = [];
	const host = await listen(({ method, url = '' }, reply) => {
		asked.push(`${method} ${url}`);
		const isOver = asked.filter((one) => /^GET .*task_1a2b3c$/.test(one)).length > 1;
		if (url === '/new') return void reply.end('\0\0\0\x0cmoov\0\0\0\0\0\0\0\x08mdat');
		const isTask = method === 'POST' || url.endsWith('task_1a2b3c');
		const status = url === '/old' ? 403 : isTask ? 200 : 404;
		const file = `${host.url}${isOver ? '/new' : '/old'}`;
		const record = { id: 'task_1a2b3c', status: 'completed', url: file };
		const body = method === 'POST' ? { id: 'task_1a2b3c', status: 'queued' } : record;
		reply.writeHead(status, { 'content-type': 'application/json' });
		reply.end(JSON.stringify(status === 200 ? body : {}));
	});
	const { outputs } = await engine.run({
		node: videoGenerate({ downloadVideo: true, prompt: 'A boat' }),
		credentials: {
			videoGenerationApi: { baseUrl: host.url, apiKey: 'sk-1a2b3c', allowPrivateAddresses: true },
		},
	});
	await host.close();
	expect(outputs()[0][0].binary).toMatchObject({ data: { mimeType: 'video/mp4' } });
	expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1);
});

it.each([
	['inProcess', 'SUCCESS'],
	['none', 'queued'],
])(
	'a record that repeats a picture of 9 MB is read, and its bytes stay out of the item: %s',
	async (wait, state) => {
		const picture = `data:image/png;base64,${'5e3/'.repeat(3_000_000)}`;
		const host = await listen(({ method, url = '' }, reply) => {
			const file = `${host.url}/film.mp4`;
			const input = { prompt: 'A boat', image: picture };
			const isTask = method === 'POST' || url.endsWith('task_1a2b3c');
			reply.writeHead(isTask ? 200 : 404, { 'content-type': 'application/json' });
			const status = method === 'POST' ? 'starting' : 'succeeded';
			reply.end(JSON.stringify({ id: 'task_1a2b3c', input, status, output: [file] }));
		});
		const { outputs } = await engine.run({
			node: videoGenerate({ prompt: 'A boat', wait, options: { rawResponse: true } }),
			credentials: { videoGenerationApi: { baseUrl: host.url, apiKey: 'sk-1a2b3c' } },
		});
		await host.close();
		const [{ json }] = outputs()[0];
		expect(json).toMatchObject({ status: state, task_id: 'task_1a2b3c' });
		expect(JSON.stringify(json).length).toBeLessThan(2_000);
	},
);
