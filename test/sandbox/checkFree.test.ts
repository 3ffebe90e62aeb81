import { differsFromContract, ROWS } from '../../sandbox/check';
import { createSandbox, type Sandbox } from '../../sandbox/service';
import { check, named, seenOf } from './support/check';

// What the free check says of the two profiles and of other deployments, and that it is free.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox();
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.reset());

const OF_RENDERS = [
	...['Submit', 'Fields of the submit', 'Record', 'States', 'Progress', 'End', 'Result address'],
	...['Download', 'Part of a download', 'HEAD of a download', 'Cost', 'Factors of the price'],
];
const PROFILES = ['contract', 'gateway'] as const;

describe.each(PROFILES)('the profile %s', (profile) => {
	beforeEach(() => sandbox.set({ profile }));

	it('keeps everything that can be told without money', async () => {
		const result = await check(sandbox, { keyInQuery: true });
		const differing = {
			contract: ['Unit of quota'],
			gateway: [],
		};
		expect(named(result, 'differs')).toEqual(differing[profile]);
		expect(named(result, 'not tested')).toEqual(['Submit without prompt', ...OF_RENDERS]);
		expect(result.rows).toHaveLength(ROWS.length);
		expect(differsFromContract(result.rows)).toBe(false);
	});

	it('makes no task, and sends nothing that could make one', async () => {
		await check(sandbox, { keyInQuery: true });
		expect(sandbox.tasks()).toEqual([]);
		const posts = sandbox.requests.filter(({ method }) => method === 'POST');
		expect(posts.length).toBe(7);
		for (const { body, path } of posts) {
			expect(body).not.toHaveProperty('prompt');
			expect(body).not.toHaveProperty('image');
			expect(body).not.toHaveProperty('contents');
			const { model = '' } = body as { model?: string };
			expect(`${path} ${model}`).not.toMatch(/veo|sora|kling|gemini-/);
			expect(path).toMatch(/^\/v1\/video\/generations$|:(g|streamG)enerateContent$/);
		}
	});

	it('asks before nothing and orders nothing where a person says no', async () => {
		const result = await check(sandbox, {
			render: 'veo-3.1-fast-generate-001',
			mayRender: async () => false,
		});
		expect(sandbox.tasks()).toEqual([]);
		expect(seenOf(result, 'Submit')).toBe('nothing was ordered');
	});
});

it('sends the key in the address only where that is wanted', async () => {
	await check(sandbox);
	expect(sandbox.requests.filter(({ query }) => 'key' in query)).toEqual([]);
	await check(sandbox, { keyInQuery: true });
	expect(sandbox.requests.filter(({ query }) => 'key' in query)).toHaveLength(1);
});

it.each([
	['without lists', { listings: false }, ['List of models', 'List for text'], false],
	['behind a page', { outage: 'html502' }, ['Base URL', 'Key for video', 'Wrong key, poll'], true],
	['with other words for unknown addresses', { notFoundShape: 'html' as const }, [], false],
	['that answers nothing', { outage: 'empty200' }, ['Base URL', 'Wrong key, submit'], true],
])('a deployment %s', async (_name, changes, differing, breaks) => {
	sandbox.set(changes);
	const result = await check(sandbox);
	expect(named(result, 'differs')).toEqual(expect.arrayContaining(differing));
	expect(differsFromContract(result.rows)).toBe(breaks);
});

it.each(['sandbox-used-up', 'another-key-that-is-wrong'])('the key %s is told', async (key) => {
	const result = await check(sandbox, { key, textKey: key });
	expect(named(result, 'differs')).toEqual(
		expect.arrayContaining(['Key for video', 'Key for text, header']),
	);
	expect(seenOf(result, 'Poll address')).toContain('the key is refused');
});

it('a busy service is no difference', async () => {
	sandbox.set({ outage: 'rateLimited' });
	const result = await check(sandbox);
	expect(named(result, 'differs')).toEqual([]);
	expect(seenOf(result, 'Base URL')).toContain('try again later');
});
