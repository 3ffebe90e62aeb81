import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import {
	byId,
	CONTINUE,
	KEY,
	toInput,
	useStage,
	videoGenerate,
	type NodeSettings,
} from '../../support/stage';

// What people enter as a model: an address, a version, and a name with a mistake.

const stage = useStage();

interface Setting extends NodeSettings {
	aspectRatio?: string;
	options?: IDataObject;
}

/** Runs two rows at a service; tells what came, and what the service was asked for free. */
async function run(
	api: string,
	model: string,
	{ aspectRatio = '16:9', options = {}, ...settings }: Setting = {},
) {
	if (api !== 'newApi') stage.sandbox.set({ profile: api });
	const own = { proxyUrl: stage.sandbox.url };
	const access = { api, ...(api === 'newApi' ? { baseUrl: stage.sandbox.url } : own) };
	const node = videoGenerate({ model: byId(model), wait: 'none', aspectRatio, options }, settings);
	const result = await stage.run(node, toInput({ prompt: 'A boat' }, { prompt: 'A car' }), {
		credentials: {
			videoGenerationApi: { ...access, apiKey: KEY, allowPrivateAddresses: true },
		},
	});
	const free = stage.sandbox.requests.filter(({ method }) => method === 'GET');
	return {
		error: result.error,
		items: result.outputs().flat(),
		asked: free.map(({ url }) => url),
		bodies: stage.sandbox.submissions().map(({ body }) => body),
	};
}

const WAN = 'wavespeed-ai/wan-2.2/t2v-480p-ultra-fast';
const MISTYPED = [
	[
		'fal',
		'fal-ai/veo31',
		'fal-ai/veo3.1',
		[
			'/v1/models?endpoint_id=fal-ai%2Fveo31&expand=openapi-3.0',
			'/v1/models?status=active&limit=1000',
		],
	],
	[
		'replicate',
		'googel/veo-3.1',
		'google/veo-3.1',
		[
			'/v1/models/googel/veo-3.1',
			'/v1/collections/text-to-video',
			'/v1/collections/image-to-video',
		],
	],
	['kie', 'veo3.1', 'veo-3-1', ['/api/v1/models/veo3.1/schema', '/api/v1/models']],
	['google', 'gemini-omni-flash', 'gemini-omni-1.1-flash', ['/v1beta/models?pageSize=1000']],
	['openRouter', 'veo-3.1', 'google/veo-3.1', ['/api/v1/videos/models']],
	['runway', 'gen-4.5', 'gen4.5', ['/v1/organization']],
	['wavespeed', 'google/veo3.1/imge-to-video', 'google/veo3.1/image-to-video', ['/api/v3/models']],
] as const;

it.each(MISTYPED)('%s has no model "%s": the rows get the name "%s", by %j', async (...row) => {
	const [api, model, nearest, asked] = row;
	const ran = await run(api, model, CONTINUE);
	expect(ran.bodies).toEqual([]);
	expect(ran.asked).toEqual(asked);
	for (const { json } of ran.items) {
		expect(json.error).toMatchObject({
			message: expect.stringMatching(
				`^([\\w ()]+(\\.ai)? has no model|The node does not know the model) "${model}"`,
			) as string,
			description: expect.stringMatching(
				`^The nearest name in the service's list is "${nearest}"\\. Choose .* Nothing was submitted`,
			) as string,
		});
	}
});

it.each([
	['fal', 'https://fal.ai/models/fal-ai/veo3.1/playground', 'fal-ai/veo3.1'],
	['replicate', 'https://replicate.com/google/veo-3.1/api', 'google/veo-3.1'],
	['kie', 'https://kie.ai/veo-3-1', 'veo-3-1'],
	['openRouter', 'https://openrouter.ai/google/veo-3.1', 'google/veo-3.1'],
	['wavespeed', `https://wavespeed.ai/models/${WAN}`, WAN],
])('%s takes the address of a page: %s', async (api, address, model) => {
	const aspectRatio = model === WAN ? '' : undefined;
	const { error, items, bodies } = await run(api, address, { aspectRatio });
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.model)).toEqual([model, model]);
	expect(bodies).toHaveLength(2);
	expect(stage.sandbox.tasks().map((task) => task.model)).toEqual([model, model]);
	expect(JSON.stringify(stage.sandbox.requests)).not.toContain('https');
});

