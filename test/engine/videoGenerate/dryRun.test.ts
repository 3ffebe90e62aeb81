import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	CONTINUE,
	KEY,
	MODEL,
	planned,
	toInput,
	useStage,
	videoGenerate,
} from '../../support/stage';

// Dry Run: all but the submit.

const stage = useStage();

const run = async ({ options, ...rest }: IDataObject, ...rows: IDataObject[]) => {
	const all = { ...rest, options: { cost: { dryRun: true }, ...(options as IDataObject) } };
	return await stage.run(videoGenerate(all, CONTINUE), toInput(...rows));
};
const give = async (parameters: IDataObject) =>
	(await run(parameters, { prompt: 'A boat' })).outputs()[0][0];
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

it('says what is not known to arrive, in each item and once beside the output', async () => {
	const set = { model: byId('veo-4.0'), resolution: '8K' };
	const result = await run(set, { prompt: 'a' }, { prompt: 'b' });
	const note = expect.stringMatching(/^Resolution: sent, but/) as string;
	expect(result.outputs()[0].map(({ json }) => json.notes)).toEqual([[note], [note]]);
	const hints = result.hints().filter(({ message }) => message.includes('Resolution: sent'));
	expect(hints).toHaveLength(1);
});

it('shows of a picture its beginning and its size, and no key', async () => {
	const bytes = Buffer.concat([Buffer.from('\x89PNG', 'latin1'), Buffer.alloc(3_000, 7)]);
	const image = bytes.toString('base64');
	const { json } = await give({ imageSource: 'base64', image, prompt: KEY });
	const shown = JSON.stringify(json.request);
	expect(shown).toContain(`... (${bytes.length} bytes)`);
	expect(shown.length).toBeLessThan(400);
	expect(shown).not.toContain(KEY);
});

it.each<[string, IDataObject, RegExp]>([
	['the limit', { cost: { dryRun: true, maxVideos: 1 } }, /^This run would submit 2/],
	['itself', { cost: { dryRun: '={{ $json.dry }}' } }, /^Dry Run is/],
])('checks what a run checks: %s', async (_what, options, message) => {
	const [[{ json }]] = (await run({ options }, { prompt: 'a' }, { prompt: 'b' })).outputs();
	expect(json.error).toMatchObject({ message: expect.stringMatching(message) as string });
	expect(sent()).toBe(0);
});

it('is decided for each item, and only what is sent counts as sent', async () => {
	const rows = [true, false, true].map((dry, n) => ({ dry, prompt: planned(`video ${n}`, {}) }));
	const options = { cost: { dryRun: '={{ $json.dry }}', maxVideos: 1 } };
	const result = await run({ wait: 'none', options }, ...rows);
	const states = result.outputs()[0].map(({ json }) => json.dry_run ?? json.status);
	expect(states).toEqual([true, 'queued', true]);
	expect(stage.sandbox.submissions()).toHaveLength(1);
	expect(result.hints()[0].message).toMatch(/^Dry Run: 2 requests checked.* 1 video in /);
});

it('tells the list prices of a gateway that has them, and their sum', async () => {
	const wanted: IDataObject[] = [
		{ model: 'veo-3.1-generate-preview', duration: 4 },
		{ model: 'kling-v1-6', duration: 10 },
		{ model: 'veo-3.1-generate-preview', duration: 4, resolution: '4k' },
	];
	const play = async () => {
		const set = { model: byId('={{ $json.model }}'), duration: '={{ $json.duration }}' };
		const all = { ...set, resolution: '={{ $json.resolution }}' };
		return await run(all, ...wanted.map((one) => ({ prompt: 'a', ...one })));
	};
	expect((await play()).hints()[0].message).toMatch(
		/The list price of such a request is not known/,
	);
	const video = [...new Set(wanted.map(({ model }) => model as string))];
	stage.sandbox.set({ profile: 'gateway', models: { video } });
	const result = await play();
	expect(result.outputs()[0].map(({ json }) => json.list_price)).toEqual([
		...[{ value: 1.6, unit: 'USD' }, { value: 0.3, unit: 'USD' }, undefined],
	]);
	expect(result.hints()[0].message).toMatch(/ List price of 2 of 3: about \$1\.90\.$/);
});

it('keeps the files that came in but that of its own field, and says why a step behind it finds none', async () => {
	const FILE = { data: Buffer.from('photo').toString('base64'), mimeType: 'image/png' };
	const node = videoGenerate({ options: { cost: { dryRun: true } } }, CONTINUE);
	const items = [{ json: { prompt: 'A boat' }, binary: { data: FILE, photo: FILE } }];
	const [item] = (await stage.run(node, items)).outputs()[0];
	expect(Object.keys(item.binary!)).toEqual(['photo']);
	const next = videoGenerate({ imageSource: 'binary', imageBinaryProperty: 'data' }, CONTINUE);
	const [{ json }] = (await stage.run(next, [item])).outputs()[0];
	expect(json.error).toMatchObject({
		message: expect.stringMatching(/^The item has no binary field "data"/) as string,
		description: expect.stringMatching(/^A node before this one is in Dry Run/) as string,
	});
	expect(sent()).toBe(0);
});
