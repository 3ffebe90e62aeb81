import { hurry } from '../../support/clock';
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
/** `new-api` as the type sends its header. */
type Reply = [status: number, body: unknown, type?: string, place?: string];

const GENERATIONS = '/v1/video/generations';
const VIDEOS = '/v1/videos';
const NOT_FOUND: Reply = [404, { detail: 'Not Found' }];
const NO_PROMPT: Reply = [400, { error: { message: 'prompt is required' } }];
const PAGE: Reply = [404, '<html><title>404</title></html>', 'text/html'];

const stage = useStage();

/** Renders two videos at a service that answers so, and counts the tasks that it has made. */
async function render(
	answer: Answer,
	prompts = ['a', 'b'],
	parameters = {},
	withoutFile = 0,
	credential = {},
) {
	const tasks = new Set<string>();
	const asks: Ask[] = [];
	const make = () => {
		const id = `task_${tasks.size + 1}`;
		tasks.add(id);
		return id;
	};
	const reply = (ask: Ask): Reply => {
		const [, id] = /^\/v1\/videos\/(task_\d+)$/.exec(ask.path) ?? [];
		if (id && tasks.has(id) && ask.nth > withoutFile)
			return [200, { id, status: 'completed', url: 'https://a.example/v.mp4' }];
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
			const [status, body, as = 'application/json', location] = reply(ask);
			const own = as === 'new-api' ? { 'x-new-api-version': 'v1' } : { 'content-type': as };
			response.writeHead(status, { ...own, ...(location && { location }), connection: 'close' });
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
		// What has no prompt asks whether a route is there.
		const posts = asks.filter(
			({ method, fields }) => method === 'POST' && (!fields || 'prompt' in fields),
		);
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

const FILE = { url: 'https://a.example/v.mp4' };
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
	['404 in an answer of 200', () => [200, { code: 404, msg: 'not found' }]],
	[
		'404 that names the address',
		({ method, path }) => [404, { error: { message: `Invalid URL (${method} ${path})` } }],
	],
	[
		'404 with an ID of the request',
		() => [404, { message: 'No route', request_id: `r${Math.random()}` }],
	],
	[
		'405 to a submit and 404 to all else',
		({ method }) => (method === 'POST' ? [405, PAGE[1], 'text/html'] : NOT_FOUND),
	],
])('goes to the second route once the first is not there: %s', async (_what, nowhere) => {
	const seen = await render((ask, make) =>
		ask.method === 'POST' && ask.path === VIDEOS ? accept(make) : nowhere(ask),
	);
	expect(seen).toMatchObject({ tasks: 2, done: 2, reasons: [] });
	expect(seen.posts(VIDEOS)).toBe(2);
});

it.each<[what: string, first: (make: () => string) => Reply, probe: Reply]>([
	[
		'a proxy that answers 404 once the task is made',
		(make) => (make(), NOT_FOUND),
		[404, { error: { code: 'task_not_exist', message: 'task not exist' } }],
	],
	['the same with a page', (make) => (make(), PAGE), [400, { message: 'no such task' }]],
	['404 with the ID of the task', (make) => [404, { id: make(), status: 'queued' }], NOT_FOUND],
	[
		'404 with the ID of the task, elsewhere',
		(make) => [404, { data: { task_id: make() } }],
		NOT_FOUND,
	],
	['404 for an unknown model', () => [404, { error: { message: 'No such model' } }], NOT_FOUND],
	['200 with 404 for an unknown model', () => [200, { code: 404, msg: 'No model' }], NOT_FOUND],
	['a page, where no task is like no address', (make) => (make(), PAGE), NOT_FOUND],
	['500', (make) => (make(), [500, { message: 'oops' }]), NOT_FOUND],
	['404 where looks fail', () => NOT_FOUND, [503, 'later', 'text/plain']],
	['404 in the words of unknown addresses and tasks', (make) => (make(), NOT_FOUND), NOT_FOUND],
])('stays on the first route: %s', async (_what, first, probe) => {
	const seen = await render((ask, make) => {
		if (ask.method === 'POST' && ask.path === GENERATIONS)
			return ask.fields?.prompt === undefined ? NO_PROMPT : first(make);
		if (ask.method === 'POST' && ask.path === VIDEOS) return accept(make);
		return ask.path.startsWith(GENERATIONS) ? probe : NOT_FOUND;
	});
	expect(seen.posts(GENERATIONS)).toBe(2);
	expect(seen.posts(VIDEOS)).toBe(0);
	expect(seen.reasons).toHaveLength(2);
	// What may be made is never called refused.
	if (seen.tasks > 0) expect(seen.text).not.toContain('"billed":"no"');
});

