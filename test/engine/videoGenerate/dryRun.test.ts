import type { IDataObject } from 'n8n-workflow';

import { byId, KEY, MODEL, planned, toInput, useStage, videoGenerate } from '../../support/stage';

// Dry Run: all but the submit.

const stage = useStage();
const KLING = byId('kling-v1-6');
const VEO = byId('veo-3.1-generate-preview');

const run = async (parameters: IDataObject, ...rows: IDataObject[]) => {
	const { options, onError = 'stopWorkflow', ...rest } = parameters;
	const all = { ...rest, options: { cost: { dryRun: true }, ...(options as IDataObject) } };
	const node = videoGenerate(all, { onError: onError as 'stopWorkflow' });
	return await stage.run(node, toInput(...(rows.length > 0 ? rows : [{ prompt: 'A boat' }])));
};
const give = async (parameters: IDataObject) => (await run(parameters)).outputs()[0][0];
/** Requests that cost money, or ask for what did. */
const sent = () =>
	stage.sandbox.requests.filter(
		({ method, taskId }) => method === 'POST' || taskId?.startsWith('task_'),
	).length;

it('gives the request that would be sent, and sends nothing, also where a run would wait', async () => {
	const form = { duration: 8, aspectRatio: '9:16', wait: 'durable', downloadVideo: true };
	expect(await give(form)).toEqual({
		json: {
			prompt: 'A boat',
			dry_run: true,
			model: MODEL,
			family: 'Veo',
			route: '/v1/video/generations',
			body: 'json',
			request: {
				...{ model: MODEL, prompt: 'A boat', duration: 8, seconds: '8' },
				metadata: { aspectRatio: '9:16', durationSeconds: 8 },
			},
			billed: 'no',
		},
		pairedItem: { item: 0 },
	});
	expect(sent()).toBe(0);
});

it('says what is not known to arrive, in the item and once beside the output', async () => {
	const result = await run(
		{ model: byId('veo-4.0'), resolution: '8K' },
		{ prompt: 'a' },
		{ prompt: 'b' },
	);
	const [note] = result.outputs()[0][0].json.notes as string[];
	expect(note).toMatch(/^Resolution: sent, but/);
	expect(result.outputs()[0][1].json.notes).toEqual([note]);
	expect(result.hints().filter(({ message }) => message.includes(note))).toHaveLength(1);
});

it.each([
	['a data URI', MODEL],
	['bare base64', KLING.value],
])('shows of a picture that goes as %s its beginning and its size', async (_kind, model) => {
	const bytes = Buffer.concat([Buffer.from('\x89PNG', 'latin1'), Buffer.alloc(3_000, 7)]);
	const image = bytes.toString('base64');
	const { json } = await give({ model: byId(model), imageSource: 'base64', image });
	const shown = JSON.stringify(json.request);
	expect(shown).toContain(`... (${bytes.length} bytes)`);
	expect(shown.length).toBeLessThan(400);
});

it('shows no key', async () => {
	const shown = JSON.stringify(
		await give({ options: { cost: { dryRun: true }, seed: 1 }, prompt: KEY }),
	);
	expect(shown).toContain('dry_run');
	expect(shown).not.toContain(KEY);
});

describe('checks what a run checks', () => {
	const CONTINUES = { onError: 'continueRegularOutput' };
	const dryRun = '={{ $json.dry }}';
	it.each<[string, IDataObject, RegExp]>([
		['a value', { duration: -5 }, /must be 1 or more/],
		[
			'the limit',
			{ options: { cost: { dryRun: true, maxVideos: 1 } } },
			/^This run would submit 2/,
		],
		[
			'itself, by an expression that gives nothing',
			{ options: { cost: { dryRun } } },
			/^Dry Run is/,
		],
	])('%s', async (_what, parameters, message) => {
		const rows = [{ prompt: 'a' }, { prompt: 'b' }];
		const [[{ json }]] = (await run({ ...parameters, ...CONTINUES }, ...rows)).outputs();
		expect(json.error).toMatchObject({ message: expect.stringMatching(message) as string });
		expect(sent()).toBe(0);
	});
});

it('is decided for each item, and only what is sent counts as sent', async () => {
	const rows = [true, false, true].map((dry, n) => ({ dry, prompt: planned(`video ${n}`, {}) }));
	const options = { cost: { dryRun: '={{ $json.dry }}', maxVideos: 1 } };
	const result = await run({ wait: 'none', options }, ...rows);
	const states = result.outputs()[0].map(({ json }) => json.dry_run ?? json.status);
	expect(states).toEqual([true, 'queued', true]);
	expect(stage.sandbox.submissions()).toHaveLength(1);
	expect(result.hints()[0].message).toMatch(/^Dry Run: 2 videos would be submitted.* 1 video in /);
});

describe('the list price', () => {
	const SEEDANCE = 'doubao-seedance-1-5-pro-251215';
	const models = { video: [VEO.value, KLING.value, SEEDANCE] };

	it.each<[IDataObject, number | undefined]>([
		[{ model: VEO, duration: 4 }, 1.6],
		[{ model: KLING, duration: 10, aspectRatio: '16:9' }, 0.3],
		[{ model: VEO, resolution: '4k' }, undefined],
	])('%j: %s USD', async (parameters, value) => {
		stage.sandbox.set({ profile: 'gateway', models });
		const { json } = await give(parameters);
		expect(json.list_price).toEqual(value && { value, unit: 'USD' });
	});

	it('is summed up beside the output, and is not there where no gateway lists it', async () => {
		const rows = [KLING.value, KLING.value, SEEDANCE].map((model) => ({
			prompt: 'a',
			model,
		}));
		const hint = async () =>
			(await run({ model: byId('={{ $json.model }}') }, ...rows)).hints()[0].message;
		expect(await hint()).not.toMatch(/price/);
		stage.sandbox.set({ profile: 'gateway', models });
		expect(await hint()).toMatch(/ List price about \$0\.60 for 2 of 3 videos, before/);
	});
});
