import { parseArgs } from 'node:util';
import { Refusal } from '../n8n/report.mjs';
import { createInterface } from 'node:readline/promises';

export const HELP = `Runs the nodes in a real n8n on this machine.

  npm run demo                  n8n with a sandbox instead of the video service: no account, no cost
  npm run demo -- --once        the same, but exits after the check (exit code 0 if the MP4 is complete)

Options
  --once                 exit after the check instead of staying up
  --port N               port for n8n (default 5678)
  --service-port N       port for the sandbox service (default 5688)
  --data FOLDER          where n8n keeps the demo's data and the videos
  --base-url URL         run against a real service instead. This costs money
  --service NAME         its Service: newApi (default), openAiVideos or customPaths
  --key KEY              its API key. Prefer VIDEO_API_KEY, which process lists do not show
  --keep-key             leave the key in the demo's n8n when it stops
  --model NAME           video model
  --text-model NAME      text model
  --yes                  do not ask before spending money and storing the key
  --help                 this text

Environment: VIDEO_BASE_URL and VIDEO_API_KEY can be set instead of --base-url and --key;
N8N_SANDBOX_CACHE is the folder for the pinned n8n (2.8 GB) instead of ~/.cache.
`;

const OPTIONS = {
	once: { type: 'boolean', default: false },
	port: { type: 'string', default: '5678' },
	'service-port': { type: 'string', default: '5688' },
	data: { type: 'string' },
	'base-url': { type: 'string' },
	service: { type: 'string' },
	key: { type: 'string' },
	'keep-key': { type: 'boolean', default: false },
	model: { type: 'string' },
	'text-model': { type: 'string' },
	yes: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};

/** The command line and environment as plain values; refuses what it does not understand. */
export function readOptions(args, env) {
	const { 'base-url': address, key: keyOption, ...given } = parse(args);
	const baseUrl = address ?? env.VIDEO_BASE_URL ?? '';
	const key = keyOption ?? env.VIDEO_API_KEY ?? '';
	checkService(baseUrl, key, keyOption !== undefined, given.service);
	const port = readPort(given.port, '--port');
	const servicePort = readPort(given['service-port'], '--service-port');
	if (port === servicePort) throw new Refusal('--port and --service-port must differ.');
	return {
		...given,
		keepKey: given['keep-key'],
		port,
		servicePort,
		textModel: given['text-model'],
		real: baseUrl ? { baseUrl, key, service: given.service ?? 'newApi' } : null,
	};
}

function parse(args) {
	try {
		return parseArgs({ args, options: OPTIONS }).values;
	} catch (error) {
		// Node's own sentences, of which only the first says what was not understood.
		const sentence = error.message.split(/\. (?=To |Did )|\n/)[0].replace(/\.$/, '');
		throw new Refusal(`${sentence}. --help shows the options.`);
	}
}

/** As a credential saves those that have an address of one's own: the key goes there. */
const SERVICES = ['newApi', 'openAiVideos', 'customPaths'];

function checkService(baseUrl, key, keyOption, service) {
	if (!baseUrl && keyOption) {
		throw new Refusal('--key needs a service: give its address with --base-url.');
	}
	if (service !== undefined && !(baseUrl && SERVICES.includes(service))) {
		throw new Refusal(`--service is ${SERVICES.join(', ')}, and needs --base-url.`);
	}
	if (!baseUrl) return;
	if (!/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl)) {
		throw new Refusal('--base-url must be a web address such as https://example.com.');
	}
	if (!key) throw new Refusal('--base-url needs a key: set VIDEO_API_KEY (or give --key).');
}

function readPort(text, option) {
	const port = Number(text);
	if (/^\d+$/.test(text) && port > 0 && port < 65536) return port;
	throw new Refusal(`${option} must be a number from 1 to 65535, not "${text}".`);
}

/** Says what will be ordered where and what is stored, and goes on only if the person agrees. */
export async function askBeforeSpending({ real, yes, model, textModel, keepKey, data }, report) {
	report.line(
		`This costs money: it orders one video${model ? ` (${model})` : ''} and one text answer` +
			`${textModel ? ` (${textModel})` : ''} at ${new URL(real.baseUrl).origin}.`,
	);
	report.line(
		`Your API key is stored in ${data}, encrypted with a key of that folder, ` +
			(keepKey ? 'and stays there.' : 'and removed when the demo stops (--keep-key leaves it).'),
	);
	if (yes) return;
	if (!process.stdin.isTTY) {
		throw new Refusal(
			'There is no terminal to ask for confirmation. Add --yes to confirm in advance.',
		);
	}
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	const closed = new Promise((resolve) => terminal.once('close', () => resolve('')));
	const answer = await Promise.race([terminal.question('Continue? [y/N] '), closed]);
	terminal.close();
	if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal('Nothing was ordered or stored.');
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const INTERRUPTED = 130;

/**
 * Ends what was started, in reverse order, once: at Ctrl+C or when the demo is over. Exit code 0
 * if the demo was up when it was told to stop, 130 if it was still on its way.
 */
export function onStop(report) {
	const steps = [];
	let up = false;
	let stopping = null;

	async function cleanUpAll() {
		for (const step of steps.splice(0).reverse()) await step();
	}
	async function stopNow() {
		report.line('\nStopping ...');
		await cleanUpAll();
		report.line('Stopped.');
		process.exit(up ? 0 : INTERRUPTED);
	}
	for (const signal of SIGNALS) {
		// npm passes a Ctrl+C on that the terminal has already sent: the second one changes nothing.
		process.on(signal, () => (stopping ??= stopNow()));
	}
	return {
		cleanUp: (step) => steps.push(step),
		cleanUpAll,
		isUp: () => (up = true),
		isStopping: () => stopping !== null,
	};
}