const CUSTOM = { api: 'customPaths', submitPath: VIDEOS, taskPath: `${VIDEOS}/{id}` };
it.each<[where: string, isThere: boolean, taken: number, credential: object]>([
	['on the second route', true, 0, {}],
	['on both routes', false, 0, {}],
	['where a video was taken before', false, 1, {}],
	['with API chosen', true, 0, { api: 'openAiVideos' }],
	['with Custom Paths', true, 0, CUSTOM],
	['with Custom Paths that are not there', false, 0, CUSTOM],
])('says of a 404 %s that it costs nothing only if it does not', async (...row) => {
	const [, isThere, taken, credential] = row;
	const seen = await render(
		({ method, path, nth }, make) => {
			if (method === 'POST' && path === VIDEOS && nth <= taken) return accept(make);
			if (method === 'POST' && path === VIDEOS && (isThere || taken > 0)) make();
			return method === 'GET' && path.startsWith(VIDEOS) && isThere
				? [404, { message: 'unknown' }]
				: NOT_FOUND;
		},
		['a', 'b'].slice(0, taken + 1),
		{ options: ONE_BY_ONE },
		0,
		credential,
	);
	expect([seen.posts(VIDEOS), seen.done]).toEqual([taken + 1, taken]);
	expect(seen.text.includes('"billed":"no"')).toBe(seen.tasks === 0);
});

it('keeps to what it has found, though the first route appears in the middle of the run', async () => {
	const seen = await render(
		({ method, path, nth }, make) => {
			if (method !== 'POST') return NOT_FOUND;
			// Each video asks there twice: with its prompt, and without one.
			return path === VIDEOS || nth > 24 ? accept(make) : NOT_FOUND;
		},
		Array.from({ length: 12 }, (_one, i) => String(i)),
	);
	expect(seen).toMatchObject({ tasks: 12, done: 12 });
});

it.each<[what: string, refusal: Reply]>([
	['by its name', [400, { error: { message: 'Content-Type must be multipart/form-data' } }]],
	['by 415', [415, { detail: 'Unsupported Media Type' }]],
	['by missing what was sent', [400, { error: { message: 'prompt is required' } }]],
])('sends a form where the service asks for one %s', async (_what, refusal) => {
	const seen = await render(
		submitsOn(VIDEOS, ({ type }, make) =>
			type.startsWith('multipart/form-data') ? accept(make) : refusal,
		),
	);
	expect(seen).toMatchObject({ tasks: 2, done: 2 });
	expect(seen.types).toContain('multipart/form-data');
});

/** Refuses the fields of a submit by its words for them, or else makes a task; nothing else is there. */
const readFields = (
	path: string,
	refuse: (fields: Record<string, unknown>) => string | undefined,
) =>
	submitsOn(path, ({ fields = {} }, make) => {
		if (!('prompt' in fields)) return NO_PROMPT;
		const message = refuse(fields);
		return message ? [400, { error: { message } }] : accept(make);
	});
const SHAPE = { aspectRatio: '9:16', resolution: '1080p' };
const SIZES = { aspect_ratio: '9:16', ratio: '9:16', resolution: '1080p', size: '1080x1920' };

