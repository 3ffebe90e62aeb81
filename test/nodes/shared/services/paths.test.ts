import type { Connection } from '../../../../nodes/shared/services/connection';
import { fal } from '../../../../nodes/shared/services/fal';
import { fetchTask } from '../../../../nodes/shared/services/fetchTask';
import { newApi } from '../../../../nodes/shared/services/newApi';

const BASE = 'https://api.example.com/proxy';

/** Where requests about a task go, as every HTTP client reads the address. */
async function pathsOf(task_id: string): Promise<string[]> {
	const asked: string[] = [];
	const send = async ({ path }: { path: string }) => {
		asked.push(`${BASE}${path}`);
		return { network: 'notSent' as const, code: 'X', message: 'x' };
	};
	await fetchTask({ send, service: newApi } as unknown as Connection, task_id, Infinity);
	return [...asked, BASE + newApi.contentPath!(task_id)].map((url) => new URL(url).href);
}

const POLL = /^https:\/\/api\.example\.com\/proxy\/v1\/video\/generations\/[^/?#]+$/;
const CONTENT = /^https:\/\/api\.example\.com\/proxy\/v1\/videos\/[^/?#]+\/content$/;

it.each(['../x', '?a=1', '#a', '%2F', '.', '..'])(
	'an ID stays one part of the documented path: %j',
	async (task_id) => {
		const [poll, content] = await pathsOf(task_id);
		expect(poll).toMatch(POLL);
		expect(content).toMatch(CONTENT);
	},
);

it.each(['../../admin', 'a/../../admin', './../admin', 'a/b/requests/..', '../../a/b/requests/c'])(
	'no model and no ID of fal leaves the path of a proxy: %j',
	(name) => {
		for (const path of [fal.toSubmit({ model: name, fields: {} }).path, fal.taskPath(name)]) {
			const { pathname } = new URL(BASE + path);
			expect(pathname.split('/')).toHaveLength((BASE + path).split('/').length - 2);
		}
	},
);
