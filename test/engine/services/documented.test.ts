import type { IDataObject } from 'n8n-workflow';

import { read } from '../../package/support/files';
import { byId, CONTINUE, toInput, useStage, videoGenerate } from '../../support/stage';
import { serve, type Ask, type Reply } from './support/serve';

// Services that differ in kind, as their pages show them: by their paths, the kind of body, and where the
// file is. All documented records are in test/nodes/shared/service/shapes.test.ts.

const PICTURE = Buffer.from('\x89PNG\r\n\x1a\n and a picture', 'latin1').toString('base64');
const FILM = Buffer.from('\0\0\0\x0cmoov\0\0\0\0\0\0\0\x08mdat');
const NOT_FOUND: Reply = [404, { detail: 'Not Found' }];

interface Service {
	/** A path, with {id} where the ID goes. */
	submit: string;
	poll: string;
	content?: string;
	type?: string;
	/** What is answered to a submit and to a poll, as JSON in which `FILE` is an address. */
	accepted: string;
	done: string;
	/** In the credential. */
	access?: IDataObject;
	parameters?: IDataObject;
}

const VIDEOS = { submit: '/v1/videos', poll: '/v1/videos/{id}' };
const JOBS = { submit: '/api/v1/createTask', poll: '/api/v1/recordInfo?taskId={id}' };

const SERVICES: Record<string, Service> = {
	'OpenAI, by a form, with the file at its content address': {
		...VIDEOS,
		parameters: { imageSource: 'base64', image: PICTURE },
		content: '/v1/videos/{id}/content',
		type: 'multipart/form-data',
		accepted: '{"id":"t-1","object":"video","status":"queued"}',
		done: '{"id":"t-1","status":"completed","progress":100}',
		access: { api: 'openAiVideos' },
	},
	'LiteLLM 1.90, which encodes the ID anew': {
		...VIDEOS,
		access: { api: 'openAiVideos' },
		content: '/v1/videos/{id}/content',
		accepted: '{"id":"t-1","status":"queued"}',
		done: '{"id":"video_other","status":"completed"}',
	},
	'OpenRouter, by Custom Paths, with the file elsewhere': {
		...VIDEOS,
		access: { api: 'customPaths', submitPath: VIDEOS.submit, taskPath: VIDEOS.poll },
		accepted: '{"id":"t-1","polling_url":"FILE","status":"pending"}',
		done: '{"id":"t-1","status":"completed","unsigned_urls":["FILE"]}',
	},
	'kie.ai, by Custom Paths, with JSON in JSON': {
		...JOBS,
		access: { api: 'customPaths', submitPath: JOBS.submit, taskPath: JOBS.poll },
		accepted: '{"code":200,"msg":"success","data":{"taskId":"t-1"}}',
		done: '{"code":200,"data":{"state":"success","resultJson":"{\\"resultUrls\\":[\\"FILE\\"]}"}}',
	},
};

const stage = useStage();

/** Renders one video at a server that answers so. */
async function render(
	answer: (ask: Ask, url: string) => Reply,
	parameters: IDataObject = {},
	access: IDataObject = {},
	json: IDataObject = {},
) {
	const server = await serve((ask) => answer(ask, server.url));
	const allowed = { baseUrl: server.url, apiKey: 'service-key', allowPrivateAddresses: true };
	const { outputs } = await stage.engine.run({
		node: videoGenerate({ downloadVideo: true, prompt: 'A boat', ...parameters }, CONTINUE),
		items: toInput(json),
		credentials: { videoGenerationApi: { ...allowed, ...access } },
	});
	await server.close();
	return { item: outputs()[0][0], asks: server.asks };
}

it.each(Object.entries(SERVICES))('%s: a video is paid for once', async (_name, service) => {
	const at = (path?: string) => path?.replace('{id}', 't-1');
	const { item, asks } = await render(
		({ method, path }, url) => {
			const say = (json: string): Reply => [
				200,
				JSON.parse(json.replaceAll('FILE', `${url}/film`)),
			];
			if (method === 'POST') return path === service.submit ? say(service.accepted) : NOT_FOUND;
			if (path === at(service.poll)) return say(service.done);
			return path === '/film' || path === at(service.content) ? [200, FILM] : NOT_FOUND;
		},
		service.parameters,
		service.access,
	);
	expect(item.json).toMatchObject({ task_id: 't-1', status: 'SUCCESS' });
	expect(item.binary).toMatchObject({ data: { mimeType: 'video/mp4' } });
	const submits = asks.filter(({ method, path }) => method === 'POST' && path === service.submit);
	expect(submits.map(({ headers }) => headers['content-type']!.split(';')[0])).toEqual([
		service.type ?? 'application/json',
	]);
});

