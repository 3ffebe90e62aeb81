import { run } from './command.mjs';
import { Refusal } from './refusal.mjs';

const NO_NETWORK =
	/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;
const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];

/** Asks the registry once: npm itself would try each of some thousand packages several times. */
async function isOffline(cwd) {
	const { code, output } = await run('npm', ['ping', '--fetch-retries=0'], { cwd });
	return code !== 0 && NO_NETWORK.test(output);
}

/** Installs exactly what the lock in `cwd` says; `what` names it in messages. */
export async function npmInstall(cwd, what, logFile) {
	// Without a network an install still works if npm has every package in its cache.
	const source = (await isOffline(cwd)) ? '--offline' : '--prefer-offline';
	const { code, output } = await run('npm', [...INSTALL, source], { cwd, logFile });
	if (code !== 0) throw new Refusal(whyNpmEnded(code, output, what, logFile));
}

function whyNpmEnded(code, output, what, logFile) {
	const log = `Log: ${logFile}`;
	if (code === 127) return `npm was not found. Install Node.js 20 with npm, then try again.`;
	if (/\bENOSPC\b/.test(output)) {
		return `The disk filled up while installing ${what}. Free some space and try again. ${log}`;
	}
	if (NO_NETWORK.test(output)) {
		return (
			`No network: npm could not reach its package registry to install ${what}. ` +
			`Connect (or set npm's proxy) and run the same command again. ${log}`
		);
	}
	const lines = output.trim().split('\n').slice(-5).join('\n');
	return `npm could not install ${what} (exit code ${code}). ${log}\n${lines}`;
}
