import type { IDataObject } from 'n8n-workflow';

import { createSandbox, type Sandbox } from '../../../sandbox/service';
import { createEngine, projectVersion, type Engine } from '../../support/engine';
import { KEY, planned, toInput, videoDownload, videoGenerate } from '../../support/stage';
import { resolveTo } from './support/dns';

// A machine inside the network, which only n8n reaches: nobody from outside has it asked, by whatever
// name and redirect, and nothing that it says is shown.

const SECRET = 'the-inner-secret';

let engine: Engine;
let service: Sandbox;
let inner: Sandbox;

beforeAll(async () => {
	engine = await createEngine();
	[service, inner] = await Promise.all([createSandbox({ renderMs: 0 }), createSandbox()]);
});
beforeEach(() => [service, inner].forEach((sandbox) => sandbox.reset()));
afterAll(async () => {
	engine.close();
	await Promise.all([service.close(), inner.close()]);
});

/** The service goes by a name here, so that every other spelling of the machine is another host. */
const credentials = () => ({
	videoGenerationApi: { baseUrl: service.url.replace('127.0.0.1', 'localhost'), apiKey: KEY },
});
const on = (host: string, path = '/v1/models') =>
	`http://${host}:${new URL(inner.url).port}${path}`;

/** All notations and ranges are tried in test/nodes/shared/download/privateHost.test.ts. */
const INNER = [
	...['127.0.0.1', '127.1', '2130706433', '0177.0.0.1', '%31%32%37.0.0.1', '0.0.0.0', '10.0.0.1'],
	...['[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', '[fd00::1]', '[2606:4700::5efe:7f00:1]'],
	...['169.254.169.254', 'localhost.localdomain', 'metadata.google.internal', 'intranet'],
];
const STATUSES = [301, 302, 303, 307, 308] as const;

/** How an address comes to the node, and with which node. */
const WAYS = {
	'Source URL': async (address: string) => await download({ source: 'url', resultUrl: address }),
	'a redirect': async (address: string, redirect = 302 as (typeof STATUSES)[number]) =>
		await download({}, { content: { always: { redirect, to: address } } }),
	result_url: async (address: string) =>
		await download({}, { content: { always: { status: 410, text: '' } }, resultUrl: address }),
	'a redirect, for Video Generate': async (address: string) =>
		await run(
			videoGenerate({ downloadVideo: true }, { onError: 'continueErrorOutput' }),
			planned('A boat', { content: { always: { redirect: 302, to: address } } }),
		),
};

async function run(node: ReturnType<typeof videoDownload>, prompt: string) {
	const task_id = service.tasks()[0]?.task_id;
	const items = toInput({ prompt, task_id });
	const result = await engine.run({ node, items, credentials: credentials() });
	return { shown: result.outputs().at(-1)![0]?.json.error as IDataObject, result };
}

async function download(parameters: IDataObject, plan: object = {}, options: IDataObject = {}) {
	const prompt = planned('A boat', plan);
	await engine.run({
		node: videoGenerate(),
		items: toInput({ prompt }),
		credentials: credentials(),
	});
	const all = { ...parameters, options: { retries: 0, ...options } };
	return await run(videoDownload(all, { onError: 'continueErrorOutput' }), prompt);
}

describe.each(Object.entries(WAYS))('%s', (_way, go) => {
	it.each(INNER)('does not lead to %s', async (host) => {
		const { shown, result } = await go(on(host));
		expect(inner.requests).toEqual([]);
		const { origin } = new URL(on(host));
		expect(JSON.stringify(shown)).toContain(
			`leads to ${origin}, which is inside a private network`,
		);
		expect(JSON.stringify([shown, result.logs])).not.toContain(KEY);
	});
});

it.each(STATUSES)('a redirect with %i leads nowhere else, either', async (status) => {
	await WAYS['a redirect'](on('127.0.0.1'), status);
	expect(inner.requests).toEqual([]);
});

it('a redirect of submit and poll is not followed', async () => {
	const to = { always: { redirect: 307 as const, to: on('127.0.0.1') } };
	const node = videoGenerate({ options: { maxWait: 0.01 } }, { onError: 'continueErrorOutput' });
	await run(node, planned('A boat', { submit: to }));
	await run(node, planned('A boat', { poll: to }));
	expect(inner.requests).toEqual([]);
});

it('leads to the host of the base URL, and quotes nothing that comes from another port', async () => {
	const secret = {
		status: 200,
		json: { message: SECRET, error: { message: SECRET, code: SECRET } },
	};
	inner.set({ outage: secret });
	for (const status of [200, 400, 401, 404, 500]) {
		inner.set({ outage: { ...secret, status } });
		for (const html of [undefined, `<title>${SECRET}</title>`]) {
			if (html) inner.set({ outage: { status, html } });
			const { shown, result } = await WAYS['Source URL'](on('localhost'));
			expect(shown.message).toMatch(
				/^The video could not be downloaded: http:\/\/localhost:\d+, where/,
			);
			expect(JSON.stringify([result.outputs(), result.logs])).not.toContain(SECRET);
		}
	}
	expect(inner.requests.length).toBe(10);
	expect(JSON.stringify(inner.requests)).not.toContain(KEY);
});

it('leads inside where the person allows it', async () => {
	const address = on('127.0.0.1', '/v1/models');
	await download({ source: 'url', resultUrl: address }, {}, { allowPrivateAddresses: true });
	expect(inner.requests).toHaveLength(1);
	expect(JSON.stringify(inner.requests)).not.toContain(KEY);
});

const onNamesThatResolve = () =>
	describe('a name that n8n 2 resolves', () => {
		it.each([['127.0.0.1'], ['100.64.0.1'], ['::ffff:10.0.0.1'], ['fec0::1']])(
			'to %s does not lead there',
			async (address) => {
				// n8n keeps for a second what it has found.
				const name = `inward${address.replace(/\W/g, '-')}.example.com`;
				const dns = resolveTo(name, address);
				try {
					const { shown } = await WAYS['Source URL'](on(name));
					expect(JSON.stringify(shown)).toContain('inside a private network');
					expect(dns).toHaveBeenCalled();
				} finally {
					dns.mockRestore();
				}
			},
		);
	});

// n8n 1 cannot resolve names for a node.
if (projectVersion() === '2') onNamesThatResolve();
