import Fastify, { type FastifyInstance } from 'fastify';
import type { IDataObject } from 'n8n-workflow';

import { hurry } from '../../support/clock';
import type { EngineNode } from '../../support/engine';
import { byId, MODEL, planned, to, toInput, useStage, videoGenerate } from '../../support/stage';

// Where the picture of an item goes, and what becomes of one that cannot go there.

const stage = useStage();
const SEEDANCE = byId('doubao-seedance-1-5-pro-251215');
const BYTES = Buffer.from('\x89PNG\r\n\x1a\n and a picture', 'latin1');
const PNG = BYTES.toString('base64');
const DATA_URI = `data:image/png;base64,${PNG}`;

let host: FastifyInstance;
let requests: string[] = [];
beforeAll(async () => {
	host = Fastify();
	host.addHook('onRequest', async ({ url, headers }) => {
		requests.push(`${url} ${headers.authorization ?? 'no key'}`);
	});
	host.get('/a.png', async (_request, reply) => await reply.type('image/png').send(BYTES));
	host.get('/moved', async (_request, reply) => await reply.redirect('/a.png', 302));
	host.get('/once', async (_request, reply) => {
		const isFirst = requests.filter((one) => one.startsWith('/once')).length === 1;
		return isFirst
			? await reply.type('image/png').send(BYTES)
			: await reply.code(403).send('expired');
	});
	host.get('/page', async (_request, reply) => await reply.type('text/html').send('<p>none</p>'));
	host.get('/text', async (_request, reply) => await reply.type('image/png').send('no picture'));
	host.get(
		'/large',
		async (_request, reply) =>
			await reply.type('image/png').send(Buffer.alloc(20 * 1024 ** 2 + 1, BYTES)),
	);
	await host.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => await host.close());
beforeEach(() => (requests = []));

const at = (path: string) => new URL(path, host.listeningOrigin).href;

async function submit(parameters: IDataObject, rows: IDataObject[] = [{ prompt: 'A boat' }]) {
	const { sandbox } = stage;
	const result = await stage.run(videoGenerate({ wait: 'none', ...parameters }), toInput(...rows));
	const bodies = sandbox.submissions().map(({ body }) => body as IDataObject);
	return { bodies, error: result.error };
}

describe('a picture at an address', () => {
	it.each(['/a.png', '/moved'])('%s goes along where the model opens none', async (path) => {
		const { bodies } = await submit({ imageSource: 'url', image: at(path) });
		expect(bodies).toEqual([{ model: MODEL, prompt: 'A boat', images: [DATA_URI] }]);
		expect(requests.at(-1)).toBe('/a.png no key');
	});

	it('goes as it is where the model opens it', async () => {
		const { bodies } = await submit({ model: SEEDANCE, imageSource: 'url', image: at('/a.png') });
		expect(bodies[0].images).toEqual([at('/a.png')]);
		expect(requests).toEqual([]);
	});

	it.each([
		['/page', 'a page'],
		['/text', 'a text that says it is a picture'],
		['/large', 'more than vendors take'],
		['/missing', 'nothing'],
	])('%s is refused before it is paid for: %s', async (path) => {
		const { bodies, error } = await submit({ imageSource: 'url', image: at(path) });
		expect(error?.message).toMatch(/^Image URL cannot be loaded: .* \[item 0\]/);
		expect(error?.message).not.toMatch(/video/);
		expect(error?.description).toContain('Nothing was submitted.');
		expect(bodies).toEqual([]);
	});

	it('is refused before the other items are paid for where it goes out as a file of a form', async () => {
		const access = Object.values(stage.credentials)[0] as IDataObject;
		const asForm = { ...access, api: 'openAiVideos', requestBody: 'form' };
		const node = videoGenerate({
			wait: 'none',
			model: SEEDANCE,
			imageSource: 'url',
			image: '={{ $json.image }}',
		});
		const rows = ['/a.png', '/a.png', '/missing'].map((path) => ({
			prompt: 'A boat',
			image: at(path),
		}));
		const { error } = await stage.engine.run({
			node,
			items: toInput(...rows),
			credentials: { videoGenerationApi: asForm },
		});
		expect(error?.message).toMatch(/^Image URL cannot be loaded: .* \[item 2\]/);
		expect(stage.sandbox.submissions()).toEqual([]);
	});
});

it.each([
	['without its padding', PNG.replace(/=+$/, '')],
	['in the alphabet of addresses', PNG.replaceAll('+', '-').replaceAll('/', '_')],
	['in lines', PNG.replace(/(.{10})/g, '$1\n')],
	['as a data URI', DATA_URI],
])('base64 %s arrives in its standard form', async (_how, image) => {
	const { bodies } = await submit({ imageSource: 'base64', image });
	expect(bodies[0].images).toEqual([DATA_URI]);
});

it('a model of no known family gets a picture only by hand, or with Model Family', async () => {
	const model = byId('other');
	const { error } = await submit({ model, imageSource: 'base64', image: PNG });
	expect(error?.message).toMatch(/no field for: First Frame/);
	expect(error?.description).toMatch(/^Set Model Family in Options/);
	for (const options of [{ additionalFields: { image: PNG } }, { modelFamily: 'Veo' }]) {
		await submit({ model, imageSource: 'base64', image: PNG, options: options as IDataObject });
	}
	const bodies = stage.sandbox.submissions().map(({ body }) => body as IDataObject);
	expect(bodies.map(({ image, images }) => image ?? images)).toEqual([PNG, [DATA_URI]]);
});

it.each([
	[
		'a last frame that New API does not pass on',
		['lastFrame'],
		/^"veo-3\.1-generate-001" has no field for: Last Frame/,
		/^Remove Last Frame\. Nothing was submitted/,
	],
	['two last frames', ['lastFrame', 'lastFrame'], /row 2: There can be only one/, /^Remove/],
])('%s: refused before it is paid for', async (_what, roles, message, advice) => {
	const image = roles.map((role) => ({ role, imageSource: 'base64', image: PNG }));
	const model = byId('veo-3.1-generate-001');
	const { bodies, error } = await submit({ model, options: { images: { image } } });
	expect(error?.message).toMatch(message);
	expect(error?.description).toMatch(advice);
	expect(bodies).toEqual([]);
});

it('where Model Family would not help, Additional Fields is the way', async () => {
	stage.sandbox.set({ isNewApi: false });
	const image = [{ role: 'reference', imageSource: 'base64', image: PNG }];
	const model = byId('some-video-components');
	const { bodies, error } = await submit({ model, options: { images: { image } } });
	expect(error?.message).toMatch(/^A service of unknown kind has no field for: Reference/);
	expect(error?.description).toMatch(/^Remove them, or write them into Additional Fields/);
	expect(bodies).toEqual([]);
});

describe('a reference video or sound', () => {
	const row = (role: string, more: object = {}) => ({
		...{ role, imageSource: 'url', image: 'https://a.example/a.mp4', ...more },
	});
	const submitRows = async (model: string, ...image: object[]) =>
		await submit({ model: byId(model), options: { images: { image } } as IDataObject });

	it('goes by its address where it arrives', async () => {
		const rows = [row('reference'), row('referenceVideo'), row('referenceSound')];
		const { bodies } = await submitRows('doubao-seedance-2-0-260128', ...rows);
		const { content } = bodies[0].metadata as { content: IDataObject[] };
		expect(content.map(({ type, role }) => [type, role])).toEqual([
			['image_url', 'reference_image'],
			['video_url', 'reference_video'],
			['audio_url', 'reference_audio'],
		]);
	});

	it('keeps its place among images where prompts count both', async () => {
		const rows = [row('reference'), row('referenceVideo'), row('reference')].map((one, i) => ({
			...one,
			image: at(`/a.png?${i}`),
		}));
		const { bodies } = await submitRows('wan2.6-r2v', ...rows);
		const { input } = bodies[0].metadata as { input: IDataObject };
		expect(input.reference_urls).toEqual([0, 1, 2].map((i) => at(`/a.png?${i}`)));
	});

	it('is refused before it is paid for as a file', async () => {
		const file = row('referenceVideo', { imageSource: 'base64', image: PNG });
		const { bodies, error } = await submitRows('doubao-seedance-2-0-260128', file);
		expect(error?.message).toMatch(/an address/);
		expect(bodies).toEqual([]);
	});
});

it('an item whose picture is gone gets the video that is paid for', async () => {
	const { engine, sandbox } = stage;
	const plan = { poll: Array(5).fill('unauthorized') };
	const node = videoGenerate({ imageSource: 'url', image: at('/once') });
	const failed = await stage.run(node, toInput({ prompt: planned('A boat', plan) }));
	const retried = await engine.retry(failed);
	expect(retried.outputs()[0]).toMatchObject([{ json: { status: 'SUCCESS', reused: true } }]);
	expect(sandbox.submissions()).toHaveLength(1);
});

it('an item that cannot be read any more fails with the task that is paid for', async () => {
	const { engine, sandbox, credentials } = stage;
	const plan = { poll: { always: 'unauthorized' } };
	const failed = await stage.run(videoGenerate(), toInput({ prompt: planned('A boat', plan) }));
	const node = videoGenerate({ options: { maxWait: 'soon' } });
	const retried = await engine.retry(failed, { node, credentials });
	expect(retried.error?.message).toMatch(/^Max Wait \(Minutes\) must be/);
	expect(JSON.stringify(retried.error)).toContain(sandbox.tasks()[0].task_id);
	expect(sandbox.submissions()).toHaveLength(1);
});

describe('a row with a photo whose failure is led back to the node', () => {
	const PHOTO = { data: { mimeType: 'image/png', data: PNG } };
	/** @param pass a node between the error output and the input */
	async function loop(plan: object, pass: EngineNode) {
		const haste = hurry(1_000);
		const node = videoGenerate({ imageSource: 'binary' }, { onError: 'continueErrorOutput' });
		const result = await stage.engine.run({
			nodes: [
				{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
				{ ...node, name: 'Video' },
				{ name: 'End', type: 'n8n-nodes-base.noOp' },
				{ ...pass, name: 'Pass' },
			],
			connections: {
				Click: { main: [to('Video')] },
				Video: { main: [to('End'), to('Pass')] },
				Pass: { main: [to('Video')] },
			},
			items: [{ json: { prompt: planned('A boat', plan) }, binary: PHOTO }],
			credentials: stage.credentials,
		});
		haste.restore();
		return result.outputs('End')[0];
	}
	const noOp: EngineNode = { type: 'n8n-nodes-base.noOp' };

	it('is submitted with its photo, if it was refused', async () => {
		const [{ json, binary }] = await loop({ submit: ['forbidden', 'ok'] }, noOp);
		expect(json.status).toBe('SUCCESS');
		expect(binary).toBeUndefined();
		expect(stage.sandbox.submissions().map(({ body }) => body!.images)).toEqual([
			[DATA_URI],
			[DATA_URI],
		]);
	});

	it('gets its paid video, though the photo is lost on the way', async () => {
		const [{ json }] = await loop(
			{ poll: Array(5).fill('unauthorized') },
			{ type: 'n8n-nodes-base.set', parameters: { prompt: '={{ $json.prompt }}' } },
		);
		expect(json).toMatchObject({ status: 'SUCCESS', reused: true });
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('leaves no photo in an output that videos share', async () => {
		const node = videoGenerate({ imageSource: 'binary' }, { onError: 'continueRegularOutput' });
		const json = { prompt: planned('A boat', { submit: 'forbidden' }) };
		const [[item]] = (await stage.run(node, [{ json, binary: PHOTO }])).outputs();
		expect(Object.keys(item).sort()).toEqual(['json', 'pairedItem']);
	});
});
