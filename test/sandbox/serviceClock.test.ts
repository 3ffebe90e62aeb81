import { createSandbox, type Sandbox } from '../../sandbox/service';
import { asker, setUp } from './support/ask';

// A service whose clock is not this machine's.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0 });
});
afterAll(async () => await sandbox.close());

const SKEW = 600_000;
const FAL = 'fal-ai/veo3.1';

/** By profile: where a task is told, and which field has a time of it. */
const TIMES = {
	contract: (id: string) => [`v1/videos/${id}`, 'created_at'],
	fal: () => [`v1/models/requests/by-endpoint?endpoint_id=${FAL}`, 'ended_at'],
	google: (id: string) => [`v1beta/interactions/${id}`, 'created'],
	replicate: (id: string) => [`v1/predictions/${id}`, 'completed_at'],
	runway: (id: string) => [`v1/tasks/${id}`, 'createdAt'],
	wavespeed: (id: string) => [`api/v3/predictions/${id}`, 'created_at'],
};
type Profile = keyof typeof TIMES;

it.each(
	(Object.keys(TIMES) as Profile[]).flatMap((profile) =>
		[0, SKEW, -SKEW].map((clockSkewMs) => ({ profile, clockSkewMs })),
	),
)('tells all times by it: $profile, $clockSkewMs ms', async ({ profile, clockSkewMs }) => {
	setUp(sandbox, profile, { clockSkewMs, isNewApi: false });
	const now = Date.now() + clockSkewMs;
	const model = profile === 'fal' ? FAL : undefined;
	const [id] = sandbox.addTasks(1, { model, beginsAgoMs: 0 });
	const [path, field] = TIMES[profile](id);
	const { headers, json } = await asker(() => sandbox, profile)(path);
	const { [field]: value } = {
		...json,
		...(json.data as object),
		...(json.items as object[])?.[0],
	};
	const times = [headers.get('date')!, typeof value === 'number' ? value * 1000 : String(value)];
	for (const time of times) {
		expect(Math.abs(new Date(time).getTime() - now)).toBeLessThan(60_000);
	}
});

it.each(['replicate', 'fal', 'wavespeed'] as const)(
	'reads times by it, too: %s',
	async (profile) => {
		setUp(sandbox, profile, { clockSkewMs: SKEW });
		const ask = asker(() => sandbox, profile);
		sandbox.addTasks(1, { model: profile === 'fal' ? FAL : undefined, beginsAgoMs: 0 });
		const from = async (ms: number) => {
			const time = new Date(Date.now() + ms).toISOString();
			const answer = {
				replicate: () => ask<{ results: [] }>(`v1/predictions?created_after=${time}`),
				fal: () =>
					ask<{ items: [] }>(`v1/models/requests/by-endpoint?endpoint_id=${FAL}&start=${time}`),
				wavespeed: () =>
					ask<{ data: { items: [] } }>('api/v3/predictions', {
						...{ page: 1, page_size: 9, created_after: time },
					}),
			};
			const { json } = await answer[profile]();
			return ('data' in json ? json.data.items : 'items' in json ? json.items : json.results)
				.length;
		};
		expect([await from(SKEW / 2), await from(SKEW * 2)]).toEqual([1, 0]);
	},
);