it.each([
	['The size of the image must not exceed 4K', 2],
	["Unknown field 'style' in metadata", 4],
	['aspect_ratio cannot be used together with size', 2],
	['ratio cannot be used together with image', 1],
])('what the refusal of one item says changes no other: %s', async (words, submits) => {
	const seen = await render(
		readFields(GENERATIONS, ({ prompt }) => (prompt === 'bad' ? words : undefined)),
		['bad', 'a', 'b'],
		{ ...SHAPE, options: ONE_BY_ONE },
	);
	expect(seen).toMatchObject({ tasks: 2, done: 2 });
	expect(seen.posts(GENERATIONS)).toBe(submits + 2);
	expect(seen.bodies.slice(-2)).toMatchObject([SIZES, SIZES]);
});

it.each([
	['negative_prompt can not be used with model any-model', 'negative_prompt'],
	['seed and duration are mutually exclusive', 'seed'],
	['images cannot be used together with duration over 4', 'images'],
])('no setting is left out because it is refused: %s', async (words, field) => {
	const seen = await render(
		readFields(GENERATIONS, (fields) => (field in fields ? words : undefined)),
		['a'],
		{
			...{ duration: 5, imageSource: 'url', image: 'https://a.example/a.png' },
			options: { negativePrompt: 'people', seed: 7 },
		},
	);
	expect([seen.tasks, seen.posts(GENERATIONS), seen.reasons.length]).toEqual([0, 1, 1]);
	expect(seen.text).toContain('"billed":"no"');
});

it.each([0, -3])('a length of %d is refused before it is sent', async (duration) => {
	const seen = await render(
		readFields(VIDEOS, () => undefined),
		['a'],
		{ duration },
	);
	expect([seen.tasks, seen.posts(VIDEOS)]).toEqual([0, 0]);
	expect(seen.text).toContain('Duration must be 1 or more');
});

it('passes over a way of writing that has no field for what is set', async () => {
	const known = ['model', 'prompt', 'duration', 'seed', 'negative_prompt', 'generate_audio'];
	const refuse = (fields: object) =>
		Object.keys(fields).some((name) => !known.includes(name)) ? 'Unknown parameter' : undefined;
	const options = { seed: 7, negativePrompt: 'people', generateAudio: false };
	const seen = await render(readFields(VIDEOS, refuse), ['a'], { duration: 5, options });
	expect(seen).toMatchObject({ tasks: 1, done: 1, reasons: [] });
	expect(seen.posts(VIDEOS)).toBe(2);
	expect(seen.bodies.at(-1)).toMatchObject({ seed: 7, negative_prompt: 'people' });
});

it('sends no request that the service has refused already', async () => {
	const seen = await render(
		readFields(GENERATIONS, () => 'Unknown parameter: x'),
		['a'],
	);
	expect([seen.posts(GENERATIONS), seen.reasons.length]).toEqual([1, 1]);
});

it.each<[what: string, busy: Reply]>([
	['429', [429, { message: 'Slow down' }]],
	['503', [503, 'later', 'text/plain']],
])('asks again whether a route is there after %s', async (_what, busy) => {
	const haste = hurry(200);
	const seen = await render(({ method, path, nth, fields }, make) => {
		if (method === 'POST' && path === VIDEOS) return accept(make);
		return nth === 1 && !fields?.prompt ? busy : NOT_FOUND;
	}).finally(haste.restore);
	expect(seen).toMatchObject({ tasks: 2, done: 2, reasons: [] });
});

it.each<[what: string, told: (id: string) => object, place: string]>([
	['an ID as a text', (id) => ({ data: id }), ''],
	['a state that goes on', (id) => ({ request_id: id, status: 'queued' }), ''],
	['an address to ask', (id) => ({ urls: { get: `https://a.example/v1/x/${id}` } }), ''],
	['a header', () => ({}), '/v1/videos/a'],
])('writes nothing anew after a refusal that tells of a task: %s', async (_what, told, place) => {
	const seen = await render(
		({ method, fields }, make) => {
			if (method !== 'POST' || !fields?.prompt) return NOT_FOUND;
			const body = { message: 'Unknown parameter: metadata', ...told(`x${make()}00`) };
			return [400, body, 'application/json', place];
		},
		['a'],
		SHAPE,
	);
	expect([seen.tasks, seen.posts(GENERATIONS)]).toEqual([1, 1]);
	expect(seen.text).toContain('"next":"checkUsage"');
});

