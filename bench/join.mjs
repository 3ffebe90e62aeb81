import { spawn, spawnSync } from 'node:child_process';
import {
	createReadStream,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../sandbox/n8n/folders.mjs';

// Video Join in n8n's engine, from n8n's storage to n8n's storage, beside ffmpeg's own way to join
// without encoding. Run it after `npm run build:classic`.

const MB = 1e6;
const OFTEN_MS = 5;
const { values } = parseArgs({
	options: {
		clips: { type: 'string', default: '20' },
		size: { type: 'string', default: '50' },
		/** Set for the process that is measured. */
		file: { type: 'string' },
	},
});
const CLIPS = Number(values.clips);

/** The most memory that a process had, while something went on; `/proc` tells. */
function watch(pid) {
	const rss = () =>
		Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
	const before = rss();
	let most = before;
	const timer = setInterval(() => {
		try {
			most = Math.max(most, rss());
		} catch {
			clearInterval(timer);
		}
	}, OFTEN_MS);
	const started = performance.now();
	return () => {
		clearInterval(timer);
		return { ms: performance.now() - started, before: before * 1024, most: most * 1024 };
	};
}

const show = (name, { ms, before, most }, bytes) =>
	console.log(
		`${name}: ${(ms / 1000).toFixed(2)} s, ${(bytes / MB).toFixed(0)} MB written, ` +
			`memory ${(most / MB).toFixed(0)} MB at most, ${((most - before) / MB).toFixed(0)} MB more than before`,
	);

async function joinInEngine(file) {
	const require = createRequire(path.join(ROOT, 'package.json'));
	const { createEngine } = require('./test/support/engine');
	const stores = {
		description: {
			...{ displayName: 'Stores', name: 'stores', group: ['transform'], version: 1 },
			...{ defaults: {}, inputs: ['main'], outputs: ['main'], properties: [] },
		},
		async execute() {
			const { prepareBinaryData } = this.helpers;
			const data = await prepareBinaryData(createReadStream(file), 'clip.mp4', 'video/mp4');
			return [[{ json: {}, binary: { data } }]];
		},
	};
	const engine = await createEngine({ 'bench.stores': stores });
	const binaryMode = 'filesystem';
	try {
		const stored = await engine.run({ node: { type: 'bench.stores' }, binaryMode });
		const [{ binary }] = stored.outputs()[0];
		const node = { type: 'n8n-nodes-video-generation.videoJoin', parameters: {} };
		const items = (count) => Array.from({ length: count }, () => ({ json: {}, binary }));
		// What is loaded once is not what a film costs.
		await engine.run({ node, items: items(1), binaryMode });
		globalThis.gc?.();
		const end = watch(process.pid);
		const result = await engine.run({ node, items: items(CLIPS), binaryMode });
		if (result.error) throw result.error;
		show('Video Join', end(), result.outputs()[0][0].json.size_bytes);
	} finally {
		engine.close();
	}
}

async function joinWithFfmpeg(file, folder) {
	const list = path.join(folder, 'list.txt');
	const film = path.join(folder, 'film.mp4');
	writeFileSync(list, `file '${file}'\n`.repeat(CLIPS));
	const args = ['-v', 'error', '-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy'];
	const child = spawn('ffmpeg', [...args, '-movflags', '+faststart', film], { stdio: 'inherit' });
	const end = watch(child.pid);
	await new Promise((resolve) => child.on('exit', resolve));
	show('ffmpeg -f concat -c copy', end(), statSync(film).size);
}

/** Noise does not get smaller, so few seconds are many megabytes. */
function makeClip(file) {
	const bits = Math.round((Number(values.size) * 8) / 10);
	const input = ['-f', 'lavfi', '-i', 'nullsrc=s=1280x720:r=24:d=10,geq=random(1)*255:128:128'];
	const sound = ['-f', 'lavfi', '-i', 'sine=r=48000:d=9.9', '-ac', '2', '-c:a', 'aac'];
	const rate = [
		'-b:v',
		`${bits}M`,
		'-minrate',
		`${bits}M`,
		'-maxrate',
		`${bits}M`,
		'-bufsize',
		`${bits}M`,
	];
	const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...rate];
	spawnSync('ffmpeg', ['-v', 'error', ...input, ...sound, ...video, file], { stdio: 'inherit' });
}

if (values.file) {
	await joinInEngine(values.file);
} else {
	const folder = mkdtempSync(path.join(tmpdir(), 'bench-join-'));
	try {
		const file = path.join(folder, 'clip.mp4');
		makeClip(file);
		console.log(`${CLIPS} clips of ${(statSync(file).size / MB).toFixed(1)} MB`);
		const own = [import.meta.filename ?? process.argv[1], '--file', file, '--clips', values.clips];
		spawnSync(process.execPath, ['--expose-gc', ...own], { stdio: 'inherit' });
		await joinWithFfmpeg(file, folder);
	} finally {
		rmSync(folder, { recursive: true });
	}
}
