'use strict';

const { execFileSync } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = mkdtempSync(path.join(os.tmpdir(), 'sounds-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** The beep of `makeClip({ beep: true })`, and something low beside it. */
const BEEP = 'sin(2*PI*1000*t)*between(t\\,0.48\\,0.58)+0.05*sin(2*PI*200*t)';

/**
 * Makes a file of sound, or has it written to a pipe, where nobody fills in its length.
 * @param {{ ending: string, rate?: number, channels?: number, seconds?: number, args?: string[], isPiped?: boolean }} options
 * @returns {Buffer}
 */
function makeSound({ ending, rate = 44100, channels = 1, seconds = 0.9, args = [], isPiped }) {
	const file = path.join(folder, `${++files}.${ending}`);
	const input = ['-f', 'lavfi', '-i', `aevalsrc='${BEEP}':d=${seconds}:s=${rate}`];
	const output = ['-ac', String(channels), ...args];
	const to = isPiped ? ['-f', ending, '-'] : [file];
	const piped = execFileSync('ffmpeg', ['-v', 'error', ...input, ...output, ...to]);
	return isPiped ? piped : readFileSync(file);
}

/** The samples of the sound of a file, with 16 or 24 bits, if all its checksums are right. */
function samplesOf(bytes, ending, bits = 16) {
	const file = path.join(folder, `${++files}.${ending}`);
	writeFileSync(file, bytes);
	const strict = ['-v', 'error', '-err_detect', 'crccheck+explode', '-xerror', '-i', file];
	const raw = ['-map', '0:a', '-c:a', `pcm_s${bits}le`, '-f', `s${bits}le`, '-'];
	return execFileSync('ffmpeg', [...strict, ...raw], { maxBuffer: 2 ** 30 });
}

module.exports = { makeSound, samplesOf };
