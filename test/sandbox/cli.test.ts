import { SETTINGS } from '../../sandbox/service/deployment';
import { FAULTS } from '../../sandbox/service/faults';
import { KEYS } from '../../sandbox/service/keys';
import { PLAN_KEYS } from '../../sandbox/service/plan';
import { until } from '../support/clock';
import { runCli, startCli } from './support/cli';

// `npm run sandbox`

it('starts, says what to enter, and ends by Ctrl+C', async () => {
	const cli = startCli('--port', '0');
	await until(() => cli.out().includes('Ctrl+C'));
	for (const word of ['Base URL', 'Key']) expect(cli.out()).toContain(word);
	const [url] = /http:\/\/127\S+:\d+/.exec(cli.out()) ?? [''];
	expect((await fetch(`${url}/_sandbox/deployment`)).status).toBe(200);
	expect(await cli.interrupt()).toEqual({ code: 0, err: '' });
});

it('the help lists what the sandbox can do', async () => {
	const { code, out } = await runCli(['--help']);
	const listed = [...out.matchAll(/^ {2}(\S+)/gm)].map(([, word]) => word);
	const able = Object.keys({ ...FAULTS, ...PLAN_KEYS, ...KEYS, ...SETTINGS });
	expect([code, able.filter((word) => !listed.includes(word))]).toEqual([0, []]);
});

it.each([
	[['--port', '70000'], '--port is a whole number'],
	[['--speed', '1'], 'There is an unknown option'],
])('refuses %j', async (options, message) => {
	const { code, err } = await runCli(options);
	expect([code, err]).toEqual([1, expect.stringContaining(message)]);
});
