import { askService, readModels } from '../../../../nodes/shared/service/askService';
import type { Connection } from '../../../../nodes/shared/service/connection';
import { readRoutes } from '../../../../nodes/shared/service/routes';

type Reply = [status: number, body?: unknown, headers?: Record<string, string>];

/** Asks a service that answers so for its models, and for anything else. */
async function ask(list: Reply, task: Reply) {
	const asked: string[] = [];
	const send: Connection['send'] = async ({ path }) => {
		asked.push(path);
		const [status, body = {}, headers = {}] = path === '/v1/models' ? list : task;
		return { status, headers, body: JSON.stringify(body) };
	};
	const facts = await askService({ routes: readRoutes({}), send } as Connection);
	return { ...facts, asked };
}

const NEW_API = { 'x-new-api-version': 'v1.0.0' };
const MODELS = { data: [{ id: 'veo-3.1', owned_by: 'vertex-ai' }] };
const MADE_UP = '/v1/videos/no-such-id';

it.each<[what: string, list: Reply, task: Reply, expected: object]>([
	[
		'New API by its list',
		[200, MODELS, NEW_API],
		[500],
		{ isNewApi: true, owners: new Map([['veo-3.1', 'vertex-ai']]), asked: ['/v1/models'] },
	],
	[
		'New API by a made-up task',
		[403],
		[400, { code: 'task_not_exist' }, NEW_API],
		{ isNewApi: true, failure: undefined, asked: ['/v1/models', MADE_UP] },
	],
	[
		'LiteLLM, whose list does not name it',
		[200, MODELS],
		[500, {}, { 'x-litellm-version': '1.90.7' }],
		{ isNewApi: false, isLiteLlm: true, failure: undefined },
	],
	['a service that lists its models', [200, MODELS], [502], { failure: undefined }],
	['a service that lists none', [404], [404], { isNewApi: false, failure: undefined }],
	['nobody, behind a proxy', [502], [502], { failure: { httpCode: 502 } }],
])('knows %s', async (_what, list, task, expected) => {
	expect(await ask(list, task)).toMatchObject(expected);
});

it("reads Google's list of models, too", () => {
	const body = JSON.stringify({ models: [{ name: 'models/gemini-2.5-flash' }] });
	expect(readModels({ status: 200, headers: {}, body })).toEqual([{ id: 'gemini-2.5-flash' }]);
});
