import { holdsKey } from '../../sandbox/check/keyArguments';
import { startCli, stopAll } from './support/cli';
import { KEY } from './support/check';
import { useSandbox } from './support/stage';
import { openTerminal } from './support/terminal';

// The command: where the key comes from and where it never goes, questions, exit codes.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());
afterEach(stopAll);

const NO_KEYS = { VIDEO_API_KEY: '', TEXT_API_KEY: '' };

async function run(args: string[], env: Record<string, string> = { VIDEO_API_KEY: KEY }) {
	const cli = startCli(args, 'check', { ...NO_KEYS, ...env });
	const { code } = await cli.ended;
	return { code, out: cli.out(), err: cli.err() };
}

const at = () => ['--base-url', stage.sandbox.url];

it('prints a table, and ends with 0 where the contract is kept', async () => {
	const { code, out, err } = await run(at());
	expect([code, err]).toEqual([0, '']);
	expect(out).toMatch(/^kept +Poll address +GET \/v1\/video\S+ +400 task_not_exist/m);
	expect(out).toMatch(/\d+ kept, 1 differs, \d+ not tested\n$/);
	expect(out).not.toContain(KEY);
	expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
	expect(stage.sandbox.tasks()).toEqual([]);
});

it('prints JSON, and orders one video where that is agreed to in advance', async () => {
	const order = ['--render', 'veo-3.1-fast-generate-001', '--yes', '--json', '--seconds', '4'];
	const { code, out, err } = await run([...at(), ...order]);
	const [task] = stage.sandbox.tasks();
	expect(code).toBe(0);
	expect(JSON.parse(out)).toMatchObject({ baseUrl: stage.sandbox.url, taskId: task.task_id });
	expect(task.request).toMatchObject({ duration: 4, seconds: '4' });
	expect(err).toContain(`task ${task.task_id}`);
	expect(stage.sandbox.tasks()).toHaveLength(1);
});

it('ends with 1 where something differs from the contract', async () => {
	const { code, out } = await run(at(), { VIDEO_API_KEY: 'another-key' });
	expect(code).toBe(1);
	expect(out).toMatch(/^differs +Key for video/m);
});

it('takes another key for text', async () => {
	stage.sandbox.set({ listings: true });
	const { out } = await run(at(), { VIDEO_API_KEY: KEY, TEXT_API_KEY: 'another-key' });
	expect(out).toMatch(/^kept +Key for video/m);
	expect(out).toMatch(/^differs +Key for text, header/m);
});

it('ends with 3 where nobody answers', async () => {
	const { code, out, err } = await run(['--base-url', 'http://127.0.0.1:9']);
	expect([code, out]).toEqual([3, '']);
	expect(err).toBe('http://127.0.0.1:9 cannot be reached: no whole answer (ECONNREFUSED).\n');
});

