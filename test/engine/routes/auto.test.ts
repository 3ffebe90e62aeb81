import { byId, CONTINUE, toInput, useStage, videoGenerate } from '../../support/stage';
import { listen } from '../services/support/listen';

// Auto finds the route of a service that nobody knows, and pays for each video once.

interface Ask {
	method: string;
	path: string;
	/** How many submits there were on this path, this one included. */
	nth: number;
	fields?: Record<string, unknown>;
	type: string;
}
/** `new-api` and `litellm` as the type send its header. */
type Reply = [status: number, body: unknown, type?: string];

const GENERATIONS = '/v1/video/generations';
const VIDEOS = '/v1/videos';
const NOT_FOUND: Reply = [404, { detail: 'Not Found' }];
const PICTURE = Buffer.from('\x89PNG\r\n\x1a\n and a picture', 'latin1').toString('base64');
const PAGE: Reply = [404, '<html><title>404</title></html>', 'text/html'];

const OWN_HEADERS: Record<string, Record<string, string>> = {
	'new-api': { 'x-new-api-version': 'v1' },
	litellm: { 'x-litellm-version': '1.108.7' },
};

const stage = useStage();

/** Renders two videos at a service that answers so, and counts the tasks that it has made. */
async function render(answer: Answer, prompts = ['a', 'b'], parameters = {}, credential = {}) {
	const tasks = new Set<string>();
	const asks: Ask[] = [];
	const make = () => {
		const id = `task_${tasks.size + 1}`;
		tasks.add(id);
		return id;
	};
	const reply = (ask: Ask): Reply => {
		const [, id] = /^\/v1\/video(?:s|\/generations)\/(task_\d+)$/.exec(ask.path) ?? [];
		// LiteLLM encodes a video's ID anew in each answer, so that a record names another one.
		const told = `video_${ask.nth}`;
		if (id && tasks.has(id))
			return [200, { id: told, status: 'completed', url: 'https://a.example/v.mp4' }];
		return answer(ask, make);
	};
	const { url, close } = await listen((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url: path = '', headers } = request;
			const text = Buffer.concat(chunks).toString();
			const nth = 1 + asks.filter((one) => one.method === method && one.path === path).length;
			const type = headers['content-type'] ?? '';
			const fields = /json/.test(type) ? (JSON.parse(text) as Ask['fields']) : undefined;
			const ask = { method, path, nth, fields, type };
			asks.push(ask);
			const [status, body, as = 'application/json'] = reply(ask);
			const own = OWN_HEADERS[as] ?? { 'content-type': as };
			response.writeHead(status, { ...own, connection: 'close' });
			response.end(typeof body === 'string' ? body : JSON.stringify(body));
		});
	});
	try {
		const result = await stage.engine.run({
			node: videoGenerate({ model: byId('any-model'), wait: 'inProcess', ...parameters }, CONTINUE),
			items: toInput(...prompts.map((prompt) => ({ prompt }))),
			credentials: {
				videoGenerationApi: { baseUrl: url, apiKey: 'key-12345678', ...credential },
			},
		});
		const posts = asks.filter(({ method }) => method === 'POST');
		const items = result.outputs().flat();
		return {
			tasks: tasks.size,
			posts: (path: string) => posts.filter((one) => one.path === path).length,
			done: items.filter(({ json }) => json.status === 'SUCCESS').length,
			reasons: items.flatMap(({ json: { error } }) => (error ? [(error as Error).message] : [])),
			text: JSON.stringify(items.map(({ json }) => json)),
			types: posts.map(({ type }) => type.split(';')[0]),
			bodies: posts.map(({ fields }) => fields),
		};
	} finally {
		await close();
	}
}

const ONE_BY_ONE = { polling: { pollInterval: 0.02, concurrency: 1 } };
const SETTINGS = { duration: 8, aspectRatio: '9:16' };
type Answer = (ask: Ask, make: () => string) => Reply;
const accept = (make: () => string): Reply => [
	200,
	{ id: make(), object: 'video', status: 'queued' },
];
/** Answers to submits on one path; nothing else is there. */
const submitsOn =
	(path: string, answer: Answer): Answer =>
	(ask, make) =>
		ask.method === 'POST' && ask.path === path ? answer(ask, make) : NOT_FOUND;

it.each<[what: string, answer: (ask: Ask) => Reply]>([
	['404 in JSON', () => NOT_FOUND],
	['404 as a page', () => PAGE],
	[
		'404 that names the address',
		({ method, path }) => [404, { error: { message: `Invalid URL (${method} ${path})` } }],
	],
	['405', ({ method }) => (method === 'POST' ? [405, PAGE[1], 'text/html'] : NOT_FOUND)],
])('goes to the second route once the first is not there: %s', async (_what, nowhere) => {
	const seen = await render((ask, make) =>
		ask.method === 'POST' && ask.path === VIDEOS ? accept(make) : nowhere(ask),
	);
	expect(seen).toMatchObject({ tasks: 2, done: 2, reasons: [] });
	expect(seen.posts(VIDEOS)).toBe(2);
});

