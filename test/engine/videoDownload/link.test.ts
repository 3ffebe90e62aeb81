import { type BinaryMode } from '../../support/engine';
import { toInput, useStage, videoDownload, videoGenerate } from '../../support/stage';

// Whether n8n takes the link for one of its own is tried in a real n8n (e2e/chats.test.mjs).

/** What n8n's token says: which file, and until when in seconds since 1970. */
function readToken(token: string): { id: string; exp: number } {
	const [, payload] = token.split('.');
	return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
}

const stage = useStage({ renderMs: 0 });
const MODES: BinaryMode[] = ['filesystem', 'database'];

async function run(node: ReturnType<typeof videoGenerate>, binaryMode: BinaryMode) {
	const first = await stage.run(videoGenerate(), toInput({ prompt: 'A boat' }));
	const items = toInput({ prompt: 'A boat', task_id: first.outputs()[0][0].json.task_id });
	const result = await stage.run(node, items, { binaryMode });
	if (result.error) throw result.error;
	return result.outputs()[0][0];
}

const NODES = [
	['Video Download', videoDownload({ options: { link: 2 } })],
	['Video Generate', videoGenerate({ downloadVideo: true, options: { link: 2 } })],
] as const;

describe.each(NODES)('Link of %s', (_name, node) => {
	it.each(MODES)('leads to the file in the %s, and ends', async (mode) => {
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
		expect(json.message).toContain('set WEBHOOK_URL');
	});

	it('is none for files in memory, and says so', async () => {
		const { json, binary } = await run(node, 'default');
		expect(Object.keys(json)).not.toContain('link');
		expect(json.message).toMatch(/There is no link to it: n8n keeps files in memory here/);
		expect(binary?.data.mimeType).toBe('video/mp4');
	});
});
