import type { IDataObject } from 'n8n-workflow';

import { byId, CONTINUE, toInput, useStage, videoGenerate } from '../../support/stage';
import { serve, type Ask, type Reply } from './support/serve';

// Custom Paths finds the fields of a service that nobody knows, OpenAI Videos and New API know theirs, and each
// pays for each video once. Which refusal leads to what is in test/nodes/shared/services/submit.test.ts.

const GENERATIONS = '/v1/video/generations';
const VIDEOS = '/v1/videos';
const NOT_FOUND: Reply = [404, { detail: 'Not Found' }];
const LITELLM = { 'x-litellm-version': '1.108.7' };
const PICTURE = Buffer.from('\x89PNG\r\n\x1a\n and a picture', 'latin1').toString('base64');
const SETTINGS = { duration: 8, aspectRatio: '9:16' };

/** Makes a task, and gives the answer to its submit. */
type Accept = () => Reply;
type Answer = (ask: Ask, accept: Accept) => Reply;

const stage = useStage();

/** Renders videos at a service that answers so to all but the polls of its tasks. */
async function render(
	api: string,
	answer: Answer,
	prompts = ['a', 'b'],
	parameters: IDataObject = {},
) {
	let tasks = 0;
	const accept: Accept = () => [200, { id: `task_${++tasks}`, object: 'video', status: 'queued' }];
	const server = await serve((ask) =>
		/\/task_\d+$/.test(ask.path)
			? [200, { status: 'completed', url: 'https://a.example/v.mp4' }]
			: answer(ask, accept),
	);
	const result = await stage.engine.run({
		node: videoGenerate({ model: byId('any-model'), ...parameters }, CONTINUE),
		items: toInput(...prompts.map((prompt) => ({ prompt }))),
		credentials: { videoGenerationApi: { api, baseUrl: server.url, apiKey: 'key-12345678' } },
	});
	await server.close();
	const posts = server.asks.filter(({ method }) => method === 'POST');
	const items = result.outputs().flat();
	return {
		tasks,
		/** How many submits went to the first route, and to the second. */
		posts: [GENERATIONS, VIDEOS].map((route) => posts.filter(({ path }) => path === route).length),
		done: items.filter(({ json }) => json.status === 'SUCCESS').length,
		errors: items.flatMap(({ json: { error } }) => (error ? [error as IDataObject] : [])),
		types: posts.map(({ headers }) => headers['content-type']!.split(';')[0]),
		bodies: posts.map(({ fields }) => fields),
	};
}

/** Answers to submits on one route; nothing else is there. */
const submitsOn =
	(route: string, answer: Answer): Answer =>
	(ask, accept) =>
		ask.method === 'POST' && ask.path === route ? answer(ask, accept) : NOT_FOUND;

it('submits nothing where its route is not there, and names the service to choose', async () => {
	const answer: Answer = ({ method, path }, accept) => {
		if (!path.startsWith(VIDEOS)) return NOT_FOUND;
		return method === 'POST' ? accept() : [404, { error: { message: 'No such video' } }];
	};
	const seen = await render('newApi', answer);
	expect(seen).toMatchObject({ tasks: 0, posts: [2, 0] });
	const description = expect.stringMatching(/has \/v1\/videos: choose OpenAI Videos/) as string;
	const wanted = { billed: 'no', next: 'changeRequest', description };
	expect(seen.errors).toMatchObject([wanted, wanted]);
	const dry = await render('newApi', answer, ['a'], { options: { cost: { dryRun: true } } });
	expect(dry.errors).toMatchObject([wanted]);
});

it('sends New API no settings in the spelling of OpenAI, which it would drop and bill', async () => {
	const NEW_API = { 'x-oneapi-request-id': '1' };
	const answer: Answer = ({ method }, accept) =>
		method === 'POST' ? accept() : [400, { code: 'task_not_exist', data: null }, NEW_API];
	for (const api of ['openAiVideos', 'customPaths']) {
		const { tasks, errors } = await render(api, answer, ['a', 'b'], SETTINGS);
		expect([api, tasks, errors.length]).toEqual([api, 0, 2]);
		expect(errors[0].description).toMatch(/choose New API as Service/);
		// A prompt is the same everywhere.
		expect((await render(api, answer, ['a'])).tasks).toBe(1);
	}
});

