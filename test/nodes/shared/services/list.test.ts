import { alias } from '../../../../nodes/VideoGenerate/VideoGenerate.node.json';
import { fal } from '../../../../nodes/shared/services/fal';
import { SERVICES, serviceOf } from '../../../../nodes/shared/services/list';

const MODEL = 'fal-ai/veo3.1/image-to-video';
const IMAGE_MODEL = 'google/veo3.1/image-to-video';
const TASK = 'fal-ai/veo3.1/requests/1-2';
const QUEUE = 'https://queue.fal.run';

it('a name that nobody knows is New API', () => {
	for (const api of ['auto', 'videoGenerations', undefined]) {
		expect(serviceOf({ api }).name).toBe('newApi');
	}
	const labels = SERVICES.map(({ label }) => label);
	expect(labels).toEqual([...labels].sort((one, other) => one.localeCompare(other)));
});

it('the nodes panel finds Video Generate by the name of each service', () => {
	const words = SERVICES.filter(({ origins }) => origins).map(
		({ label }) => label.toLowerCase().split(' ')[0],
	);
	expect(words.filter((word) => !alias.some((one) => one.includes(word)))).toEqual([]);
});

it.each([
	['by the address of its status', { request_id: 'x', status_url: `${QUEUE}/${TASK}/status` }],
	['by that of its result', { response_url: `${QUEUE}/${TASK}/response` }],
	['behind a proxy', { status_url: `https://proxy.example.com/fal/${TASK}/status` }],
	['by its ID alone', { request_id: '1-2' }],
])('fal tells a task %s', (_how, answer) => {
	expect(fal.readTaskId!(answer, MODEL)).toBe(TASK);
});

it('fal keeps the namespace of a workflow', () => {
	const task = 'workflows/me/film/requests/1-2';
	const answer = { request_id: '1-2', status_url: `${QUEUE}/${task}/status` };
	expect(fal.readTaskId!(answer, 'workflows/me/film')).toBe(task);
	expect(fal.taskPath(`${QUEUE}/${task}/status`)).toBe(`/${task}/status`);
});

it.each([TASK, `${MODEL}/requests/1-2`, `${QUEUE}/${TASK}/status`])(
	'asks fal for a task that was entered as %s',
	(task_id) => {
		expect(fal.taskPath(task_id)).toBe(`/${TASK}/status`);
	},
);

it.each([
	['as fal names it', `${QUEUE}/${TASK}/response`, `/${TASK}/response`],
	['behind a proxy', `https://proxy.example.com/fal/${TASK}`, `/${TASK}`],
	['if nothing names it', undefined, `/${TASK}`],
])('asks fal for a result %s', async (_how, response_url, path) => {
	const asked: string[] = [];
	const body = JSON.stringify({ status: 'COMPLETED', response_url });
	await fal.toRecord!({ status: 200, headers: {}, body }, TASK, async (at) => {
		asked.push(at);
		return { status: 200, headers: {}, body: '{}' };
	});
	expect(asked).toEqual([path]);
});

it.each([
	['fal', 'https://fal.ai/models/fal-ai/veo3.1/image-to-video', 'fal-ai/veo3.1/image-to-video'],
	['fal', 'https://fal.ai/models/fal-ai/veo3.1/api?platform=http', 'fal-ai/veo3.1'],
	['fal', 'https://www.fal.ai/models/fal-ai/veo3.1/requests/1-2', 'fal-ai/veo3.1'],
	['fal', 'https://queue.fal.run/fal-ai/veo3.1/', 'fal-ai/veo3.1'],
	['fal', 'https://fal.run/fal-ai/veo3.1', 'fal-ai/veo3.1'],
	['fal', 'https://fal.ai/pricing', undefined],
	['replicate', 'https://replicate.com/google/veo-3.1', 'google/veo-3.1'],
	['replicate', 'https://replicate.com/google/veo-3.1/playground', 'google/veo-3.1'],
	['replicate', `https://replicate.com/a/b/versions/${'0'.repeat(64)}`, `a/b:${'0'.repeat(64)}`],
	['replicate', 'https://api.replicate.com/v1/models/a/b/predictions', 'a/b'],
	['replicate', 'https://api.replicate.com/v1/predictions', undefined],
	['kie', 'https://kie.ai/bytedance/seedance-1.5-pro', 'bytedance/seedance-1.5-pro'],
	[
		'kie',
		'https://kie.ai/bytedance-v1?model=bytedance%2Fv1-lite-text-to-video',
		'bytedance/v1-lite-text-to-video',
	],
	['kie', 'https://docs.kie.ai/market/kling/text-to-video', undefined],
	['openRouter', 'https://openrouter.ai/google/veo-3.1/api', 'google/veo-3.1'],
	['openRouter', 'https://openrouter.ai/api/v1/videos', undefined],
	['wavespeed', 'https://wavespeed.ai/models/google/veo3.1/image-to-video', IMAGE_MODEL],
	['wavespeed', 'https://api.wavespeed.ai/api/v3/google/veo3.1/image-to-video', IMAGE_MODEL],
	['wavespeed', 'https://wavespeed.ai/docs/docs-api/google/google-veo3.1', undefined],
])('%s reads the model of an address: %s', (api, address, model) => {
	expect(serviceOf({ api }).modelAt!(new URL(address))).toBe(model);
});
