import type { IDataObject } from 'n8n-workflow';

import type { AddedTasks, Sandbox, SandboxOptions } from '../../../sandbox/service';
import { createSandbox } from '../../../sandbox/service';
import { deviations } from '../allNodes/support/outputSchema';
import { hurry, until } from '../../support/clock';
import { byId, inARow, KEY, PACKAGE, toInput, useStage, videoDownload } from '../../support/stage';

// A list of tasks at each service that has one, and what the others say.

const stage = useStage();

interface Listing {
	api: string;
	profile: SandboxOptions['profile'];
	options?: SandboxOptions;
	model: string;
}

const LISTS: Listing[] = [
	{ api: 'fal', profile: 'fal', model: 'fal-ai/veo3.1' },
	{ api: 'replicate', profile: 'replicate', model: 'google/veo-3.1' },
	{ api: 'wavespeed', profile: 'wavespeed', model: 'wavespeed-ai/wan-2.2/t2v-480p-ultra-fast' },
	{
		...{ api: 'openAiVideos', profile: 'contract', model: 'veo-3.1-fast-generate-001' },
		options: { isNewApi: false, routes: 'openAiVideos' } as SandboxOptions,
	},
];

const videoTasks = (parameters: IDataObject = {}) => ({
	...{ name: 'Tasks', type: `${PACKAGE}.videoTasks` },
	parameters: { operation: 'getAll', ...parameters },
});

async function withService<Result>(
	{ api, profile, options }: Listing,
	work: (sandbox: Sandbox, credentials: object) => Promise<Result>,
): Promise<Result> {
	const sandbox = await createSandbox({ renderMs: 60, profile, ...options });
	const access = {
		...{ api, baseUrl: sandbox.url, proxyUrl: sandbox.url, apiKey: KEY },
		allowPrivateAddresses: true,
	};
	try {
		return await work(sandbox, { videoGenerationApi: access });
	} finally {
		await sandbox.close();
	}
}

const ofModel = ({ api, model }: Listing) => (api === 'fal' ? { model: byId(model) } : {});

describe.each(LISTS)('$api', (listing) => {
	const run = async (credentials: object, parameters: IDataObject = {}) =>
		await stage.engine.run({
			node: videoTasks({ ...ofModel(listing), ...parameters }),
			items: toInput({}),
			credentials: credentials as never,
		});

	const add = (sandbox: Sandbox, count: number, more: AddedTasks = {}) =>
		sandbox.addTasks(count, {
			...{ model: listing.model, beginsAgoMs: 50_000, everyMs: 100 },
			...more,
		});

	it('lists 250 tasks in pages, newest first, and orders nothing', async () => {
		await withService(listing, async (sandbox, credentials) => {
			const ids = add(sandbox, 250);
			const { outputs } = await run(credentials, { returnAll: true });
			const listed = outputs()[0].map(({ json }) => json);
			expect(listed.map(({ task_id }) => task_id)).toEqual([...ids].reverse());
			expect(listed[0]).toMatchObject({ status: 'SUCCESS', billed: 'yes', model: listing.model });
			expect(deviations('VideoTasks', listed[0], 'getAll')).toEqual([]);
			expect(listed[0].submitted_at).toMatch(/^\d{4}-/);
			expect(sandbox.submissions()).toHaveLength(0);
		});
	});

	it('lists as many as Limit says, in no more pages than it takes', async () => {
		await withService(listing, async (sandbox, credentials) => {
			add(sandbox, 250);
			const { outputs } = await run(credentials, { limit: 7 });
			expect(outputs()[0]).toHaveLength(7);
			expect(sandbox.requests).toHaveLength(1);
		});
	});

	it('filters by state and time', async () => {
		await withService(listing, async (sandbox, credentials) => {
			const [old] = add(sandbox, 1, { beginsAgoMs: 3_600_000 });
			const [failed] = add(sandbox, 1, { state: 'FAILURE' });
			const [done] = add(sandbox, 1);
			const since = new Date(Date.now() - 600_000).toISOString();
			const filtered = await Promise.all(
				[{ status: 'FAILURE' }, { since, status: 'SUCCESS' }, { status: 'SUCCESS' }].map(
					async (filters) => (await run(credentials, { filters })).outputs()[0],
				),
			);
			const idsOf = filtered.map((items) => items.map(({ json }) => json.task_id));
			expect(idsOf).toEqual([[failed], [done], [done, old]]);
			expect(filtered[0][0].json.fail_reason).toMatch(/\w/);
		});
	});

	it('waits for a page that is throttled', async () => {
		await withService(listing, async (sandbox, credentials) => {
			add(sandbox, 120);
			sandbox.set({ plan: { list: ['ok', 'retryAfter', 'html502'] } });
			const haste = hurry(100);
			const { outputs } = await run(credentials, { returnAll: true });
			haste.restore();
			expect(outputs()[0]).toHaveLength(120);
		});
	});

	it('says that the key is wrong', async () => {
		await withService(listing, async (_sandbox, credentials) => {
			const { videoGenerationApi } = credentials as { videoGenerationApi: IDataObject };
			const wrong = { videoGenerationApi: { ...videoGenerationApi, apiKey: 'wrong' } };
			const { error } = await run(wrong);
			expect(error?.message).toMatch(
				/^The tasks could not be listed: the service refuses the API key/,
			);
		});
	});

	it('gives tasks whose files Video Download gets', async () => {
		await withService(listing, async (sandbox, credentials) => {
			add(sandbox, 2);
			const download = { ...videoDownload(), name: 'Download' };
			const { error, outputs } = await stage.engine.run({
				...inARow(videoTasks(ofModel(listing)), download),
				items: toInput({}),
				credentials: credentials as never,
			});
			expect(error?.message).toBeUndefined();
			const files = outputs()[0].map(({ binary }) => binary?.data.mimeType);
			expect(files).toEqual(['video/mp4', 'video/mp4']);
		});
	});
});