describe('a key among the arguments is refused, and not repeated', () => {
	const LONG = 'Qz7x9kPw2LmN4vRt8sYb3cHd6fGj1aEe';

	it.each([
		['--key'],
		['--token'],
		[`--api-key=${LONG}`],
		[LONG],
		[`--render=${LONG}`],
		['0123456789abcdef0123456789abcdef'],
		['sk-short1'],
		[`https://api.example.com/sk-${LONG}`],
		[`Authorization: Bearer ${LONG}`],
		['AIzaSyA-0123456789-abcdefghijklmnopqrstu'],
		['--x-goog-api-key: a-word'],
		['--bearer:a-word'],
	])('%s looks like one', (argument) => expect(holdsKey(argument)).toBe(true));

	it.each([
		...['--key-in-query', '--base-url', 'https://sk-1.example.com/proxy', 'http://localhost:3000'],
		...['doubao-seedance-1-5-pro-251215', 'veo-3.1-fast-generate-001', 'MiniMax-Hailuo-2.3-Fast'],
	])('%s does not', (argument) => expect(holdsKey(argument)).toBe(false));

	it('one that looks like a word is known from the environment', () => {
		expect(holdsKey('hunter-2-hunter', ['hunter-2-hunter'])).toBe(true);
		expect(holdsKey('https://api.example.com/hunter-two', ['sk-hunter-two'])).toBe(true);
		// What is too short to be a key is a word in many arguments.
		expect(holdsKey('--base-url', ['a'])).toBe(false);
	});

	it.each([
		[['--key', LONG], LONG],
		[['a-word-in-no-place'], 'a-word'],
		[['--base-url', 'https://user:a-word-in-no-place@api.example.com'], 'a-word'],
		[['--base-url', 'https://api.example.com/?key=a-word-in-no-place'], 'a-word'],
		[['--timeout', 'a-word-in-no-place'], 'a-word'],
		[['--seconds', 'a-word-in-no-place'], 'a-word'],
		[['--wait', 'a-word-in-no-place'], 'a-word'],
		[['--header', 'a-word-in-no-place'], 'a-word'],
		[['--yes=a-word-in-no-place'], 'a-word'],
		[['--a-word-in-no-place'], 'a-word'],
		[['--a-word-in-no-place=1'], 'a-word'],
		[['-a-word-in-no-place'], 'a-word'],
		[['--x-goog-api-key: a-word-in-no-place'], 'a-word'],
		[['--bearer:a-word-in-no-place'], 'a-word'],
	])('%j ends with 2', async (args, secret) => {
		const { code, out, err } = await run([...at(), ...args]);
		expect([code, out]).toEqual([2, '']);
		expect(err).not.toContain(secret);
	});
});

it.each([
	[[], 'web address'],
	[['--base-url', 'ftp://api.example.com'], 'web address'],
	[['--speed', '1'], 'There is an unknown option'],
	[['--wait', 'x'], '--wait is a number'],
	[['--timeout', '0'], '--timeout is a number, 1 to 600'],
	[['--render', ''], '--render is the name of a model'],
	[['--render= ', '--yes'], '--render is the name of a model'],
	[['--seconds', '0'], '--seconds is a whole number, 1 to 60'],
	[['--seconds', '61'], '--seconds is a whole number, 1 to 60'],
	[['--header', 'Cookie'], '--header is a name'],
])('%j ends with 2', async (args, words) => {
	const base = args.includes('--base-url') || args.length === 0 ? [] : at();
	const { code, err, out } = await run([...base, ...args]);
	expect([code, out]).toEqual([2, '']);
	expect(err).toContain(words);
});

it.each([
	[[], {}, 'set VIDEO_API_KEY'],
	[[], { VIDEO_API_KEY: 'a b c d e f' }, 'no key has'],
	[['--render', 'veo'], { VIDEO_API_KEY: KEY }, '--yes'],
])('without a terminal nobody is asked: %j %j', async (args, env, words) => {
	const { code, err } = await run([...at(), ...args], env);
	expect([code, err]).toEqual([2, expect.stringContaining(words)]);
	expect(stage.sandbox.requests).toEqual([]);
});

it('explains itself', async () => {
	const { code, out } = await run(['--help'], {});
	expect([code, out.startsWith('Usage: npm run check:service')]).toEqual([0, true]);
});

describe('a terminal', () => {
	it('does not echo a key', async () => {
		const { input, terminal, written } = openTerminal();
		const asked = terminal.askHidden('API key: ');
		input.write('my-secret-key\r');
		expect(await asked).toBe('my-secret-key');
		expect(written()).toBe('API key: \n');
	});

	it.each([
		['y\r', true],
		['YES\r', true],
		['\r', false],
		['no\r', false],
		['yesterday\r', false],
		['\u0003', false],
		['\u0004', false],
	])('%j to a question is %j', async (typed, agreed) => {
		const { input, terminal } = openTerminal();
		const asked = terminal.askYes('Continue? [y/N] ');
		input.write(typed);
		expect(await asked).toBe(agreed);
	});
});
