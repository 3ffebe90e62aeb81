import { createSandbox } from '../../sandbox/service';
import { SETTINGS } from '../../sandbox/service/deployment';
import { FAULTS } from '../../sandbox/service/faults';
import { KEYS } from '../../sandbox/service/keys';
import { PLAN_KEYS } from '../../sandbox/service/plan';
import { createVendors } from '../../sandbox/vendors';
import { until } from '../support/clock';
import { runCli, startCli } from './support/cli';
import { call, clientOf } from './support/client';

// The commands that a person starts.

const url = (out: string) => /https?:\/\/127\S+:\d+/.exec(out)?.[0] ?? '';
const control = (place: string, body?: string) =>
	call(place, { ...(body && { method: 'POST', body }) });

it('the sandbox serves, is told and asked what it does, and logs without the key', async () => {
	const cli = startCli('service', '--port', '0', '--key', 'my-secret');
	await until(() => cli.out().includes('Ctrl+C'));
	const sandbox = { url: url(cli.out()) };
	const at = (name: string, body?: string) => control(`${sandbox.url}/_sandbox/${name}`, body);
	expect((await at('deployment', '{"renderMs":0}')).json.renderMs).toBe(0);
	expect((await at('deployment', '{"rendrMs":0}')).status).toBe(400);
	const client = clientOf(sandbox, 'my-secret');
	const { id } = (await client.submit('A red bicycle')).json;
	expect((await client.poll(id)).json.data.status).toBe('SUCCESS');
	await client.generate('Hello');
	expect((await at('requests?method=GET&status=200')).json).toHaveLength(1);
	expect((await at('tasks')).json).toEqual([expect.objectContaining({ task_id: id })]);
	await until(() => cli.out().includes('generateContent'));
	expect(cli.out().match(/my-secret/g)).toHaveLength(1);
	expect(await cli.interrupt()).toEqual({ code: 0, err: '' });
});

it('the vendors say what to enter in a gateway, and record no key', async () => {
	const cli = startCli('vendors', '--port', '0', '--queued', '0', '--running', '0');
	await until(() => cli.out().includes('Ctrl+C'));
	const vendors = { url: url(cli.out()) };
	const gemini = (place: string, body?: string) =>
		call(`${vendors.url}/gemini/v1beta/${place}`, {
			headers: { 'x-goog-api-key': 'secret-key' },
			...(body && { method: 'POST', body }),
		});
	const body = JSON.stringify({ instances: [{ prompt: 'A red bicycle' }], parameters: {} });
	const { name } = (await gemini('models/veo-3.1-generate-preview:predictLongRunning', body)).json;
	expect((await gemini(`${name}?key=secret-key`)).json.done).toBe(true);
	const { text } = await control(`${vendors.url}/_sandbox/requests`);
	await until(() => cli.out().includes('GET'));
	expect([text, cli.out()].join()).not.toContain('secret-key');
	expect(await cli.interrupt()).toEqual({ code: 0, err: '' });
});

it('the help lists what the sandbox can do', async () => {
	const { code, out } = await runCli('service', ['--help']);
	const listed = [...out.matchAll(/^ {2}(\S+)/gm)].map(([, word]) => word);
	const able = Object.keys({ ...FAULTS, ...PLAN_KEYS, ...KEYS, ...SETTINGS });
	expect([code, able.filter((word) => !listed.includes(word))]).toEqual([0, []]);
});

it.each([
	[['--port', '70000'], '--port is a whole number'],
	[['--render', ''], '--render is a number'],
	[['--speed', '1'], 'There is an unknown option'],
])('refuses %j', async (options, message) => {
	const { code, err } = await runCli('service', options);
	expect([code, err]).toEqual([1, expect.stringContaining(message)]);
});

describe('the check of a deployment', () => {
	async function check(changes = {}, key = 'sandbox-key') {
		const sandbox = await createSandbox(changes);
		const options = ['--base-url', sandbox.url];
		const { code, out } = await runCli('check', options, { VIDEO_API_KEY: key });
		await sandbox.close();
		const rows = out.split('\n').filter((line) => line.trim().endsWith('differs'));
		const posted = sandbox.requests.filter(({ method }) => method !== 'GET');
		return { code, differing: rows.map((line) => line.slice(0, 22).trim()), posted, out };
	}

	it.each([
		['contract', {}, 'sandbox-key', 0, ['Unit of quota']],
		['gateway', { profile: 'gateway' }, 'sandbox-key', 0, []],
		['busy', { outage: 'rateLimited' }, 'sandbox-key', 0, []],
		['behind a page', { outage: 'html502' }, 'sandbox-key', 1, ['Unknown task', 'Wrong key']],
		['with another key', {}, 'a-wrong-key', 1, ['Key for video', 'Unknown task']],
	])('%s', async (_name, changes, key, code, differing) => {
		const { out, ...checked } = await check(changes, key);
		const rows = code === 0 ? differing : expect.arrayContaining(differing);
		expect(checked).toEqual({ code, differing: rows, posted: [] });
		expect(out).not.toContain(key);
	});
});

it('a port in use is said in one sentence', async () => {
	const vendors = await createVendors();
	const { port } = new URL(vendors.url);
	const { code, err } = await runCli('service', ['--port', port]);
	expect([code, err]).toEqual([1, `Port ${port} is in use: choose another one with --port.\n`]);
	await vendors.close();
});