it.each([
	['newApi', 'contract', 'New API'],
	['kie', 'kie', 'kie.ai'],
	['google', 'google', 'Google (Gemini API)'],
	['runway', 'runway', 'Runway'],
	['openRouter', 'openRouter', 'OpenRouter'],
] as const)(
	'says so at %s before a request, and where people look',
	async (api, profile, label) => {
		await withService({ api, profile, model: '' }, async (sandbox, credentials) => {
			const { error } = await stage.engine.run({
				node: videoTasks(),
				items: toInput({}),
				credentials: credentials as never,
			});
			expect(error?.message).toBe(
				`The tasks could not be listed: the service (${label}) has no list of tasks [item 0]`,
			);
			expect(error?.description).toMatch(/^Look at /);
			expect(sandbox.requests).toHaveLength(0);
		});
	},
);

it('says that Since lies in the future, and that a list is empty', async () => {
	await withService(LISTS[1], async (sandbox, credentials) => {
		const run = async (since: string) =>
			await stage.engine.run({
				node: videoTasks({ filters: { since } }),
				items: toInput({}),
				credentials: credentials as never,
			});
		const later = new Date(Date.now() + 3_600_000).toISOString();
		expect((await run(later)).error?.message).toBe('Since lies in the future [item 0]');
		expect(sandbox.requests).toHaveLength(0);
		const { hints } = await run(new Date(Date.now() - 60_000).toISOString());
		expect(JSON.stringify(hints())).toMatch(/The list of Replicate shows no such task since 20/);
	});
});

it('reads a Since without a zone in the time zone of the workflow', async () => {
	await withService(LISTS[1], async (sandbox, credentials) => {
		sandbox.addTasks(2, { beginsAgoMs: 7_200_000, everyMs: 5_400_000 });
		// In Tokyo, it is nine hours later.
		const since = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19);
		const { error, outputs } = await stage.engine.run({
			...{ node: videoTasks({ filters: { since } }), items: toInput({}) },
			...{ credentials: credentials as never, settings: { timezone: 'Asia/Tokyo' } },
		});
		expect(error).toBeUndefined();
		const agoMs = outputs()[0].map(
			({ json }) => Date.now() - Date.parse(json.submitted_at as string),
		);
		expect(agoMs.map((ms) => Math.round(ms / 60_000))).toEqual([30]);
	});
});

