import fc from 'fast-check';

import type { Connection } from '../../../../nodes/shared/service/connection';
import { fetchTask } from '../../../../nodes/shared/service/fetchTask';
import { contentPath, readRoutes } from '../../../../nodes/shared/service/routes';
import { runs } from '../../../support/runs';

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

describe('any ID stays one part of the documented path', () => {
	const dots = ['.', '..', '%2e%2e', '%2E.', '../x', '..\\..', '\t..', ' .. '];

	it.each([...dots, '?a=1', '#a', '/', '\u0000', '\ud800', ':80', '@b'])('%j', async (task_id) => {
		const [poll, content] = await pathsOf(task_id);
		expect(poll).toMatch(POLL);
		expect(content).toMatch(CONTENT);
	});

	it('whatever it is', async () => {
		const part = fc.constantFrom('.', '..', '/', '%', '2e', '\\', '?', '#', '\t', '\n', 'a', ' ');
		const anyId = fc.oneof(
			fc.array(part, { minLength: 1 }).map((all) => all.join('')),
			fc.string({ unit: 'binary', minLength: 1 }),
		);
		await fc.assert(
			fc.asyncProperty(anyId, async (task_id) => {
				const [poll, content] = await pathsOf(task_id);
				expect(poll).toMatch(POLL);
				expect(content).toMatch(CONTENT);
			}),
			{ numRuns: runs(100) },
		);
	});
});
