import { createSandbox, type Sandbox } from '../../sandbox/service';
import { planned } from '../support/stage';
import { asker, passTime, setUp } from './support/ask';

// The lists of a key's recent tasks, as the services' pages and clients have them.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0 });
});
afterAll(async () => await sandbox.close());

type Entry = Record<string, unknown>;
interface Answer {
	results?: Entry[];
	previous?: string | null;
	next?: string | null;
	items?: Entry[];
	next_cursor?: string | null;
	has_more?: boolean;
	data?: Entry[] | { page: number; items: Entry[] };
	last_id?: string | null;
}

const FAL = 'fal-ai/veo3.1';
const OF_FAL = `v1/models/requests/by-endpoint?endpoint_id=${FAL}`;
const OPENAI = { isNewApi: false, routes: 'openAiVideos' };
const HOUR = 3_600_000;

/** By profile: a model, where its list is, and how to ask for the page after an answer. */
const LISTS = {
	contract: {
		model: 'veo-3.1-fast-generate-001',
		settings: OPENAI,
		pages: [20, 20, 20, 20, 20, 20, 5],
		entries: ({ data }: Answer) => data as Entry[],
		id: 'id',
		first: 'v1/videos',
		after: ({ has_more, last_id }: Answer) => has_more && `v1/videos?after=${last_id}`,
	},
	fal: {
		model: FAL,
		settings: {},
		pages: [50, 50, 25],
		entries: ({ items }: Answer) => items!,
		id: 'request_id',
		first: OF_FAL,
		after: ({ next_cursor }: Answer) => next_cursor && `${OF_FAL}&cursor=${next_cursor}`,
	},
	replicate: {
		model: 'google/veo-3.1',
		settings: {},
		pages: [100, 25],
		entries: ({ results }: Answer) => results!,
		id: 'id',
		first: 'v1/predictions',
		after: ({ next }: Answer) => next,
	},
};
type Listed = keyof typeof LISTS;

it.each(Object.keys(LISTS) as Listed[])(
	'tells all pages, the newest first: %s',
	async (profile) => {
		const { model, settings, pages, entries, id, first, after } = LISTS[profile];
		setUp(sandbox, profile, settings);
		const ids = sandbox.addTasks(125, { model }).map((one) => one.split('/').at(-1));
		const told: Entry[][] = [];
		for (let path: string | false | null | undefined = first; path;) {
			const { json }: { json: Answer } = await asker(() => sandbox, profile)(path);
			told.push(entries(json));
			path = after(json);
		}
		expect(told.map(({ length }) => length)).toEqual(pages);
		expect(told.flat().map((entry) => entry[id])).toEqual(ids.reverse());
		expect([sandbox.submissions(), sandbox.polls()]).toEqual([[], []]);
	},
);

it('tells a page of WaveSpeed without the inputs, and none without its length', async () => {
	setUp(sandbox, 'wavespeed');
	const ids = sandbox.addTasks(3);
	const ask = asker(() => sandbox, 'wavespeed');
	const pageOf = async (body: object) => (await ask<Answer>('api/v3/predictions', body)).json.data;
	expect(await pageOf({ page: 2, page_size: 2 })).toMatchObject({
		page: 2,
		items: [{ id: ids[0], status: 'completed' }],
	});
	const whole = { page: 1, page_size: 100 };
	const { items } = (await pageOf(whole)) as { items: Entry[] };
	expect(Object.keys(items[0]).sort()).toEqual([
		...['created_at', 'error', 'executionTime', 'id', 'model', 'outputs'],
		...['status', 'timings', 'urls'],
	]);
	for (const none of [{ status: 'failed' }, { model: 'other' }, { created_before: '2020-01-01' }]) {
		expect(await pageOf({ ...whole, ...none })).toEqual({ page: 1, items: [] });
	}
	for (const wrong of [{ page: 1 }, { page_size: 1 }, { page: 1, page_size: 101 }]) {
		expect((await ask('api/v3/predictions', wrong)).status).toBe(400);
	}
	expect(sandbox.submissions()).toEqual([]);
});

it('tells of a prediction what was sent, and when', async () => {
	setUp(sandbox, 'replicate');
	const ask = asker(() => sandbox, 'replicate');
	const input = { prompt: 'A boat', image: `data:image/png;base64,${'A'.repeat(5000)}` };
	const order = await ask(`v1/models/google/veo-3.1/predictions`, { input });
	expect(order.json).toMatchObject({ input, started_at: null, completed_at: null });
	const [entry] = (await ask<Answer>('v1/predictions')).json.results!;
	expect(entry).toMatchObject({
		...{ id: order.json.id, model: 'google/veo-3.1', input, status: 'succeeded' },
		...{ created_at: order.json.created_at, source: 'api', data_removed: false },
		...{ started_at: expect.stringMatching(/\.\d{6}Z$/) as string, output: expect.any(String) },
	});
	expect((await ask(`v1/predictions/${String(order.json.id)}`)).json).toEqual(entry);
	expect(sandbox.tasks()[0]).not.toHaveProperty('input');
});