it('an address of another service is refused without a request', async () => {
	const { error, asked, bodies } = await run('replicate', 'https://fal.ai/models/fal-ai/veo3.1');
	expect(error?.message).toMatch(/^Model is an address, and not that of a model at Replicate/);
	expect([asked, bodies]).toEqual([[], []]);
});

describe('a version of Replicate without its model', () => {
	it('is ordered as it is, by its own schema', async () => {
		const version = createHash('sha256').update('google/veo-3.1').digest('hex');
		const { asked, bodies, error } = await run('replicate', version);
		expect(error).toBeUndefined();
		expect(asked).toEqual([`/v1/versions/${version}`]);
		const input = { aspect_ratio: '16:9' };
		expect(bodies).toMatchObject([
			{ version, input },
			{ version, input },
		]);
	});

	it('that nobody knows is refused by one request, with what to enter', async () => {
		const version = 'a'.repeat(64);
		const { asked, bodies, error } = await run('replicate', version);
		expect(error?.message).toMatch(/^Replicate has no model "a{64}"/);
		expect(error?.description).toMatch(/^Enter it with its model, as owner\/name:version\./);
		expect([asked, bodies]).toEqual([[`/v1/versions/${version}`], []]);
	});
});

describe('at New API', () => {
	const models = { video: ['our-film-model', 'veo-3.1-fast-generate-001'], text: [] };
	const LIST = ['/v1/models'];
	beforeEach(() => void stage.sandbox.set({ profile: 'contract', models }));

	it('a mistyped model with Aspect Ratio is told by the list that was read, and not by Model Family', async () => {
		const { asked, bodies, error } = await run('newApi', 'our-flim-model');
		expect(error?.message).toMatch(/^The service does not list the model "our-flim-model"/);
		expect(error?.description).toMatch(
			/^The nearest name in the service's list is "our-film-model"\. Choose a model .* submitted/,
		);
		expect([asked, bodies]).toEqual([LIST, []]);
	});

	it.each([
		[
			'is not in the list of a gateway of another kind',
			{ isNewApi: false },
			'our-flim-model',
			/^The nearest/,
		],
		['is in the list', {}, 'our-film-model', /^Set Model Family/],
		['is in no list, because there is none', { listings: false }, 'our-flim-model', /^Set Model/],
	])('advises Model Family where the name %s', async (_where, deployment, model, advice) => {
		stage.sandbox.set(deployment);
		const { asked, bodies, error } = await run('newApi', model);
		expect(error?.message).toMatch(/^A model of no known family has no field for: Aspect Ratio/);
		expect(error?.description).toMatch(advice);
		expect(error?.description).toMatch(/Set Model Family/);
		expect([asked, bodies]).toEqual([LIST, []]);
	});

	it('a chosen family is a reason to order what is in no list', async () => {
		const { bodies } = await run('newApi', 'our-flim-model', { options: { modelFamily: 'Veo' } });
		expect(bodies).toHaveLength(2);
	});

	it.each(['', '9:16'])(
		'a model that the service itself refuses gets the nearest name, by one look at the list (Aspect Ratio "%s")',
		async (aspectRatio) => {
			stage.sandbox.set({ plan: { submit: ['modelNotFound'] } });
			const model = 'veo-3.1-fsat-generate-001';
			const ran = await run('newApi', model, { aspectRatio, ...CONTINUE });
			expect(ran.asked).toEqual(LIST);
			expect(ran.bodies).toHaveLength(2);
			for (const { json } of ran.items) {
				expect(json.error).toMatchObject({
					billed: 'no',
					description: expect.stringMatching(
						/nearest name in the service's list is "veo-3.1-fast-generate-001"\. Choose another Model/,
					) as string,
				});
			}
		},
	);
});
