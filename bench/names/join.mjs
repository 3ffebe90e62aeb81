import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { watchMemory } from '../support/watchMemory.cjs';

export const about = 'Video Join beside ffmpeg, both without encoding; size in MB';
export const options = { clips: '20', size: '50' };
export const rounds = 3;

const JOIN_CLIPS = path.resolve(import.meta.dirname, '..', 'support', 'joinClips.cjs');

/** Noise does not get smaller, so few seconds are many megabytes. */
async function makeClip(file, mb) {
	const rate = `${Math.round((mb * 8) / 10)}M`;
	const input = ['-f', 'lavfi', '-i', 'nullsrc=s=1280x720:r=24:d=10,geq=random(1)*255:128:128'];
	const sound = ['-f', 'lavfi', '-i', 'sine=r=48000:d=9.9', '-ac', '2', '-c:a', 'aac'];
	const rates = ['-b:v', '-minrate', '-maxrate', '-bufsize'].flatMap((name) => [name, rate]);
	const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...rates];
	await execa('ffmpeg', ['-v', 'error', ...input, ...sound, ...video, file]);
}

async function joinWithFfmpeg(file, count) {
	const list = `${file}.txt`;
	await writeFile(list, `file '${file}'\n`.repeat(count));
	const args = ['-v', 'error', '-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy', '-y'];
	const child = spawn('ffmpeg', [...args, '-movflags', '+faststart', `${file}.film.mp4`]);
	const end = watchMemory(child.pid);
	await once(child, 'exit');
	return end();
}

export async function open(values) {
	const folder = await mkdtemp(path.join(tmpdir(), 'bench-join-'));
	const file = path.join(folder, 'clip.mp4');
	await makeClip(file, Number(values.size));
	return {
		async measure() {
			const args = ['--expose-gc', JOIN_CLIPS, file, values.clips];
			const { stdout } = await execa(process.execPath, args);
			const theirs = await joinWithFfmpeg(file, Number(values.clips));
			return [
				{ name: 'Video Join', beside: 'ffmpeg', figures: JSON.parse(stdout) },
				{ name: 'ffmpeg', figures: theirs },
			];
		},
		close: async () => await rm(folder, { recursive: true }),
	};
}
