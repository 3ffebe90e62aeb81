import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * What the demo has made in n8n, by name, kept beside n8n's data: a second start finds its own
 * credentials and workflows again, and leaves alone what the person added.
 */
export async function openState(dataFolder) {
	const file = path.join(dataFolder, 'demo.json');
	const entries = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
	return {
		get: (name) => entries[name],
		set: async (name, value) => {
			entries[name] = value;
			await mkdir(dataFolder, { recursive: true, mode: 0o700 });
			await writeFile(file, JSON.stringify(entries, null, 2), { mode: 0o600 });
		},
	};
}
