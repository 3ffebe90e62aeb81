import type { NoAnswer, ServiceAnswer } from '../../../../nodes/shared/http/answer';
import { serviceOf } from '../../../../nodes/shared/services/list';
import { findBetter, noTaskPath, readListed } from '../../../../nodes/shared/services/probe';

type Reply = [status: number, body?: unknown, headers?: Record<string, string>];

const toAnswer = ([status, body = {}, headers = {}]: Reply): ServiceAnswer | NoAnswer => ({
	...{ status, headers, body: JSON.stringify(body) },
});

const NEW_API = { 'x-new-api-version': 'v1.0.0' };
const MISSING: Reply = [404, { detail: 'Not Found' }];
const THERE: Reply = [404, { error: { message: 'Video not found' } }];
const OF_NEW_API: Reply = [400, { code: 'task_not_exist' }, NEW_API];

it.each<[service: string, told: Reply, other: Reply, better: string | undefined, asked: number]>([
	['newApi', THERE, THERE, undefined, 0],
	['newApi', OF_NEW_API, THERE, undefined, 0],
	['newApi', MISSING, THERE, 'openAiVideos', 1],
	['newApi', MISSING, MISSING, undefined, 1],
	['newApi', [502], THERE, undefined, 0],
	['openAiVideos', OF_NEW_API, THERE, 'newApi', 0],
	['openAiVideos', MISSING, OF_NEW_API, 'newApi', 1],
	['openAiVideos', MISSING, THERE, 'customPaths', 1],
	['openAiVideos', THERE, THERE, undefined, 0],
	// Its paths are those of New API, until somebody enters others.
	['customPaths', OF_NEW_API, THERE, 'newApi', 0],
	['customPaths', MISSING, THERE, 'openAiVideos', 1],
	['fal', MISSING, THERE, undefined, 0],
])(
	'%s that is told %j, and %j elsewhere, is better %s',
	async (api, told, other, better, count) => {
		const asked: string[] = [];
		const service = serviceOf({ api });
		const found = await findBetter(service, toAnswer(told), async ({ path }) => {
			asked.push(path);
			return toAnswer(other);
		});
		expect([found?.name, asked.length]).toEqual([better, count]);
		expect(asked).not.toContain(noTaskPath(service));
	},
);

it('leaves paths that somebody has entered at New API as they are', async () => {
	const own = { api: 'customPaths', submitPath: '/x', taskPath: '/x/{id}' };
	const look = async () => await Promise.reject(new Error('No look is needed'));
	expect(await findBetter(serviceOf(own), toAnswer(OF_NEW_API), look)).toBeUndefined();
});

it("reads Google's list of models, too", () => {
	const answer = toAnswer([200, { models: [{ name: 'models/gemini-2.5-flash' }] }]);
	expect(readListed(serviceOf({}), answer)).toEqual([{ id: 'gemini-2.5-flash' }]);
});