/** Refuses fields that the service does not know, as OpenAI does, or else makes a task. */
const knows = (route: string, ...known: string[]) =>
	submitsOn(route, ({ fields }, accept) => {
		const unknown = Object.keys(fields).find(
			(name) => !['model', 'prompt', ...known].includes(name),
		);
		return unknown === undefined
			? accept()
			: [400, { error: { message: `Unknown parameter: '${unknown}'.` } }];
	});

it('writes plain fields after a refusal of one, once', async () => {
	const seen = await render(
		'customPaths',
		knows(GENERATIONS, 'duration', 'aspect_ratio'),
		['a', 'b'],
		SETTINGS,
	);
	expect(seen).toMatchObject({ tasks: 2, done: 2 });
	expect(seen.posts[0]).toBe(4);
	const expected = { duration: 8, aspect_ratio: '9:16' };
	expect(seen.bodies.slice(-2)).toMatchObject([expected, expected]);
});

it('a field by hand that is unknown costs the other items nothing, and says what to change', async () => {
	const additionalFields = '={{ $json.prompt === "a" ? { foo: 1 } : {} }}';
	const options = { additionalFields, polling: { pollInterval: 0.02, concurrency: 1 } };
	const known = knows(GENERATIONS, 'duration');
	const seen = await render('customPaths', known, ['a', 'b', 'c'], { duration: 5, options });
	expect(seen).toMatchObject({ tasks: 2, done: 2, posts: [6, 0] });
	expect(seen.errors).toMatchObject([{ billed: 'no', next: 'changeRequest' }]);
	expect(seen.errors[0].description).toMatch(/Additional Fields/);
});

it('a first frame goes to LiteLLM as a file, and nothing is sent twice', async () => {
	const seen = await render(
		'openAiVideos',
		({ method, path, headers }, accept) => {
			if (path === '/v1/models') return [200, { data: [{ id: 'any-model', owned_by: 'openai' }] }];
			if (!path.startsWith(VIDEOS)) return NOT_FOUND;
			if (method === 'GET') return [500, { error: { message: 'No such video' } }, LITELLM];
			// A list or an object in JSON is an error of LiteLLM's own.
			return /^multipart/.test(headers['content-type']!) ? accept() : [500, {}, LITELLM];
		},
		['a'],
		{ ...SETTINGS, imageSource: 'base64', image: PICTURE },
	);
	expect(seen).toMatchObject({ tasks: 1, done: 1, types: ['multipart/form-data'], posts: [0, 1] });
});

describe('a video that New API has to get by /v1/videos', () => {
	const KLING = 'kling-3.0';
	const OTHER = 'doubao-seedance-2-0-260128';
	const submit = async (access: IDataObject = {}) => {
		const { videoGenerationApi } = stage.credentials;
		const credentials = { videoGenerationApi: { ...videoGenerationApi, ...access } as never };
		const node = videoGenerate({ model: byId('={{ $json.model }}') });
		const items = toInput({ prompt: 'kling', model: KLING }, { prompt: 'other', model: OTHER });
		await stage.run(node, items, { credentials });
		const paths = stage.sandbox.submissions().map(({ body, path }) => [body!.prompt, path]);
		return Object.fromEntries(paths) as object;
	};
	beforeEach(() => stage.sandbox.set({ models: { video: [KLING, OTHER] } }));

	it.each(['newApi', 'auto'])('goes there once with Service on %s', async (api) => {
		expect(await submit({ api })).toMatchObject({ kling: VIDEOS, other: GENERATIONS });
		expect(stage.sandbox.tasks()).toHaveLength(2);
	});
});
