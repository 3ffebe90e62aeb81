import type { IDataObject } from 'n8n-workflow';

import { createSandbox, type Sandbox } from '../../../sandbox/service';
import type { EngineNode } from '../../support/engine';
import { KEY, planned, toInput, useStage, videoDownload, videoGenerate } from '../../support/stage';

// A machine inside the network, which only n8n reaches: nobody from outside has it asked, and nothing that
// it says is shown. All notations are in test/nodes/shared/download/privateHost.test.ts.

const SECRET = 'the-inner-secret';
const CONTINUES = { onError: 'continueErrorOutput' } as const;

const stage = useStage({ renderMs: 0 });
let inner: Sandbox;
beforeAll(async () => {
	inner = await createSandbox();
	// The service goes by a name here, so that every other spelling of the machine is another host.
	const { videoGenerationApi } = stage.credentials;
	videoGenerationApi.baseUrl = stage.sandbox.url.replace('127.0.0.1', 'localhost');
});
beforeEach(() => inner.reset());
afterAll(async () => await inner.close());

const on = (host: string) => `http://${host}:${new URL(inner.url).port}/v1/models`;

async function run(node: EngineNode, prompt: string) {
	const task_id = stage.sandbox.tasks()[0]?.task_id;
	const result = await stage.run(node, toInput({ prompt, task_id }));
	const shown = result.outputs().at(-1)![0]?.json.error as IDataObject;
	return { message: shown?.message, all: JSON.stringify([shown, result.logs]) };
}

/** Downloads a video that was rendered by this plan. */
async function download(plan: object, parameters: IDataObject = {}) {
	const prompt = planned('A boat', plan);
	await run(videoGenerate(), prompt);
	return await run(videoDownload({ ...parameters, options: { retries: 0 } }, CONTINUES), prompt);
}
const redirects = (to: string) => ({ content: { always: { redirect: 302, to } } });
const fromUrl = async (resultUrl: string) => await download({}, { source: 'url', resultUrl });

/** How an address comes to the node, and with which node. */
const WAYS = {
	'Source URL': fromUrl,
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
	it.each(['2130706433', '169.254.169.254'])('does not lead to %s', async (host) => {
		const { all } = await go(on(host));
		expect(inner.requests).toEqual([]);
		const leads = `leads to ${new URL(on(host)).origin}, which is inside a private network`;
		expect(all).toContain(leads);
		expect(all).not.toContain(KEY);
	});
});

it('another port of the host of the Base URL is asked without the key, and not quoted', async () => {
	for (const body of [{ json: { message: SECRET } }, { html: `<title>${SECRET}</title>` }]) {
		inner.set({ outage: { status: 400, ...body } });
		const { message, all } = await fromUrl(on('localhost'));
		expect(message).toMatch(/^The video could not be downloaded: the video's URL leads to http:/);
		expect(all).not.toContain(SECRET);
	}
	expect(inner.requests).toHaveLength(2);
	expect(JSON.stringify(inner.requests)).not.toContain(KEY);
});

it('leads inside where the credential allows it, without the key', async () => {
	const { videoGenerationApi } = stage.credentials;
	videoGenerationApi.allowPrivateAddresses = true;
	await fromUrl(on('127.0.0.1'));
	delete videoGenerationApi.allowPrivateAddresses;
	expect(inner.requests).toHaveLength(1);
	expect(JSON.stringify(inner.requests)).not.toContain(KEY);
});
