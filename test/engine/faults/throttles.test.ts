import { createSandbox, type LiteralAnswer, type SandboxOptions } from '../../../sandbox/service';
import { hurry } from '../../support/clock';
import { byId, KEY, planned, toInput, useStage, videoGenerate } from '../../support/stage';

// A service that takes few orders in a time: films and orders are counted. How the pauses grow is in
// test/nodes/shared/n8n/throttle.test.ts.

const stage = useStage();

/** Both run so many times as fast, the service by its settings. */
const TIMES = 20;
const throttle = (most: number, everyMs: number, answer: LiteralAnswer) => ({
	throttle: { most, everyMs: everyMs / TIMES, answer },
});
/** Below 5 USD of credit (public reports, 2026). */
const OF_REPLICATE = {
	status: 429,
	json: {
		detail:
			'Request was throttled. Your rate limit for creating predictions is reduced to 6 requests per minute with a burst of 1 requests while you have less than $5.0 in credit. Your rate limit resets in ~5s.',
		status: 429,
		retry_after: 5,
	},
};
const OF_KIE = {
	status: 200,
	json: { code: 429, msg: 'Your call frequency is too high. Please try again later.' },
};

it.each<[api: string, model: string, rows: number, settings: SandboxOptions, most: number]>([
	['replicate', 'google/veo-3.1', 10, throttle(1, 10_000, OF_REPLICATE), 25],
	['kie', 'veo-3-1', 60, throttle(20, 10_000, OF_KIE), 90],
])('at %s (%s), %i rows are as many films', async (api, model, rows, settings, most) => {
	const sandbox = await createSandbox({ renderMs: 0, profile: api, ...settings });
	const haste = hurry(TIMES);
	try {
		const parameters = { model: byId(model), wait: 'none', downloadVideo: false };
		const { url } = sandbox;
		const access = { api, baseUrl: url, proxyUrl: url, apiKey: KEY };
		const items = toInput(
			...Array.from({ length: rows }, (_, i) => ({ prompt: planned(`video ${i}`, {}) })),
		);
		const node = videoGenerate(parameters);
		const { outputs, status } = await stage.engine.run({
			...{ node, items, credentials: { videoGenerationApi: access } },
		});
		expect(status).toBe('success');
		expect(outputs()[0]).toHaveLength(rows);
		expect(sandbox.tasks()).toHaveLength(rows);
		expect(sandbox.submissions().length).toBeLessThanOrEqual(most);
	} finally {
		haste.restore();
		await sandbox.close();
	}
});
