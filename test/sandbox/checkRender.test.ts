import { differsFromContract } from '../../sandbox/check';
import { createSandbox, type Sandbox } from '../../sandbox/service';
import { FAMILIES } from '../../sandbox/service/gatewayProfile';
import { check, named, ordering, seenOf, takePauses, useOwnTime } from './support/check';

// The one render: what is seen of it, and that it is one, whatever the service does.

const MODEL = 'veo-3.1-fast-generate-001';

useOwnTime();
let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0 });
});
afterAll(async () => await sandbox.close());
beforeEach(() => {
	sandbox.reset();
	takePauses();
});

const paid = () =>
	sandbox.submissions().filter(({ body }) => 'prompt' in (body as Record<string, unknown>));

it('follows a render of the contract to its file', async () => {
	const { said, ...result } = await check(sandbox, ordering(MODEL));
	const [{ task_id: id }] = sandbox.tasks();
	expect(said[0]).toContain(`task ${id}`);
	expect(result.taskId).toBe(id);
	expect(differsFromContract(result.rows)).toBe(false);
	expect(named(result, 'differs')).toEqual(['Unit of quota', 'Factors of the price']);
	expect(seenOf(result, 'Download')).toMatch(/^200 video\/mp4, MP4, \d+ bytes$/);
	expect(seenOf(result, 'Part of a download')).toBe('206');
	expect(paid()).toHaveLength(1);
});

it('tells the states that it has seen', async () => {
	sandbox.set({ plan: { renderMs: 40_000, queuedMs: 15_000 } });
	const result = await check(sandbox, ordering(MODEL));
	expect(seenOf(result, 'States')).toBe('queued, IN_PROGRESS, SUCCESS');
	expect(seenOf(result, 'Progress')).toMatch(/^\d+%, .*100%$/);
	expect(takePauses()).toEqual([10_000, 10_000, 10_000, 10_000]);
});

it('does not poll a task again that has succeeded', async () => {
	await check(sandbox, ordering(MODEL));
	expect(sandbox.tasks()[0].polls).toBe(1);
});

it.each(FAMILIES)(
	'$label at a gateway: what differs from the contract',
	async ({ label, model }) => {
		sandbox.set({ profile: 'gateway' });
		const result = await check(sandbox, ordering(model));
		expect(paid()).toHaveLength(1);
		expect(seenOf(result, 'Download')).toMatch(/^200 video\/mp4, MP4/);
		const differing = named(result, 'differs');
		if (label.startsWith('Veo')) {
			expect(differing).toEqual(expect.arrayContaining(['Record', 'States', 'Progress']));
			expect(seenOf(result, 'States')).toBe('succeeded');
		} else {
			expect(differing).not.toContain('Record');
			expect(seenOf(result, 'Cost')).toMatch(/^\d+ units = [\d.]+ USD, charged at the submit$/);
		}
	},
);

it('a render that fails is the contract kept, with its reason', async () => {
	sandbox.set({ plan: { outcome: 'FAILURE', failReason: 'No GPU' } });
	const result = await check(sandbox, ordering(MODEL));
	expect(seenOf(result, 'End')).toBe('FAILURE (No GPU), after 1 poll');
	expect(seenOf(result, 'Download')).toBe('the render ended in FAILURE');
	expect(differsFromContract(result.rows)).toBe(false);
});

it('asks seldom for a task whose record is the answer of the vendor', async () => {
	sandbox.set({ profile: 'gateway', plan: { renderMs: 40_000 } });
	await check(sandbox, ordering('veo-3.1-generate-preview'));
	expect(takePauses()).toEqual([30_000, 30_000]);
});

it('gives up waiting, and says so', async () => {
	sandbox.set({ plan: { outcome: 'never' } });
	const result = await check(sandbox, { ...ordering(MODEL), waitMs: 60_000 });
	expect(seenOf(result, 'End')).toBe('still IN_PROGRESS after 7 polls');
});

it('goes on after trouble with a poll', async () => {
	sandbox.set({ plan: { poll: ['html502', 'reset', 'json503'] } });
	const result = await check(sandbox, ordering(MODEL));
	expect(seenOf(result, 'End')).toMatch(
		/^SUCCESS, after 4 polls, 3 of them without a record \(503/,
	);
});

describe('a submit that goes wrong is sent once', () => {
	const UNCLEAR = ['reset', 'cut', 'html502', 'html200', 'empty200', 'noId', 'panic500'];
	const REFUSED = ['json500', 'business503', 'rateLimited', 'modelNotFound'];

	it.each([...UNCLEAR, ...REFUSED])('%s', async (fault) => {
		sandbox.set({ plan: { submit: [{ always: fault }] } });
		const result = await check(sandbox, ordering(MODEL));
		expect(paid()).toHaveLength(1);
		expect(named(result, 'differs')).toContain('Submit');
		const words = UNCLEAR.includes(fault) ? /^it may be paid for/ : /^refused: /;
		expect(seenOf(result, 'Submit')).toMatch(words);
		expect(seenOf(result, 'Record')).toBe('there is no task');
	});
});

it('orders nothing with a key that is refused', async () => {
	const result = await check(sandbox, { ...ordering(MODEL), key: 'sandbox-expired' });
	expect(paid()).toHaveLength(0);
	expect(seenOf(result, 'Submit')).toContain('the key is refused');
});
