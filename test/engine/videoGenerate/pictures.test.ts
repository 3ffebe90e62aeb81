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
	const large = Buffer.alloc(20 * 1024 ** 2 + 1, BYTES);
	const files = { '/a.png': BYTES, '/text': 'no picture', '/large': large };
	for (const [path, content] of Object.entries(files)) {
		host.get(path, async (_request, reply) => await reply.type('image/png').send(content));
	}
	host.get('/moved', async (_request, reply) => await reply.redirect('/a.png', 302));
	host.get('/once', async (_request, reply) => {
		const isFirst = requests.filter((one) => one.startsWith('/once')).length === 1;
		return isFirst ? await reply.type('image/png').send(BYTES) : await reply.code(403).send();
	});
	await host.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => await host.close());
beforeEach(() => (requests = []));

const at = (path: string) => new URL(path, host.listeningOrigin).href;

async function submit(parameters: IDataObject) {
	const node = videoGenerate({ wait: 'none', ...parameters });
	const { error } = await stage.run(node, toInput({ prompt: 'A boat' }));
	return { bodies: stage.sandbox.submissions().map(({ body }) => body as IDataObject), error };
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
		['a text that says it is a picture', '/text'],
		['more than vendors take', '/large'],
		['nothing', '/missing'],
	])('is refused before it is paid for: %s', async (_what, path) => {
		const { bodies, error } = await submit({ imageSource: 'url', image: at(path) });
		expect(error?.message).toMatch(/^Image URL cannot be loaded: .* \[item 0\]/);
		expect(bodies).toEqual([]);
	});

	it('is refused before other items are paid for where it goes out as a file of a form', async () => {
		const access = { ...stage.credentials.videoGenerationApi, api: 'openAiVideos' };
		const { error } = await stage.engine.run({
			node: videoGenerate({ model: SEEDANCE, imageSource: 'url', image: '={{ $json.image }}' }),
			items: toInput(
				...['/a.png', '/missing'].map((path) => ({ prompt: 'A boat', image: at(path) })),
			),
			credentials: { videoGenerationApi: { ...access, requestBody: 'form' } },
		});
		expect(error?.message).toMatch(/^Image URL cannot be loaded: .* \[item 1\]/);
		expect(stage.sandbox.submissions()).toEqual([]);
	});
});

it('a model of no known family gets a picture only by hand, or with Model Family', async () => {
	const picture = { model: byId('other'), imageSource: 'base64', image: PNG };
	const { error } = await submit(picture);
	expect(error?.message).toMatch(/no field for: First Frame/);
	expect(error?.description).toMatch(/^Set Model Family in Options/);
	await submit({ ...picture, options: { additionalFields: { image: PNG } } });
	const { bodies } = await submit({ ...picture, options: { modelFamily: 'Veo' } });
	expect(bodies.map(({ image, images }) => image ?? images)).toEqual([PNG, [DATA_URI]]);
});

describe('the rows of Images', () => {
	interface Row extends IDataObject {
		role: string;
	}
	const row = (role: string, n = 0, more: object = {}): Row => ({
		...{ role, imageSource: 'url', image: at(`/a.png?${n}`), ...more },
	});
	const submitRows = async (model: string, image: Row[]) =>
		await submit({ model: byId(model), options: { images: { image } } });

	it('go by their roles, and keep their order where prompts count them', async () => {
		const roles = ['reference', 'referenceVideo', 'reference'];
		const { bodies } = await submitRows(
			'wan2.6-r2v',
			roles.map((role, n) => row(role, n)),
		);
		const { input } = bodies[0].metadata as { input: IDataObject };
		expect(input.reference_urls).toEqual([0, 1, 2].map((n) => at(`/a.png?${n}`)));
	});

	const AS_FILE = { imageSource: 'base64', image: PNG };
	it.each<[string, string, () => Row[], RegExp]>([
		[
			'a role that the model has no field for',
			'veo-3.1-generate-001',
			() => [row('lastFrame')],
			/no field for: Last Frame/,
		],
		[
			'two last frames',
			'MiniMax-Hailuo-02',
			() => [row('lastFrame'), row('lastFrame')],
			/row 2: There can be only one/,
		],
		[
			'a reference video as a file',
			'doubao-seedance-2-0-260128',
			() => [row('referenceVideo', 0, AS_FILE)],
			/needs an address/,
		],
	])('are refused before they are paid for: %s', async (_what, model, rows, message) => {
		const { bodies, error } = await submitRows(model, rows());
		expect(error?.message).toMatch(message);
		expect(bodies).toEqual([]);
	});
});

describe('a video that is paid for', () => {
	it('is there for an item whose picture is gone', async () => {
		const plan = { poll: Array(5).fill('unauthorized') };
		const node = videoGenerate({ imageSource: 'url', image: at('/once') });
		const failed = await stage.run(node, toInput({ prompt: planned('A boat', plan) }));
		const retried = await stage.engine.retry(failed);
		expect(retried.outputs()[0]).toMatchObject([{ json: { status: 'SUCCESS', reused: true } }]);
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('is told by the item that cannot be read any more', async () => {
		const { engine, sandbox, credentials } = stage;
		const plan = { poll: { always: 'unauthorized' } };
		const failed = await stage.run(videoGenerate(), toInput({ prompt: planned('A boat', plan) }));
		const node = videoGenerate({ options: { maxWait: 'soon' } });
		const { error } = await engine.retry(failed, { node, credentials });
		expect(error?.message).toMatch(/^Max Wait \(Minutes\) must be/);
		expect(JSON.stringify(error)).toContain(sandbox.tasks()[0].task_id);
		expect(sandbox.submissions()).toHaveLength(1);
	});
});

describe('an item with a photo whose failure is led back to the node', () => {
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
		return result.outputs('End')[0][0].json;
	}

	it('is submitted with its photo, if it was refused', async () => {
		const noOp: EngineNode = { type: 'n8n-nodes-base.noOp' };
		expect((await loop({ submit: ['forbidden', 'ok'] }, noOp)).status).toBe('SUCCESS');
		const images = stage.sandbox.submissions().map(({ body }) => body!.images);
		expect(images).toEqual([[DATA_URI], [DATA_URI]]);
	});

	it('gets its paid video, though the photo is lost on the way', async () => {
		const set = { type: 'n8n-nodes-base.set', parameters: { prompt: '={{ $json.prompt }}' } };
		const json = await loop({ poll: Array(5).fill('unauthorized') }, set);
		expect(json).toMatchObject({ status: 'SUCCESS', reused: true });
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('has no photo in an output that videos share', async () => {
		const node = videoGenerate({ imageSource: 'binary' }, { onError: 'continueRegularOutput' });
		const json = { prompt: planned('A boat', { submit: 'forbidden' }) };
		const [[item]] = (await stage.run(node, [{ json, binary: PHOTO }])).outputs();
		expect(Object.keys(item).sort()).toEqual(['json', 'pairedItem']);
	});
});
