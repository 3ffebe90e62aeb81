import { sleep } from 'n8n-workflow';

import { createSandbox, type DeploymentChanges, type Sandbox } from '../../sandbox/service';
import { FAULTS } from '../../sandbox/service/faults';
import { until } from '../support/clock';
import { clientOf, gunzipSync } from './support/client';

// Where a stand-in that is wrong would let the tests of the nodes pass: after each fault a render goes
// on, so only here is seen whether the fault happens, and a misspelt one never does.

let sandbox: Sandbox;
let client: ReturnType<typeof clientOf>;
beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0 });
	client = clientOf(sandbox);
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

type Place = 'submit' | 'poll' | 'content';
const FAULT_NAMES = Object.keys(FAULTS);

/** Makes one request that meets the fault; where nothing comes, the client gives up in the end. */
async function meet(fault: string, place: Place) {
	const arrived = () => sandbox.requests[place === 'submit' ? 0 : 1]?.key === 'bearer';
	const patience = /hang|drip|slow/i.test(fault)
		? { giveUpWhen: until(arrived).then(async () => await sleep(50)) }
		: { giveUpAfterBytes: /stall|endless/.test(fault) ? 1000 : Infinity };
	const plan = JSON.stringify({ [place]: [fault], sizeBytes: 100_000 });
	const submitted = await client.submit(
		`A red bicycle sandbox:${plan}`,
		place === 'submit' ? patience : {},
	);
	if (place === 'submit') return submitted;
	return await client[place === 'poll' ? 'poll' : 'download'](submitted.json.id, patience);
}

/** How the transfer of those ends that do not come whole, and with how many bytes. */
const ENDS: Record<string, [string, number?]> = {
	...{ reset: ['reset'], acceptThenReset: ['reset'], acceptThenHang: ['gaveUp'] },
	...{ cut: ['cut', 1000], cutAfter: ['cut', 1000], acceptThenCut: ['cut', 20] },
	...{ stall: ['gaveUp', 1000], endless: ['gaveUp'], drip: ['gaveUp', 1], dripHead: ['gaveUp', 0] },
	...{ hang: ['gaveUp', 0], slow: ['gaveUp', 0], silentCut: ['whole', 1000] },
};
const HEADERS: Record<string, Record<string, string>> = {
	wrongContentType: { 'content-type': 'text/plain; charset=utf-8' },
	retryAfter: { 'retry-after': '1' },
	noLength: { 'transfer-encoding': 'chunked' },
	octetStream: { 'content-type': 'application/octet-stream' },
	...{ gzipBomb: { 'content-encoding': 'gzip' }, deflateBomb: { 'content-encoding': 'deflate' } },
	brotliBomb: { 'content-encoding': 'br' },
};

it.each(FAULT_NAMES)('%s happens', async (name) => {
	const { about, change } = FAULTS[name];
	const { status, headers, bytes, end } = await meet(name, change.accept ? 'submit' : 'content');
	const [ended, length = bytes.length] = ENDS[name] ?? ['whole'];
	expect([end, bytes.length]).toEqual([ended, length]);
	expect(headers).toMatchObject(HEADERS[name] ?? {});
	const [said] = /\b[2-5]\d\d\b(?! MiB| kB| ms)/.exec(about) ?? ['200'];
	if (status && !change.accept) expect(status).toBe(Number(said));
});

it('a bomb is a small answer that is a large one', async () => {
	const { bytes } = await meet('gzipBomb', 'poll');
	expect([bytes.length < 1_000_000, gunzipSync(bytes).length > 100_000_000]).toEqual([true, true]);
});

/** What lets the ordinary answer of a submit through, late or mangled, has created the task. */
const CREATING =
	/^(accept|slow$|wrongContentType$|cutAfter$|silentCut$|stall$|noLength$|.*Bomb$|endless$|drip|octet)/;

it.each(FAULT_NAMES)('%s charges as it should', async (name) => {
	await meet(name, 'submit');
	expect(sandbox.tasks()).toHaveLength(CREATING.test(name) ? 1 : 0);
});

it.each([
	['{"renderMs":1', 'do not balance'],
	['{renderMs:1}', 'not valid JSON'],
	['{"rendrMs":1}', "'rendrMs'"],
	['{"words":{"DONE":"x"}}', 'words.DONE'],
	['{"poll":["html999"]}', 'no fault "html999"'],
	['{"poll":[{"stauts":400}]}', "'stauts'"],
	['{"poll":[{"status":"400"}]}', 'poll.0.status: Expected number'],
	['{"poll":[{"always":"html999"}]}', 'no fault "html999"'],
])('refuses the plan %s', async (plan, message) => {
	const { status, json } = await client.submit(`A red bicycle sandbox:${plan}`);
	expect([status, json.code]).toEqual([400, 'sandbox_plan']);
	expect(json.message).toContain(message);
});

it.each([
	[{ speed: 1 }],
	[{ listings: 'html999' }],
	[{ plan: { rendrMs: 1 } }],
	[{ renderMs: '1' }],
])('refuses the setting %j', (changes) => {
	expect(() => sandbox.set(changes as unknown as DeploymentChanges)).toThrow(/^Settings: /);
});
