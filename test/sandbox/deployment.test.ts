import { createSandbox, type DeploymentChanges } from '../../sandbox/service';
import { prompt } from './support/client';
import { useSandbox } from './support/stage';

// What differs from one deployment to the next.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());

const bearer = { headers: { authorization: 'Bearer sandbox-key' } };

it("refuses a body that is too large with a proxy's page, and stays usable", async () => {
	stage.sandbox.set({ bodyLimitBytes: 1000 });
	const large = await stage.client.submit('x'.repeat(2_000_000));
	expect(large.status).toBe(413);
	expect(large.headers['content-type']).toMatch(/^text\/html/);
	expect(stage.sandbox.tasks()).toHaveLength(0);
	expect((await stage.client.submit('Small')).status).toBe(200);
});

it('refreshes its state only every so often', async () => {
	stage.sandbox.set({ refreshMs: 15_000, renderMs: 20_000 });
	const start = Date.now();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
	const { json } = await stage.client.submit('Refreshed');
	const seen = [];
	for (const passed of [14_999, 15_000, 29_999, 30_000]) {
		clock.mockReturnValue(start + passed);
		seen.push((await stage.client.poll(json.id)).json.data.status);
	}
	clock.mockRestore();
	expect(seen).toEqual(['queued', 'IN_PROGRESS', 'IN_PROGRESS', 'SUCCESS']);
});

it('has outages, in which nothing is created', async () => {
	stage.sandbox.set({ outage: 'html520' });
	const replies = [
		await stage.client.submit('Down'),
		await stage.client.at('/'),
		await stage.client.generate({}),
	];
	expect(replies.map(({ status }) => status)).toEqual([520, 520, 520]);
	expect(stage.sandbox.tasks()).toHaveLength(0);
	stage.sandbox.set({ outage: null });
	expect((await stage.client.submit('Up')).status).toBe(200);
});

it("has a plan for every prompt, before which the prompt's own goes", async () => {
	stage.sandbox.set({ plan: { shape: 'vendor', words: { SUCCESS: 'completed' } } });
	const statusOf = async (text: string) => {
		const { json } = await stage.client.submit(text);
		return (await stage.client.poll(json.id)).json.data.status;
	};
	expect(await statusOf('Plain')).toBe('completed');
	expect(await statusOf(prompt('Own', { words: {} }))).toBe('succeeded');
});

it('adds its latency to every answer', async () => {
	stage.sandbox.set({ latencyMs: 30 });
	const start = performance.now();
	await stage.client.at('/v1/models', bearer);
	// Only the lower bound: how much later it comes is up to the machine.
	expect(performance.now() - start).toBeGreaterThan(25);
});

it.each([
	[{ speed: 1 }, 'no setting "speed"'],
	[{ renderMs: '1' }, '"renderMs": is a number'],
	[{ listings: 'html999' }, '"listings": there is no fault'],
	[{ outage: 'html999' }, '"outage": there is no fault'],
	[{ notFoundShape: 'round' }, '"notFoundShape": is one of'],
	[{ models: { video: 'veo' } }, '"models": is'],
	[{ plan: { rendrMs: 1 } }, 'no plan key "rendrMs"'],
	[null, 'it is no JSON object'],
])('says what is wrong with %j', async (changes, message) => {
	expect(() => stage.sandbox.set(changes as unknown as DeploymentChanges)).toThrow(message);
	await expect(createSandbox({ speed: 1 } as object)).rejects.toThrow('no setting "speed"');
});
