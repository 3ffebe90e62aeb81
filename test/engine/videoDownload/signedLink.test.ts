import { type BinaryMode } from '../../support/engine';
import { toInput, useStage, videoDownload, videoGenerate } from '../../support/stage';

// Whether n8n takes the link for one of its own is tried in a real n8n (e2e/chats.test.mjs).

/** What n8n's token says: which file, and until when in seconds since 1970. */
function readToken(token: string): { id: string; exp: number } {
	const [, payload] = token.split('.');
	return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
}

const stage = useStage({ renderMs: 0 });
const LINK = { options: { link: 2 } };
const generate = videoGenerate({ downloadVideo: true, ...LINK });

async function run(node: ReturnType<typeof videoGenerate>, binaryMode: BinaryMode) {
	const first = await stage.run(videoGenerate(), toInput({ prompt: 'A boat' }));
	const items = toInput({ prompt: 'A boat', task_id: first.outputs()[0][0].json.task_id });
	const result = await stage.run(node, items, { binaryMode });
	if (result.error) throw result.error;
	return result.outputs()[0][0];
}

it.each([
	['Video Download', videoDownload(LINK), 'filesystem' as const],
	['Video Generate', generate, 'database' as const],
])('Link of %s leads to the file, and ends', async (_name, node, mode) => {
	const before = Date.now();
	const { json, binary } = await run(node, mode);
	const url = new URL(String(json.link));
	expect(url.origin + url.pathname).toBe('http://localhost:5678/rest/binary-data/signed');
	const { id, exp } = readToken(url.searchParams.get('token')!);
	expect(id).toBe(binary?.data.id);
	const end = Date.parse(String(json.link_expires_at));
	expect(Math.abs(end - exp * 1000)).toBeLessThan(2_000);
	expect(end - before).toBeGreaterThan(7_100_000);
	expect(json.message).toContain(`](${json.link})`);
});

it('there is no link to files in memory, which is said', async () => {
	const { json } = await run(generate, 'default');
	expect(json).not.toHaveProperty('link');
	expect(json.message).toMatch(/There is no link to it: n8n keeps files in memory here/);
});
