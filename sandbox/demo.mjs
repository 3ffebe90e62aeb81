#!/usr/bin/env node
// `npm run demo`: the nodes in a real n8n, from a fresh clone. Until the repository's packages are
// installed (ensureDependencies) nothing but Node.js itself may be imported here.
import path from 'node:path';
import { askBeforeSpending, HELP, readOptions, onStop } from './demo/options.mjs';
import { checkText, checkVideo } from './demo/checks.mjs';
import { openDemo } from './demo/open.mjs';
import { buildPackage } from './n8n/package.mjs';
import {
	ensureDependencies,
	ensureNodeVersion,
	ensureN8n,
	ensureRoomForN8n,
	isN8nInstalled,
} from './n8n/install.mjs';
import { cacheFolder, n8nVersion, ROOT, shortHash } from './n8n/folders.mjs';
import { ensurePortFree } from './n8n/ports.mjs';
import { printFailure, createReport } from './n8n/report.mjs';

const FIRST_START =
	'The first start takes about 6 minutes and 4 GB of disk space, mostly for n8n; later starts take seconds.';

/** What a prompt makes of its order, at each service of the sandbox. */
const PROMPTS = [
	['fails', { outcome: 'FAILURE', failReason: 'Too dark' }],
	['is throttled twice', { submit: ['retryAfter', 'retryAfter'] }],
	['is refused', { submit: ['chineseMessage'] }],
	['breaks off, and may be paid for', { submit: ['acceptThen502'] }],
];
const toPrompt = ([what, plan]) =>
	`  ${what}: A lantern in the fog sandbox:${JSON.stringify(plan)}`;
/** Of an n8n that ends by itself. */
const MOST_STARTS = 20;

const report = createReport();
const stop = onStop(report);

/** One for each service; those of earlier versions of the demo are not taken for a real one. */
function toFolder({ data, real }) {
	const name = shortHash(ROOT, real ? `own key ${real.baseUrl}` : 'sandbox');
	return data ? path.resolve(data) : path.join(cacheFolder(), `demo-${name}`);
}

/** What a person who signs in should know. */
const aboutExamples = ({ real }) =>
	'The examples are imported already: open one in the list and choose Execute workflow (of a chat, Open chat).' +
	' Another Prompt for One Shot first needs the film that its note names.' +
	' A Product Photo to a UGC Ad asks in a form before it renders, which n8n opens.' +
	' What Google, Telegram, S3 and a shop would answer is pinned, so no account is needed there.' +
	' A red triangle on a pinned node only says that no account or document is chosen there.' +
	(real
		? ' Each one orders videos or texts from your service, as its note says.'
		: ' All videos show the same scene, in the shape that was ordered, and in the length if one was. Nothing is billed, and all prices are made up.');

async function main() {
	const options = readOptions(process.argv.slice(2), process.env);
	delete process.env.VIDEO_API_KEY;
	if (options.help) {
		report.line(HELP);
		return 0;
	}
	ensureNodeVersion();
	await ensureRoomForN8n();
	await ensurePortFree(options.port, '--port', 'n8n');
	const data = toFolder(options);
	if (options.real) await askBeforeSpending({ ...options, data }, report);
	else await ensurePortFree(options.servicePort, '--service-port', 'the sandbox service');

	if (!isN8nInstalled()) report.line(FIRST_START);
	report.line('[1/5] Packages of this repository');
	await ensureDependencies(report);
	report.line(`[2/5] n8n ${n8nVersion()} with its own Node.js 24`);
	const installed = await ensureN8n(report);
	report.line('[3/5] The nodes');
	await report.during('Building what changed', () => buildPackage());

	report.line(`[4/5] Starting ${options.real ? 'n8n' : 'the sandbox service and n8n'}`);
	const demo = await openDemo({ ...options, installed, data, report, cleanUp: stop.cleanUp });

	report.line('[5/5] Running the example workflows as production executions');
	const whole = await checkVideo(demo);
	await checkText(demo);
	if (options.once) return whole ? 0 : 1;
	report.line(
		`\nThe editor: ${demo.n8n.url}/home/workflows\nLogin: ${demo.owner.email}\nPassword: ${demo.owner.password}`,
	);
	report.line(aboutExamples(options));
	report.line(`n8n's log, with the nodes' own lines: ${demo.n8n.logFile}`);
	if (!options.real) {
		report.line('Prompts to paste, whose order');
		PROMPTS.map(toPrompt).forEach(report.line);
		report.line('  (With Veo of New API, the first one fails after a minute and a half.)');
	}
	report.line('The demo keeps running. Press Ctrl+C to stop it.');
	stop.isUp();
	for (let n = 0; n < MOST_STARTS; n++) {
		const how = await demo.n8n.exited;
		if (stop.isStopping()) return null;
		report.line(`n8n ended (${how}). It is started again; the service keeps its tasks.`);
		await demo.startAgain();
	}
	throw new Error(`n8n ended again and again. Log: ${demo.n8n.logFile}`);
}

const code = await main().catch((error) => (stop.isStopping() ? null : printFailure(error)));
if (code !== null) {
	await stop.cleanUpAll();
	process.exit(code);
}
