import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { createSandbox, type Sandbox } from '../../../sandbox/service';
import { createEngine, type Engine, type EngineNode } from '../../support/engine';
import { KEY, planned, toInput, videoDownload, videoGenerate } from '../../support/stage';

// A machine inside the network, which only n8n reaches: nobody from outside has it asked, by whatever
// name and redirect, and nothing that it says is shown.

const SECRET = 'the-inner-secret';
const CONTINUES = { onError: 'continueErrorOutput' } as const;

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
const credentials = (more: IDataObject = {}) => ({
	videoGenerationApi: {
		baseUrl: service.url.replace('127.0.0.1', 'localhost'),
		apiKey: KEY,
		...more,
	} as ICredentialDataDecryptedObject,
});
const on = (host: string) => `http://${host}:${new URL(inner.url).port}/v1/models`;

/** All notations and ranges are tried in test/nodes/shared/download/privateHost.test.ts. */
const INNER = [
	...['127.0.0.1', '2130706433', '%31%32%37.0.0.1', '[::1]', '[::ffff:127.0.0.1]'],
	...['169.254.169.254', 'localhost.localdomain', 'intranet'],
];
const STATUSES = [301, 302, 303, 307, 308] as const;

async function run(node: EngineNode, prompt: string, access?: IDataObject) {
	const task_id = service.tasks()[0]?.task_id;
	const items = toInput({ prompt, task_id });
	const result = await engine.run({ node, items, credentials: credentials(access) });
	return { shown: result.outputs().at(-1)![0]?.json.error as IDataObject, result };
}

/** Downloads a video that was rendered by this plan. */
async function download(plan: object, parameters: IDataObject = {}, access?: IDataObject) {
	const prompt = planned('A boat', plan);
	await run(videoGenerate(), prompt);
	const all = { ...parameters, options: { retries: 0 } };
	return await run(videoDownload(all, CONTINUES), prompt, access);
}
const redirects = (to: string, redirect: (typeof STATUSES)[number] = 302) => ({
	content: { always: { redirect, to } },
});
const fromUrl = async (resultUrl: string, access?: IDataObject) =>
	await download({}, { source: 'url', resultUrl }, access);

/** How an address comes to the node, and with which node. */
const WAYS = {
	'Source URL': async (address: string) => await fromUrl(address),
	'a redirect': async (address: string) => await download(redirects(address)),
	result_url: async (address: string) =>
		await download({ content: { always: { status: 410, text: '' } }, resultUrl: address }),
	'a redirect, for Video Generate': async (address: string) =>
		await run(
			videoGenerate({ downloadVideo: true }, CONTINUES),
			planned('A boat', redirects(address)),
		),
};

describe.each(Object.entries(WAYS))('%s', (_way, go) => {
	it.each(INNER)('does not lead to %s', async (host) => {
		const { shown, result } = await go(on(host));
		expect(inner.requests).toEqual([]);
		const leads = `leads to ${new URL(on(host)).origin}, which is inside a private network`;
		expect(JSON.stringify(shown)).toContain(leads);
		expect(JSON.stringify([shown, result.logs])).not.toContain(KEY);
	});
});

it.each(STATUSES)('a redirect with %i leads nowhere else, either', async (status) => {
	await download(redirects(on('127.0.0.1'), status));
	expect(inner.requests).toEqual([]);
});

it('a redirect of submit and poll is not followed', async () => {
	const to = { always: { redirect: 307 as const, to: on('127.0.0.1') } };
	const node = videoGenerate({ options: { maxWait: 0.01 } }, CONTINUES);
	await run(node, planned('A boat', { submit: to }));
	await run(node, planned('A boat', { poll: to }));
	expect(inner.requests).toEqual([]);
});

it('leads to the host of the base URL, and quotes nothing that comes from another port', async () => {
	for (const status of [200, 400, 401, 404, 500]) {
		const json = { message: SECRET, error: { message: SECRET, code: SECRET } };
		for (const body of [{ json }, { html: `<title>${SECRET}</title>` }]) {
			inner.set({ outage: { status, ...body } });
			const { shown, result } = await fromUrl(on('localhost'));
			expect(shown.message).toMatch(
				/^The video could not be downloaded: the video's URL leads to http:.+:\d+, which/,
			);
			expect(JSON.stringify([result.outputs(), result.logs])).not.toContain(SECRET);
		}
	}
	expect(inner.requests.length).toBe(10);
	expect(JSON.stringify(inner.requests)).not.toContain(KEY);
});

it('leads inside where the credential allows it', async () => {
	await fromUrl(on('127.0.0.1'), { allowPrivateAddresses: true });
	expect(inner.requests).toHaveLength(1);
	expect(JSON.stringify(inner.requests)).not.toContain(KEY);
});