it.each<[what: string, first: (make: () => string) => Reply, billed: string]>([
	['404 with the ID of a task', (make) => [404, { data: { task_id: make() } }], 'unknown'],
	['404 for an unknown model', () => [404, { error: { message: 'No such model' } }], 'no'],
	['500', (make) => (make(), [500, { message: 'oops' }]), 'unknown'],
	['429 with the ID of a task', (make) => [429, { id: make() }], 'unknown'],
])('stays on the first route: %s', async (_what, first, billed) => {
	const seen = await render(({ method, path }, make) => {
		if (method !== 'POST') return NOT_FOUND;
		return path === GENERATIONS ? first(make) : accept(make);
	});
	expect([seen.posts(GENERATIONS), seen.posts(VIDEOS)]).toEqual([2, 0]);
	expect(seen.text.split(`"billed":"${billed}"`)).toHaveLength(3);
});

it.each<[what: string, refusal: Reply]>([
	['by its name', [400, { error: { message: 'Content-Type must be multipart/form-data' } }]],
	['by 415', [415, { detail: 'Unsupported Media Type' }]],
])('sends a form where the service asks for one %s', async (_what, refusal) => {
	const seen = await render(
		submitsOn(VIDEOS, ({ type }, make) =>
			type.startsWith('multipart/form-data') ? accept(make) : refusal,
		),
	);
	expect(seen).toMatchObject({ tasks: 2, done: 2 });
	expect(seen.types).toContain('multipart/form-data');
});

it('a picture that cannot be loaded for a form is refused before anything is paid', async () => {
	const seen = await render(
		submitsOn(VIDEOS, ({ type }, make) =>
			type.startsWith('multipart/') ? accept(make) : [415, { detail: 'no JSON' }],
		),
		['a'],
		{ imageSource: 'url', image: 'http://127.0.0.1:9/a.png' },
	);
	expect(seen).toMatchObject({ tasks: 0, types: ['application/json', 'application/json'] });
	expect(seen.reasons[0]).toMatch(/^The image cannot be loaded for the form: /);
});

/** Refuses fields that the service does not know, as OpenAI does, or else makes a task. */
const knows = (path: string, ...known: string[]) =>
	submitsOn(path, ({ fields = {} }, make) => {
		const unknown = Object.keys(fields).find(
			(name) => !['model', 'prompt', ...known].includes(name),
		);
		const error = { message: `Unknown parameter: '${unknown}'.` };
		return unknown === undefined ? accept(make) : [400, { error }];
	});

it.each([
	[GENERATIONS, ['duration', 'aspect_ratio'], { duration: 8, aspect_ratio: '9:16' }],
	[VIDEOS, ['seconds', 'size'], { seconds: '8', size: '720x1280' }],
])('writes plain fields after a refusal of one, once: %s', async (path, known, expected) => {
	const seen = await render(knows(path, ...known), ['a', 'b'], SETTINGS);
	expect(seen).toMatchObject({ tasks: 2, done: 2, reasons: [] });
	expect(seen.posts(path)).toBe(4);
	expect(seen.bodies.slice(-2)).toMatchObject([expected, expected]);
});

it('a field by hand that is unknown costs the other items nothing', async () => {
	const additionalFields = '={{ $json.prompt === "a" ? { foo: 1 } : {} }}';
	const options = { additionalFields, ...ONE_BY_ONE };
	const known = knows(VIDEOS, 'seconds', 'size');
	const seen = await render(known, ['a', 'b', 'c'], { duration: 5, options });
	expect(seen).toMatchObject({ tasks: 2, done: 2 });
	expect(seen.posts(VIDEOS)).toBe(6);
	expect(seen.reasons).toHaveLength(1);
});

it('a first frame goes to LiteLLM as a file, and nothing is sent twice', async () => {
	const seen = await render(
		({ method, path, type }, make) => {
			if (path === '/v1/models') return [200, { data: [{ id: 'any-model', owned_by: 'openai' }] }];
			if (!path.startsWith(VIDEOS)) return NOT_FOUND;
			if (method === 'GET') return [500, { error: { message: 'No such video' } }, 'litellm'];
			// A list or an object in JSON is an error of LiteLLM's own.
			return type.startsWith('multipart/') ? accept(make) : [500, {}, 'litellm'];
		},
		['a'],
		{ ...SETTINGS, imageSource: 'base64', image: PICTURE },
	);
	expect(seen).toMatchObject({ tasks: 1, done: 1, types: ['multipart/form-data'] });
	expect(seen.posts(GENERATIONS)).toBe(0);
});

