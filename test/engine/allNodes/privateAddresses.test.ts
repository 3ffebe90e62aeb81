import type { IDataObject } from 'n8n-workflow';

import { createSandbox, type Sandbox } from '../../../sandbox/service';
import type { EngineNode } from '../../support/engine';
import { KEY, planned, toInput, useStage, videoDownload, videoGenerate } from '../../support/stage';

// A machine inside the network, which only n8n reaches: nobody from outside has it asked, and nothing that
// it says is shown. All notations are in test/nodes/shared/download/privateHost.test.ts.

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

/** All that is shown of a run. */
async function run(node: EngineNode, prompt: string): Promise<string> {
	const task_id = stage.sandbox.tasks()[0]?.task_id;
	const result = await stage.run(node, toInput({ prompt, task_id }));
	return JSON.stringify([result.outputs().at(-1)![0]?.json.error, result.logs]);
}

/** Downloads a video that was rendered by this plan. */
async function download(plan: object, parameters: IDataObject = {}): Promise<string> {
	const prompt = planned('A boat', plan);
	await run(videoGenerate(), prompt);
	return await run(videoDownload({ ...parameters, options: { retries: 0 } }, CONTINUES), prompt);
}
const redirects = (to: string) => ({ content: { always: { redirect: 302, to } } });
const fromUrl = async (resultUrl: string) => await download({}, { source: 'url', resultUrl });

it.each<[string, (address: string) => Promise<string>]>([
	['Source URL', fromUrl],
	['a redirect', async (address) => await download(redirects(address))],
	[
		'result_url',
		async (resultUrl) =>
			await download({ content: { always: { status: 410, text: '' } }, resultUrl }),
	],
	[
		'a redirect, for Video Generate',
		async (address) =>
			await run(
				videoGenerate({ downloadVideo: true }, CONTINUES),
				planned('A boat', redirects(address)),
			),
	],
])('%s does not lead to 127.0.0.1, whose number is 2130706433', async (_way, go) => {
	const shown = await go(on('2130706433'));
	expect(inner.requests).toEqual([]);
	expect(shown).toContain(`${new URL(on('127.0.0.1')).origin}, which is inside a private network`);
});

it('another port of the host of the Base URL is asked without the key, and not quoted', async () => {
	const secret = 'the-inner-secret';
	inner.set({ outage: { status: 400, json: { message: secret } } });
	expect(await fromUrl(on('localhost'))).not.toContain(secret);
	expect(inner.requests).toHaveLength(1);
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
