import type { IDataObject } from 'n8n-workflow';

import { byId, KEY, MODEL, planned, toInput, useStage, videoGenerate } from '../../support/stage';

// Dry Run: all but the submit.

const stage = useStage();
const PICTURE = Buffer.concat([Buffer.from('\x89PNG', 'latin1'), Buffer.alloc(3_000, 7)]);
const BASE64 = PICTURE.toString('base64');
const KLING = byId('kling-v1-6');

const run = async (parameters: IDataObject, rows: IDataObject[] = [{ prompt: 'A boat' }]) => {
	const { options, onError, ...rest } = parameters;
	return await stage.run(
		videoGenerate(
			{ ...rest, options: { cost: { dryRun: true }, ...(options as IDataObject | undefined) } },
			{ onError: (onError ?? 'stopWorkflow') as 'stopWorkflow' },
		),
		toInput(...rows),
	);
};
const give = async (...args: Parameters<typeof run>) => {
	const result = await run(...args);
	if (result.error) throw result.error;
	return result.outputs()[0].map(({ json }) => json);
};
/** Requests that cost money, or ask for what did. */
const sent = () =>
	stage.sandbox.requests.filter(
		({ method, taskId }) => method === 'POST' || taskId?.startsWith('task_'),
	).length;

it('gives the request that would be sent, and sends nothing', async () => {
	const [item] = await give({ duration: 8, aspectRatio: '9:16' });
	expect(item).toEqual({
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
	});
	expect(sent()).toBe(0);
});

it('says what is not known to arrive, in the item and once beside the output', async () => {
	const rows = [{ prompt: 'A boat' }, { prompt: 'A ship' }];
	const result = await run({ model: byId('veo-4.0'), duration: 12, resolution: '8K' }, rows);
	const notes = [
		'Duration, Resolution: sent, but some services and versions of this model drop or refuse it',
	];
	for (const { json } of result.outputs()[0]) {
		expect(json).toMatchObject({
			request: { duration: 12, metadata: { durationSeconds: 12, resolution: '8k' } },
			notes,
		});
	}
	const told = result.hints().filter(({ message }) => message.includes(notes[0]));
	expect(told.map(({ message }) => message)).toEqual([
		`${notes.join('. ')}. Look at one video before you pay for many.`,
	]);
});

it('waits for nothing and downloads nothing', async () => {
	const result = await run({ wait: 'durable', downloadVideo: true });
	expect([result.status, sent()]).toEqual(['success', 0]);
	expect(result.outputs()[0][0].binary).toBeUndefined();
});

it.each([
	['a data URI', MODEL, `data:image/png;base64,${BASE64}`, /^data:image\/png;base64,iVBOR/],
	['bare base64', KLING.value, BASE64, /^iVBOR|^\w/],
])('shows of a picture that goes as %s its beginning and its size', async (_kind, model, image) => {
	const [{ request }] = await give({ model: byId(model), imageSource: 'base64', image });
	const shown = JSON.stringify(request);
	expect(shown).toContain(`... (${PICTURE.length} bytes)`);
	expect(shown.length).toBeLessThan(400);
});

it('checks what a run checks', async () => {
	const [item] = (await run({ onError: 'continueRegularOutput', duration: -5 })).outputs()[0];
	expect(item.json.error).toMatchObject({ message: expect.stringMatching(/must be 1 or more/) });
	const limited = await run({ options: { cost: { dryRun: true, maxVideos: 1 } } }, [
		{ prompt: 'a' },
		{ prompt: 'b' },
	]);
	expect(limited.error?.message).toMatch(/^This run would submit 2 videos/);
	const noKey = { videoGenerationApi: { baseUrl: 'nowhere', apiKey: KEY } };
	const { error } = await stage.run(
		videoGenerate({ options: { cost: { dryRun: true } } }),
		toInput({ prompt: 'A boat' }),
		{ credentials: noKey },
	);
	expect(error?.message).toMatch(/Base URL in the credential/);
});

it('is not taken for off where an expression gives nothing', async () => {
	const options = { cost: { dryRun: '={{ $json.dry }}' } };
	const result = await run({ onError: 'continueRegularOutput', options });
	expect(result.outputs()[0][0].json.error).toMatchObject({
		message: expect.stringMatching(/^Dry Run is empty/),
	});
	expect(sent()).toBe(0);
});

it('shows no key', async () => {
	const [item] = await give({
		prompt: `A boat with ${KEY}`,
		options: { additionalFields: `{"k":"${KEY}"}` },
	});
	expect(JSON.stringify(item)).not.toContain(KEY);
	expect(JSON.stringify(item)).toContain('A boat with');
});

it('is decided for each item, and only what is sent counts as sent', async () => {
	const rows = [{ dry: true }, { dry: false }, { dry: true }].map((row, n) => ({
		...{ ...row, prompt: planned(`video ${n}`, {}) },
	}));
	const options = { cost: { dryRun: '={{ $json.dry }}', maxVideos: 1 } };
	const result = await run({ wait: 'none', options }, rows);
	const items = result.outputs()[0].map(({ json }) => json.dry_run ?? json.status);
	expect(items).toEqual([true, 'queued', true]);
	expect(stage.sandbox.submissions()).toHaveLength(1);
	expect(result.hints()[0].message).toMatch(
		/^Dry Run: 2 videos would be submitted\. Nothing was, and nothing is billed\. 1 video in /,
	);
});

describe('the list price', () => {
	const PRICES = [
		[{ model: byId('veo-3.1-generate-preview') }, 3.2],
		[{ model: byId('veo-3.1-generate-preview'), duration: 4 }, 1.6],
		[{ model: KLING, duration: 10, aspectRatio: '16:9' }, 0.3],
		// It is billed by tokens, by a formula, or is of another family.
		[
			{ model: byId('doubao-seedance-1-5-pro-251215'), duration: 10, resolution: '720p' },
			undefined,
		],
		[{ model: byId('wan2.5-t2v-preview') }, undefined],
		[{ model: byId('veo-3.1-generate-preview'), resolution: '4k' }, undefined],
	] as const;
	const models = { video: PRICES.map(([{ model }]) => model.value) };

	it.each(PRICES)('%j: %s USD', async (parameters, value) => {
		stage.sandbox.set({ profile: 'gateway', models });
		const [item] = await give(parameters);
		expect(item.list_price).toEqual(value && { value, unit: 'USD' });
		expect(sent()).toBe(0);
	});

	it('is summed up beside the output', async () => {
		stage.sandbox.set({ profile: 'gateway', models });
		const model = byId('={{ $json.model }}');
		const rows = ['kling-v1-6', 'kling-v1-6', 'wan2.5-t2v-preview'].map((name) => ({
			prompt: 'A boat',
			model: name,
		}));
		const hint = async (...some: IDataObject[]) => (await run({ model }, some)).hints()[0].message;
		expect(await hint(rows[0])).toMatch(
			/ List price about \$0\.30 for 1 video, before your account/,
		);
		expect(await hint(...rows)).toMatch(/ List price about \$0\.60 for 2 of 3 videos, before/);
		expect(await hint(rows[2])).not.toMatch(/price/);
	});

	it('is not there where no gateway lists it', async () => {
		stage.sandbox.set({ models });
		expect((await give({ model: KLING }))[0].list_price).toBeUndefined();
	});
});