it.each([0, -3])('a length of %d is refused before it is sent', async (duration) => {
	const seen = await render(knows(VIDEOS), ['a'], { duration });
	expect([seen.tasks, seen.posts(VIDEOS)]).toEqual([0, 0]);
	expect(seen.text).toContain('Duration must be 1 or more');
});

it.each<[what: string, list: Reply]>([
	['an outage', [502, PAGE[1], 'text/html']],
	['a limit of a proxy', [429, PAGE[1], 'text/html']],
])(
	'asks once more who the service is after %s, and submits nothing unless it hears',
	async (_what, list) => {
		const seen = await render(
			({ method }, make) => (method === 'POST' ? accept(make) : list),
			['a'],
			SETTINGS,
		);
		expect(seen).toMatchObject({ tasks: 0, posts: expect.any(Function) });
		expect(seen.reasons[0]).toMatch(/^Nobody knows yet how this service takes settings: /);
	},
);

it('writes by model though only a made-up task tells that it is New API', async () => {
	const seen = await render(
		({ method, path }, make) => {
			if (path === '/v1/models') return [502, PAGE[1], 'text/html'];
			return method === 'POST' ? accept(make) : [400, { code: 'task_not_exist' }, 'new-api'];
		},
		['a'],
		{ ...SETTINGS, model: byId('veo-3.1-fast-generate-001') },
	);
	expect(seen.tasks).toBe(1);
	expect(seen.bodies).toMatchObject([{ metadata: { aspectRatio: '9:16' } }]);
	expect(seen.bodies[0]).not.toHaveProperty('aspect_ratio');
});

it.each([
	[{ size: '720x1280' }, { size: '720x1280' }],
	[{ aspect_ratio: '1:1' }, { aspect_ratio: '1:1' }],
])('what is by hand takes the place of all that means the same: %j', async (byHand, fields) => {
	const options = { additionalFields: byHand };
	const seen = await render(
		submitsOn(GENERATIONS, (_ask, make) => accept(make)),
		['a'],
		{ ...SETTINGS, options },
	);
	const length = { duration: 8, seconds: '8', duration_seconds: 8 };
	expect(seen.bodies).toEqual([{ model: 'any-model', prompt: 'a', ...length, ...fields }]);
});

describe('a video that New API has to get by /v1/videos', () => {
	const KLING = 'kling-3.0';
	const OTHER = 'doubao-seedance-2-0-260128';
	const submit = async (rows: object[], options = {}) => {
		stage.sandbox.set({ models: { video: [KLING, OTHER] } });
		const node = videoGenerate({
			...{ model: byId('={{ $json.model }}'), wait: 'inProcess' },
			...{ imageSource: '={{ $json.image ? "url" : "none" }}', image: '={{ $json.image }}' },
			options,
		});
		const result = await stage.run(node, toInput(...(rows as Array<{ prompt: string }>)));
		const paths = stage.sandbox.submissions().map(({ body, path }) => [body!.prompt, path]);
		return { result, paths: Object.fromEntries(paths) as Record<string, string> };
	};

	it('goes there once, and leaves the other videos on their route', async () => {
		const image = 'https://a.example/a.png';
		const { result, paths } = await submit([
			{ prompt: 'text', model: KLING },
			{ prompt: 'image', model: KLING, image },
			{ prompt: 'other', model: OTHER },
		]);
		expect(paths).toEqual({ text: VIDEOS, image: VIDEOS, other: GENERATIONS });
		expect(result.outputs()[0]).toMatchObject(Array(3).fill({ json: { status: 'SUCCESS' } }));
		expect(stage.sandbox.tasks()).toHaveLength(3);
	});

	it('is shown so by a dry run', async () => {
		const { result } = await submit([{ prompt: 'text', model: KLING }], { cost: { dryRun: true } });
		expect(result.outputs()[0][0].json).toMatchObject({ route: VIDEOS });
		expect(stage.sandbox.submissions()).toEqual([]);
	});

	it('goes as all others at another service', async () => {
		stage.sandbox.set({ isNewApi: false });
		const { paths } = await submit([{ prompt: 'text', model: KLING }], { modelFamily: 'Kling' });
		expect(paths).toEqual({ text: GENERATIONS });
	});

	it('stays on the route that the credential allows, with a hint', async () => {
		Object.assign(stage.credentials.videoGenerationApi, { api: 'videoGenerations' });
		const { result, paths } = await submit([{ prompt: 'text', model: KLING }]);
		expect(paths).toEqual({ text: GENERATIONS });
		expect(result.hints().map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/unless API in the credential is Auto or \/v1\/videos/),
		);
	});
});
