import Fastify, { type FastifyInstance } from 'fastify';
import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	CONTINUE,
	MODEL,
	planned,
	toInput,
	useStage,
	videoGenerate,
} from '../../support/stage';

// What becomes of the picture of an item. Where it goes in a request: recorded.test.ts and
// test/nodes/shared/models/toRequest.test.ts.

const stage = useStage();
const SEEDANCE = byId('doubao-seedance-1-5-pro-251215');
const BYTES = Buffer.from('\x89PNG\r\n\x1a\n and a picture', 'latin1');
const PNG = BYTES.toString('base64');

/** As Telegram's getFile gives it. */
const OF_BOT = '/file/bot123456:AAH-f_secret/photos/file_1.jpg';

let host: FastifyInstance;
let requests: string[] = [];
beforeAll(async () => {
	host = Fastify();
	host.addHook('onRequest', async ({ url, headers }) => {
		requests.push(`${url} ${headers.authorization ?? 'no key'}`);
	});
	const large = Buffer.alloc(20 * 1024 ** 2 + 1, BYTES);
	const heic = Buffer.from('\0\0\0\x24ftypheic', 'latin1');
	const files = {
		'/a.png': BYTES,
		'/a.heic': heic,
		[OF_BOT]: BYTES,
		'/text': 'no picture',
		'/large': large,
	};
	for (const [path, content] of Object.entries(files)) {
		host.get(path, async (_request, reply) => await reply.type('image/png').send(content));
	}
	host.get('/moved', async (_request, reply) => await reply.redirect('/a.png', 302));
	host.get('/away', async (_request, reply) => await reply.redirect('ftp://a.example/a.png', 302));
	const timesOf = (path: string) => requests.filter((one) => one.startsWith(path)).length;
	for (const [path, times] of Object.entries({ '/once': 1, '/twice': 2 })) {
		host.get(path, async (_request, reply) =>
			timesOf(path) <= times
				? await reply.type('image/png').send(BYTES)
				: await reply.code(403).send(),
		);
	}
	host.get('/random', async (_request, reply) => {
		const other = Buffer.concat([BYTES, Buffer.from([timesOf('/random')])]);
		return await reply.type('image/png').send(other);
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

it('goes along where the model opens no address, from behind a redirect, too, without the key', async () => {
	const { bodies } = await submit({ imageSource: 'url', image: at('/moved') });
	const images = [`data:image/png;base64,${PNG}`];
	expect(bodies).toEqual([{ model: MODEL, prompt: 'A boat', images }]);
	const reading = ['/moved no key', '/a.png no key'];
	expect(requests).toEqual([...reading, ...reading]);
});

describe('another one at the submit than at the check', () => {
	const CHANGED = 'the image of First Frame (Image URL) has changed since it was checked';

	it.each([
		['/random', CHANGED, /HTTP Request node, and choose Binary Field/],
		[
			'/once',
			'the image of First Frame (Image URL) cannot be loaded again: its address answers with HTTP 403',
			/^Run the item again; .*Nothing is billed/,
		],
	])('fails its item alone, unpaid: %s', async (path, why, advice) => {
		const node = videoGenerate(
			{ wait: 'none', imageSource: 'url', image: '={{ $json.image }}' },
			CONTINUE,
		);
		const items = toInput(...['/a.png', path].map((one) => ({ prompt: one, image: at(one) })));
		const [output] = (await stage.run(node, items)).outputs();
		expect(output[0].json).toMatchObject({ status: 'queued' });
		expect(output[1].json.error).toMatchObject({
			message: `The video was not submitted: ${why} [item 1]`,
			description: expect.stringMatching(advice) as string,
			billed: 'no',
		});
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});
});

it.each([
	['a text that says it is a picture', '/text', 'there is no image at this address'],
	['more than vendors take', '/large', 'it has more than 20 MB'],
	['nothing', '/missing', 'its address answers with HTTP 404'],
	['a redirect to another protocol', '/away', 'the address leads to no http or https address'],
])('is refused before it is paid for: %s', async (_what, path, whyNot) => {
	const { bodies, error } = await submit({ imageSource: 'url', image: at(path) });
	expect(error?.message).toBe(`Image URL cannot be loaded: ${whyNot} [item 0]`);
	expect(bodies).toEqual([]);
});

it('is refused before other items are paid for where it goes out as a file of a form', async () => {
	stage.sandbox.set({ isNewApi: false });
	const access = { ...stage.credentials.videoGenerationApi, api: 'openAiVideos' };
	const { error } = await stage.engine.run({
		node: videoGenerate({ model: SEEDANCE, imageSource: 'url', image: '={{ $json.image }}' }),
		items: toInput(...['/a.png', '/missing'].map((path) => ({ prompt: 'A', image: at(path) }))),
		credentials: { videoGenerationApi: access },
	});
	expect(error?.message).toMatch(/^Image URL cannot be loaded: .* \[item 1\]/);
	expect(stage.sandbox.submissions()).toEqual([]);
});

describe('a HEIC photo of a phone', () => {
	const bytes = Buffer.from('\0\0\0\x24ftypheic\0\0\0\0mif1heic', 'latin1');
	const data = bytes.toString('base64');
	const run = async (parameters: IDataObject, access = {}) =>
		await stage.engine.run({
			node: videoGenerate({ wait: 'none', ...parameters }),
			items: ['image/png', 'image/heic'].map((mimeType, i) => ({
				json: { prompt: 'A boat', text: [PNG, data][i] },
				binary: { data: { data: [PNG, data][i], mimeType } },
			})),
			credentials: { videoGenerationApi: { ...stage.credentials.videoGenerationApi, ...access } },
		});

	it('is sent to a model whose page says that it takes it', async () => {
		const { error } = await run({ model: SEEDANCE, imageSource: 'binary' });
		expect(error).toBeUndefined();
		const images = stage.sandbox.submissions().map(({ body }) => (body as IDataObject).images);
		expect(images).toContainEqual([`data:image/heic;base64,${data}`]);
	});

	it.each([
		['binary', {}, MODEL, 'The file of Input Binary Field'],
		['base64', { image: '={{ $json.text }}' }, MODEL, 'Image Data'],
		['binary', { model: byId('doubao-seedance-1-0-pro-250528') }, 'doubao-seedance-1-0-pro-250528'],
		['binary', { model: byId('kling-v2-6') }, 'kling-v2-6'],
	])(
		'is refused before other items are paid for: %s %j',
		async (imageSource, parameters, model, source = 'The file of Input Binary Field') => {
			const { error } = await run({ imageSource, ...parameters });
			const message = `${source} is a HEIC photo, which "${model}" is not known to take`;
			expect(error?.message).toBe(`${message} [item 1]`);
			expect(error?.description).toMatch(/^Use a JPEG or PNG\. .*Nothing was submitted\./);
			expect(stage.sandbox.submissions()).toEqual([]);
		},
	);

	it('is refused where the node loads it for a form, too', async () => {
		stage.sandbox.set({ isNewApi: false });
		const parameters = { model: SEEDANCE, imageSource: 'url', image: at('/a.heic') };
		const { error } = await run(parameters, { api: 'openAiVideos' });
		expect(error?.message).toMatch(/^The file at Image URL is a HEIC photo, .* \[item 0\]$/);
		expect(stage.sandbox.submissions()).toEqual([]);
	});
});

it.each([
	[
		'https://drive.google.com/file/d/1bo3oWnBgND0/view?usp=sharing',
		'Google Drive',
		/Google Drive node/,
	],
	['https://drive.google.com/open?id=0B1mjaCOs', 'Google Drive', /choose Binary Field/],
	['https://drive.google.com/u/0/file/d/1bo3/view', 'Google Drive', /choose Binary Field/],
	['https://github.com/a/b/blob/main/c.png', 'GitHub', /button Raw/],
	[
		'https://www.dropbox.com/scl/fi/ab/a.jpg?rlkey=x&dl=0',
		'Dropbox',
		/^Enter it with dl=1 in place of dl=0/,
	],
	['https://www.dropbox.com/s/ab/a.jpg', 'Dropbox', /^Enter it with dl=1 in place of dl=0/],
	['https://1drv.ms/i/s!AjIxK6fZ', 'OneDrive', /Microsoft OneDrive node/],
	['https://a-my.sharepoint.com/:i:/g/personal/a/Ebzk', 'SharePoint', /Microsoft SharePoint node/],
	['https://photos.app.goo.gl/AbC1', 'Google Photos', /copy the image's own address/],
	['https://ibb.co/Vws5J4L', 'ImgBB', /copy the image's own address/],
])(
	'a link to a page is refused before other items are paid for: %s',
	async (image, name, advice) => {
		const items = toInput(...[at('/a.png'), image].map((one) => ({ prompt: 'A', image: one })));
		const parameters = { model: SEEDANCE, imageSource: 'url', image: '={{ $json.image }}' };
		const { error } = await stage.run(videoGenerate(parameters), items);
		const page = `Image URL is a link to a page of ${name}, and not to the file`;
		expect(error?.message).toBe(`${page} [item 1]`);
		expect(error?.description).toMatch(advice);
		expect(error?.description).toMatch(/Nothing was submitted\./);
		expect(stage.sandbox.submissions()).toEqual([]);
	},
);

it.each([
	'https://drive.google.com/uc?export=download&id=1bo3oWnBgND0',
	'https://www.dropbox.com/scl/fi/ab/a.jpg?rlkey=x&dl=1',
	'https://i.ibb.co/MMTPPLR/a.png',
])('an address of a file goes to the service as it is: %s', async (image) => {
	const { bodies } = await submit({ model: SEEDANCE, imageSource: 'url', image });
	expect(bodies).toHaveLength(1);
	expect(JSON.stringify(bodies)).toContain(JSON.stringify(image));
});

describe('an address with the token of a bot', () => {
	it('is loaded by the node, and never sent', async () => {
		const image = at(OF_BOT);
		const { bodies } = await submit({ model: SEEDANCE, imageSource: 'url', image });
		expect(requests).toEqual([`${OF_BOT} no key`, `${OF_BOT} no key`]);
		expect(bodies).toHaveLength(1);
		expect(JSON.stringify(bodies)).toContain(`"data:image/png;base64,${PNG}"`);
		expect(JSON.stringify(stage.sandbox.requests)).not.toContain('secret');
	});

	it('is loaded for a reference image, and refused for a video, which has no bytes', async () => {
		const image = at(OF_BOT);
		const of = async (role: string) =>
			await submit({
				model: byId('doubao-seedance-2-0-260128'),
				options: { images: { image: [{ role, imageSource: 'url', image }] } },
			});
		const { error } = await of('referenceVideo');
		expect(error?.message).toMatch(/row 1: File URL has the token of a Telegram bot/);
		expect(stage.sandbox.submissions()).toEqual([]);
		expect((await of('reference')).bodies).toHaveLength(1);
		expect(JSON.stringify(stage.sandbox.requests)).not.toContain('secret');
	});
});

describe('with Max Videos per Execution', () => {
	const limited = (maxVideos: number) =>
		videoGenerate(
			{ wait: 'none', imageSource: 'url', image: at('/a.png'), options: { cost: { maxVideos } } },
			CONTINUE,
		);

	// Each is read to be checked, and again to be sent.
	it.each([
		[2, 0],
		[3, 3],
	])('of %i, three items load %i pictures twice', async (maxVideos, expected) => {
		const items = toInput(...[0, 1, 2].map((n) => ({ prompt: `Boat ${n}` })));
		const [output] = (await stage.run(limited(maxVideos), items)).outputs();
		expect([output.length, requests.length]).toEqual([3, 2 * expected]);
		expect(stage.sandbox.submissions()).toHaveLength(expected);
	});

	it.each([
		[0, 0],
		[1, 1],
	])('of %i, a retry loads %i pictures twice beside what is paid', async (maxVideos, expected) => {
		const refused = planned('Refused once', { submit: ['forbidden', 'ok'] });
		const items = toInput({ prompt: 'A boat' }, { prompt: refused });
		const failed = await stage.run({ ...limited(2), onError: 'stopWorkflow' }, items);
		requests = [];
		const { credentials } = stage;
		await stage.engine.retry(failed, { node: limited(maxVideos), credentials });
		const submissions = stage.sandbox.submissions().length;
		expect([requests.length, submissions]).toEqual([2 * expected, 2 + expected]);
	});
});

const LAST_FRAME = { role: 'lastFrame', imageSource: 'base64', image: PNG };
it.each<[string, string, IDataObject[], RegExp]>([
	['two last frames', 'MiniMax-H3', [LAST_FRAME, LAST_FRAME], /row 2: There can be only one/],
	[
		'a reference video as a file',
		'doubao-seedance-2-0-260128',
		[{ ...LAST_FRAME, role: 'referenceVideo' }],
		/needs an address/,
	],
])('rows of Images are refused before they are paid for: %s', async (_what, model, image, says) => {
	const { bodies, error } = await submit({ model: byId(model), options: { images: { image } } });
	expect(error?.message).toMatch(says);
	expect(bodies).toEqual([]);
});

it('that is gone does not keep a paid video from its item', async () => {
	const plan = { poll: Array(5).fill('unauthorized') };
	const node = videoGenerate({ imageSource: 'url', image: at('/twice') });
	const failed = await stage.run(node, toInput({ prompt: planned('A boat', plan) }));
	const retried = await stage.engine.retry(failed);
	expect(retried.outputs()[0]).toMatchObject([{ json: { status: 'SUCCESS', reused: true } }]);
	expect(stage.sandbox.submissions()).toHaveLength(1);
});