it('a record that repeats a picture of 9 MB is read, and its bytes stay out of the item', async () => {
	const image = `data:image/png;base64,${'5e3/'.repeat(3_000_000)}`;
	const { item } = await render(
		({ method, path }, url) => {
			if (method === 'GET' && !path.endsWith('t-1')) return NOT_FOUND;
			const state = method === 'POST' ? { status: 'starting' } : { status: 'succeeded' };
			return [200, { id: 't-1', input: { image }, ...state, output: [`${url}/film`] }];
		},
		{ downloadVideo: false, options: { rawResponse: true } },
	);
	expect(item.json).toMatchObject({ status: 'SUCCESS', task_id: 't-1' });
	expect(JSON.stringify(item.json).length).toBeLessThan(2_000);
});

/** The rows of the tables about services that need Custom Paths, without backticks. */
const [, page] = read('docs/services.md').split('### HeyGen, PiAPI, Runpod\n');
const cells = page
	.split('\n## ')[0]
	.split('\n')
	.filter((line) => line.startsWith('| '))
	.map((line) => line.replaceAll('`', '').slice(2).split(' |'))
	.map((row) => row.map((cell) => cell.trim()));
const INPUT = { prompt: 'A boat', duration: 5 };
const AVATAR = { type: 'avatar', avatar_id: '...', voice_id: '...', script: 'Hello' };

// Their answers are in test/nodes/shared/services/shapes.test.ts.
it.each<[name: string, model: string, path: string, body: object, accepted: object, poll: string]>([
	[
		...([
			'HeyGen, from a prompt',
			'video-agents',
			'/v3/video-agents',
			{ prompt: 'A boat' },
		] as const),
		...([{ data: { session_id: 's', video_id: 't-1' } }, '/v3/videos/t-1'] as const),
	],
	[
		...(['HeyGen, with your avatar', 'videos', '/v3/videos', AVATAR] as const),
		...([{ data: { video_id: 't-1', status: 'waiting' } }, '/v3/videos/t-1'] as const),
	],
	[
		...(['PiAPI', 'kling', '/api/v1/task'] as const),
		{ model: 'kling', task_type: 'video_generation', input: INPUT },
		...([{ code: 200, data: { task_id: 't-1' } }, '/api/v1/task/t-1'] as const),
	],
	[
		...(['Runpod', 'wan-2-6-t2v', '/v2/wan-2-6-t2v/run', { input: INPUT }] as const),
		...([{ id: 't-1', status: 'IN_QUEUE' }, '/v2/wan-2-6-t2v/status/t-1'] as const),
	],
])('%s: what the page says to enter is what the service documents', async (...row) => {
	const [name, model, path, body, accepted, poll] = row;
	const [, , submitPath, taskPath, headerName] = cells.find(([one]) => one === name.split(',')[0])!;
	const [, models, json] = cells.find(
		([one, , third]) => one === name && /^(none|\{)/.test(third),
	)!;
	expect(models).toContain(model);
	const { asks, item } = await render(
		({ method, path: asked }, url) => {
			if (method === 'POST') return asked === path ? [200, accepted] : NOT_FOUND;
			if (asked !== poll) return asked === '/film' ? [200, FILM] : NOT_FOUND;
			return [200, { data: { status: 'completed', video_url: `${url}/film` } }];
		},
		{
			model: byId(model),
			options: json.startsWith('{') ? { additionalFields: `=${json}` } : {},
		},
		{ api: 'customPaths', submitPath, taskPath, headerName },
		{ prompt: 'A boat', script: 'Hello' },
	);
	expect(item.json).toMatchObject({ task_id: 't-1', status: 'SUCCESS' });
	const [{ fields, headers }] = asks.filter(({ method }) => method === 'POST');
	expect(fields).toEqual(body);
	const key = headers[headerName.toLowerCase() || 'authorization'];
	expect(key).toBe(headerName ? 'service-key' : 'Bearer service-key');
});

const [, section] = read('docs/nodes/video-generate.md').split('\n## Additional fields\n');
const shown = [...section.split('\n## ')[0].matchAll(/```json\n([^]*?)```/g)].map(
	([, json]) => json,
);

it.each(shown)('the body by hand on the page is sent as it is written: %s', async (json) => {
	const { prompt, ...fields } = JSON.parse(json) as IDataObject;
	expect(prompt).toBeNull();
	const node = videoGenerate({ options: { additionalFields: json, cost: { dryRun: true } } });
	const [[item]] = (await stage.run(node, toInput({ prompt: 'A boat' }))).outputs();
	const { model, ...request } = item.json.request as IDataObject;
	expect(model).toBeDefined();
	expect(request).toEqual(fields);
});