it('lists no task twice that a new one moves to the next page, at WaveSpeed', async () => {
	await withService(LISTS[2], async (sandbox, credentials) => {
		const { model } = LISTS[2];
		const ids = sandbox.addTasks(150, { model, beginsAgoMs: 50_000, everyMs: 100 });
		sandbox.set({ plan: { list: ['ok', 'retryAfter'] } });
		const haste = hurry(10);
		const listing = stage.engine.run({
			...{ node: videoTasks({ returnAll: true }), items: toInput({}) },
			credentials: credentials as never,
		});
		await until(() => sandbox.requests.length >= 2);
		sandbox.addTasks(1, { model, beginsAgoMs: 0 });
		const listed = (await listing).outputs()[0].map(({ json }) => json.task_id as string);
		haste.restore();
		expect(listed.sort()).toEqual(ids.sort());
	});
});

describe('lists as real services answer', () => {
	/** Lists where each request gets the same answer, and counts them. */
	const list = async (listing: Listing, status: number, json: object) =>
		await withService(listing, async (sandbox, credentials) => {
			sandbox.set({ plan: { list: [{ always: { status, json } }] } } as never);
			const result = await stage.engine.run({
				...{ node: videoTasks({ returnAll: true }), items: toInput({}) },
				credentials: credentials as never,
			});
			return { ...result, requests: sandbox.requests.length };
		});

	it('LiteLLM has none (1.108, tried)', async () => {
		const message =
			'litellm.BadRequestError: LLM Provider NOT provided. Pass in the LLM provider you are trying to call. You passed model=';
		const { error } = await list(LISTS[3], 400, { error: { message, code: '400' } });
		expect(error?.message).toMatch(
			/^The tasks could not be listed: this LiteLLM has no list of tasks/,
		);
	});

	it('LiteLLM gives the same page again (1.108, tried)', async () => {
		const row = { id: 'video_1', object: 'video', status: 'completed', model: 'sora-2' };
		const page = { object: 'list', data: [row], last_id: 'video_1', has_more: true };
		const { outputs, requests } = await list(LISTS[3], 200, page);
		expect(outputs()[0].map(({ json }) => json.task_id)).toEqual(['video_1']);
		expect(requests).toBe(2);
	});

	it('Replicate has removed what it had (replicate.com/docs, data retention)', async () => {
		const row = { id: 'r1', status: 'succeeded', model: 'google/veo-3.1', data_removed: true };
		const { outputs } = await list(LISTS[1], 200, { next: null, results: [row] });
		expect(outputs()[0][0].json).toMatchObject({
			...{ task_id: 'r1', status: 'SUCCESS' },
			message: expect.stringMatching(/^Replicate removes the prompt and the files/) as string,
		});
	});
});

it('shows the prompt, and takes several models at fal', async () => {
	await withService(LISTS[0], async (sandbox, credentials) => {
		const models = ['fal-ai/veo3.1', 'fal-ai/kling-video/v3/pro/image-to-video'];
		for (const model of models) sandbox.addTasks(1, { model, input: { prompt: model } });
		const { outputs } = await stage.engine.run({
			node: videoTasks({ model: byId(models.join(', ')) }),
			items: toInput({}),
			credentials: credentials as never,
		});
		expect(
			outputs()[0]
				.map(({ json }) => json.prompt)
				.sort(),
		).toEqual(models.sort());
	});
});

it('asks for the model at fal', async () => {
	await withService(LISTS[0], async (sandbox, credentials) => {
		const { error } = await stage.engine.run({
			node: videoTasks(),
			items: toInput({}),
			credentials: credentials as never,
		});
		expect([error?.message, error?.description]).toEqual([
			'The tasks could not be listed: fal lists tasks by their model [item 0]',
			expect.stringMatching(/^Choose it in Model\./),
		]);
		expect(sandbox.requests).toHaveLength(0);
	});
});
