import { createSandbox } from '../../sandbox/service';
import { call } from './support/call';
import { ask, clientOf } from './support/client';
import { startCli, stopAll } from './support/cli';

// The command that a person starts.

afterEach(stopAll);

it('prints address and key, serves, logs without the key, and ends on Ctrl+C', async () => {
	const cli = startCli(['--port', '0', '--key', 'my-secret', '--render', '0']);
	await cli.printed('Ctrl+C');
	const url = /Base URL\s+(\S+)/.exec(cli.out())?.[1] ?? '';
	expect(/Key\s+(\S+)/.exec(cli.out())?.[1]).toBe('my-secret');
	const client = clientOf({ url }, 'my-secret');
	const { json } = await client.submit('A red bicycle');
	expect((await client.poll(json.id)).json.data.status).toBe('SUCCESS');
	await client.generate(ask('Hello'), { query: '?key=my-secret', headers: {} });
	expect((await call(`${url}/_sandbox/health`)).json).toMatchObject({ ok: true, requests: 3 });
	await cli.printed('generateContent');
	expect(cli.out()).toContain(`POST /v1/video/generations 200 ${json.id}`);
	expect(cli.out().match(/my-secret/g)).toHaveLength(1);
	cli.interrupt();
	expect(await cli.ended).toEqual({ code: 0, signal: null });
	expect(cli.err()).toBe('');
});

it('says in one sentence that its port is in use', async () => {
	const sandbox = await createSandbox();
	const { port } = new URL(sandbox.url);
	const cli = startCli(['--port', port]);
	expect((await cli.ended).code).toBe(1);
	expect(cli.err()).toBe(`Port ${port} is in use: choose another one with --port.\n`);
	await sandbox.close();
});

it.each([
	[['--port', 'abc'], '--port is a number'],
	[['--port', '70000'], '--port is a number'],
	[['--render', ''], '--render is a number'],
	[['--speed', '1'], 'There is an unknown option'],
])('refuses %j', async (options, message) => {
	const cli = startCli(options);
	expect((await cli.ended).code).toBe(1);
	expect(cli.err()).toContain(message);
	expect(cli.out()).toBe('');
});
