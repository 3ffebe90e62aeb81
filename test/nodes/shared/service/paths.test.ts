import type { Connection } from '../../../../nodes/shared/service/connection';
import { fetchTask } from '../../../../nodes/shared/service/fetchTask';
import { contentPath, readRoutes } from '../../../../nodes/shared/service/routes';

const BASE = 'https://api.example.com/proxy';

/** Where requests about a task go, as every HTTP client reads the address. */
async function pathsOf(task_id: string): Promise<string[]> {
	const asked: string[] = [];
	const send = async ({ path }: { path: string }) => {
		asked.push(`${BASE}${path}`);
		return { network: 'notSent' as const, code: 'X', message: 'x' };
	};
	const routes = readRoutes({ api: 'videoGenerations' });
	await fetchTask({ send, routes } as unknown as Connection, { task_id }, Infinity);
	return [...asked, BASE + contentPath(task_id)].map((url) => new URL(url).href);
}

const POLL = /^https:\/\/api\.example\.com\/proxy\/v1\/video\/generations\/[^/?#]+$/;
const CONTENT = /^https:\/\/api\.example\.com\/proxy\/v1\/videos\/[^/?#]+\/content$/;

it.each(['../x', '?a=1', '#a', '%2F'])(
	'an ID stays one part of the documented path: %j',
	async (task_id) => {
		const [poll, content] = await pathsOf(task_id);
		expect(poll).toMatch(POLL);
		expect(content).toMatch(CONTENT);
	},
);
