import { createSandbox, type Sandbox } from '../../sandbox/service';
import { startCli, stopAll } from './support/cli';

// The command that asks a deployment the documented questions that cost nothing.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox();
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.reset());
afterEach(stopAll);

async function check(key = 'sandbox-key', base = sandbox.url) {
	const cli = startCli(['--base-url', base], 'checkService.mjs', { VIDEO_API_KEY: key });
	const { code } = await cli.ended;
	const differing = cli
		.out()
		.split('\n')
		.filter((line) => line.trim().endsWith('differs'))
		.map((line) => line.slice(0, 22).trim());
	return { code, differing, out: cli.out(), err: cli.err() };
}

it.each([
	['contract' as const, ['Unit of quota']],
	['gateway' as const, []],
])('the profile %s keeps what is documented, and nothing is posted', async (profile, differing) => {
	sandbox.set({ profile });
	expect(await check()).toMatchObject({ code: 0, differing, err: '' });
	expect(sandbox.requests.map(({ method }) => method)).toEqual(Array(10).fill('GET'));
});

it.each([
	['with another key', 'a-wrong-key', {}, ['Key for video', 'Unknown task', 'Unknown download']],
	['behind a page', 'sandbox-key', { outage: 'html502' }, ['Unknown task', 'No key', 'Wrong key']],
])('a deployment %s differs', async (_name, key, changes, rows) => {
	sandbox.set(changes);
	const { code, differing, out } = await check(key);
	expect([code, differing]).toEqual([1, expect.arrayContaining(rows)]);
	expect(out).not.toContain(key);
});

it('a busy service is no difference, and none at all is said', async () => {
	sandbox.set({ outage: 'rateLimited' });
	expect(await check()).toMatchObject({ code: 0, differing: [] });
	expect(await check('sandbox-key', 'http://127.0.0.1:1')).toMatchObject({ code: 3 });
	expect(await check('')).toMatchObject({ code: 2, err: 'VIDEO_API_KEY is not set.\n' });
});