it('shows the predictions of a time, and goes back a page', async () => {
	setUp(sandbox, 'replicate');
	const ask = asker(() => sandbox, 'replicate');
	const [old] = sandbox.addTasks(1, { beginsAgoMs: 2 * HOUR });
	sandbox.addTasks(120);
	const from = new Date(Date.now() - HOUR).toISOString();
	const before = await ask<Answer>(`v1/predictions?created_before=${from}`);
	expect(before.json.results).toMatchObject([{ id: old }]);
	const first = await ask<Answer>(`v1/predictions?created_after=${from}`);
	const second = await ask<Answer>(first.json.next!);
	expect(second.json.results).toHaveLength(20);
	expect((await ask<Answer>(second.json.previous!)).json).toEqual(first.json);
});

it('sorts by the end at fal, with the payloads that are asked for', async () => {
	setUp(sandbox, 'fal');
	const ask = asker(() => sandbox, 'fal');
	const list = async (more = '') => (await ask<Answer>(OF_FAL + more)).json.items!;
	await ask(FAL, { prompt: planned('slow', { renderMs: 60_000 }), duration: '8s' });
	await ask(FAL, { prompt: planned('refused', { outcome: 'FAILURE' }) });
	expect(await list()).toMatchObject([{ status_code: 422, endpoint_id: FAL }]);
	sandbox.set({ listsRunning: true });
	const [running] = await list('&expand=payloads');
	expect(Object.keys(running).sort()).toEqual([
		...['endpoint_id', 'json_input', 'request_id', 'sent_at', 'started_at'],
	]);
	expect(running.json_input).toEqual(sandbox.requests[0].body);
	passTime(60_000);
	const ended = await list('&expand=payloads');
	expect(ended.map(({ status_code }) => status_code)).toEqual([200, 422]);
	expect(ended[0]).toMatchObject({ json_output: { video: { url: expect.any(String) as string } } });
	expect((await list())[0]).not.toHaveProperty('json_input');
	expect(await list('&status=success')).toMatchObject([{ status_code: 200 }]);
	expect(await list('&status=user_error')).toMatchObject([{ status_code: 422 }]);
});

it('shows a day at fal, of the models that are asked for', async () => {
	setUp(sandbox, 'fal');
	const ask = asker(() => sandbox, 'fal');
	const count = async (path: string) => (await ask<Answer>(path)).json.items!.length;
	sandbox.addTasks(2, { model: FAL });
	sandbox.addTasks(3, { model: FAL, beginsAgoMs: 25 * HOUR });
	sandbox.addTasks(4, { model: 'fal-ai/sync-lipsync/v2' });
	expect(await count(OF_FAL)).toBe(2);
	expect(await count(`${OF_FAL}&start=2020-01-01`)).toBe(5);
	expect(await count(`${OF_FAL},fal-ai/sync-lipsync/v2`)).toBe(6);
	expect(await count(`${OF_FAL}&endpoint_id=fal-ai/sync-lipsync/v2`)).toBe(6);
	for (const wrong of ['', `&limit=101`, `&cursor=x`, `&start=x`, `&status=x`]) {
		const path = wrong ? OF_FAL + wrong : 'v1/models/requests/by-endpoint';
		expect([wrong, (await ask(path)).status]).toEqual([wrong, 422]);
	}
});

it('tells videos as their records do, and has no list at New API', async () => {
	setUp(sandbox, 'contract', OPENAI);
	const ask = asker(() => sandbox, 'contract');
	const [id, last] = sandbox.addTasks(2, { input: { prompt: 'A boat', size: '720x1280' } });
	const { json } = await ask<Answer>('v1/videos?limit=1');
	expect(json).toEqual({
		...{ object: 'list', first_id: last, last_id: last, has_more: true },
		data: [(await ask(`v1/videos/${last}`)).json],
	});
	expect(json.data).toMatchObject([{ prompt: 'A boat', size: '720x1280', status: 'completed' }]);
	expect((await ask<Answer>('v1/videos?order=asc')).json.data).toMatchObject([
		{ id },
		{ id: last },
	]);
	for (const wrong of ['limit=101', 'after=none']) {
		expect((await ask(`v1/videos?${wrong}`)).status).toBe(400);
	}
	for (const settings of [{ isNewApi: true }, { isNewApi: false, routes: 'videoGenerations' }]) {
		sandbox.set(settings);
		expect((await ask('v1/videos')).status).toBe(404);
	}
});

it.each(Object.keys(LISTS) as Listed[])('is late, and fails as planned: %s', async (profile) => {
	const { model, settings, entries, first } = LISTS[profile];
	setUp(sandbox, profile, { ...settings, listLagMs: 5000, plan: { list: ['ok', 'retryAfter'] } });
	const ask = asker(() => sandbox, profile);
	sandbox.addTasks(1, { model, beginsAgoMs: 4000 });
	sandbox.addTasks(1, { model, beginsAgoMs: 6000 });
	expect(entries((await ask<Answer>(first)).json)).toHaveLength(1);
	const refused = await ask(first);
	expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
	expect((await ask(first)).status).toBe(200);
});

it('adds tasks in each state that a list can tell', async () => {
	setUp(sandbox, 'replicate');
	const states = ['queued', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'CANCELLED'] as const;
	for (const state of states) sandbox.addTasks(1, { state, input: (n) => ({ prompt: `${n}` }) });
	const { results } = (await asker(() => sandbox, 'replicate')<Answer>('v1/predictions')).json;
	expect(results!.map(({ status }) => status).reverse()).toEqual([
		...['starting', 'processing', 'succeeded', 'failed', 'canceled'],
	]);
	expect(sandbox.tasks().map(({ status }) => status)).toEqual(states);
	expect(() => sandbox.addTasks(1, { model: 'none' })).toThrow('There is no model "none"');
});