it('writes only the documented fields for all items, though all were refused at once', async () => {
	const refuse = (fields: object) => ('metadata' in fields ? 'Unknown parameter: metadata' : '');
	const seen = await render(readFields(GENERATIONS, refuse), ['a', 'b', 'c'], SETTINGS);
	expect(seen).toMatchObject({ tasks: 3, reasons: [] });
	expect(seen.posts(GENERATIONS)).toBeGreaterThan(4);
});

it('a field by hand that is unknown costs the other items nothing', async () => {
	const KNOWN = ['model', 'prompt', 'seconds', 'size'];
	const additionalFields = '={{ $json.prompt === "a" ? { foo: 1 } : {} }}';
	const refuse = (fields: object) => {
		const unknown = Object.keys(fields).find((name) => !KNOWN.includes(name));
		return unknown && `Unknown parameter: '${unknown}'.`;
	};
	const options = { additionalFields, ...ONE_BY_ONE };
	const seen = await render(readFields(VIDEOS, refuse), ['a', 'b', 'c'], { duration: 5, options });
	expect(seen).toMatchObject({ tasks: 2, done: 2 });
	expect(seen.bodies.length).toBeLessThan(16);
});

it.each<[what: string, told: (id: string) => unknown]>([
	['in an envelope', (id) => ({ data: { id } })],
	['as a job', (id) => ({ jobId: id })],
	['in a list', (id) => [{ id }]],
	['beside a reason', (id) => ({ id, message: 'Slow down' })],
])('does not repeat a submit after a 429 that names a task: %s', async (_what, told) => {
	const seen = await render(
		({ method }, make) => (method === 'POST' ? [429, told(make())] : NOT_FOUND),
		['a'],
	);
	expect(seen).toMatchObject({ tasks: 1, done: 0 });
	expect(seen.text).toContain('task_1');
});

it.each([GENERATIONS, VIDEOS])('waits for the address of a film that is done: %s', async (path) => {
	const haste = hurry(200);
	const late = { ask: 0 };
	const seen = await render(
		(ask, make) => {
			if (ask.method === 'POST') return ask.path === path ? accept(make) : NOT_FOUND;
			const [, id] = /\/(task_\d+)$/.exec(ask.path) ?? [];
			if (id === undefined || !ask.path.startsWith(path)) return NOT_FOUND;
			return [200, { id, status: 'completed', ...(late.ask++ > 4 && FILE) }];
		},
		['a'],
		{},
		Infinity,
	).finally(haste.restore);
	expect(seen).toMatchObject({ tasks: 1, done: 1, reasons: [] });
});

it('takes the film that the answer to a submit tells, where there are no tasks', async () => {
	const seen = await render(
		submitsOn(VIDEOS, (_ask, make) => [
			200,
			{ id: make(), object: 'video', status: 'completed', data: [FILE] },
		]),
		['a'],
		{},
		Infinity,
	);
	expect(seen).toMatchObject({ tasks: 1, done: 1, reasons: [] });
	expect(seen.text).toContain(FILE.url);
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

it('a form that was refused for one item is not kept to for the others', async () => {
	const seen = await render(
		submitsOn(VIDEOS, ({ type, fields }, make) => {
			if (type.startsWith('multipart/')) return [400, { message: 'invalid JSON' }];
			return fields?.prompt === 'bad' ? [400, { message: 'a file is missing' }] : accept(make);
		}),
		['bad', 'good', 'good'],
		{ options: ONE_BY_ONE },
	);
	expect(seen).toMatchObject({ tasks: 2, done: 2 });
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

it('a refusal of a form ends there', async () => {
	const seen = await render(
		submitsOn(VIDEOS, () => [400, { error: { message: 'multipart/form-data needed' } }]),
		['a'],
	);
	expect(seen.posts(VIDEOS)).toBe(2);
	expect(seen.reasons).toHaveLength(1);
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
		expect(paths).toEqual({ text: VIDEOS, image: GENERATIONS, other: GENERATIONS });
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
