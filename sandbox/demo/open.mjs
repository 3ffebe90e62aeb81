import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createRequire } from 'node:module';
import { createApi } from '../n8n/api.mjs';
import { takeLock } from '../n8n/lock.mjs';
import { installPackage } from '../n8n/package.mjs';
import { ensurePortFree } from '../n8n/ports.mjs';
import { Refusal } from '../n8n/report.mjs';
import { startN8n } from '../n8n/start.mjs';
import {
	demoCredentials,
	openState,
	putCredentials,
	STAND_INS,
	standInCredential,
} from './credentials.mjs';
import { exampleNames, putExample, putWorkflow } from './examples.mjs';
import { pinAnswers } from './pinned.mjs';
import { TEXT } from './text.mjs';

/**
 * The encryption key and the password of the demo's n8n, made for its folder and kept in it, where
 * only its owner may read.
 */
async function openSecrets(state) {
	const known = state.get('secrets');
	if (known) return known;
	const secrets = {
		encryptionKey: randomBytes(24).toString('base64'),
		// n8n wants a capital letter and a number in it.
		password: `A1-${randomBytes(12).toString('base64url')}`,
	};
	await state.set('secrets', secrets);
	return secrets;
}

const RENDER_MS = 3000;
const KEY = 'sandbox-key';
/** Nobody is to take the sandbox's prices for real ones. */
const CURRENCY = 'made-up USD';
/** Opens the form of an example. */
const FORM_LOGIN = {
	name: 'Basic Auth (user demo, password demo)',
	type: 'httpBasicAuth',
	data: { user: 'demo', password: 'demo' },
};
/** The models of the service's documentation and one of each other family, and who serves them. */
const OWNERS = {
	'veo-3.1-fast-generate-001': 'vertex-ai',
	'veo-3.1-lite-generate-001': 'vertex-ai',
	'doubao-seedance-1-5-pro-251215': 'doubaovideo',
	'dreamina-seedance-2-0-fast': 'doubaovideo',
	'kling-v1-6': 'kling',
	viduq2: 'vidu',
	'MiniMax-Hailuo-2.3': 'minimax',
	'wan2.5-t2v-preview': 'ali',
	jimeng_v30: 'jimeng',
};
/** One for texts, images and speech each, and what agents use. */
const TEXT_MODELS = [
	...['gemini-2.5-flash', 'gemini-2.5-pro', 'gemini-2.5-flash-image'],
	'gemini-2.5-flash-preview-tts',
];
/** The example that the demo itself runs; the others are there to be tried. */
const VIDEO = 'prompt-to-video.json';
/** Reachable from this machine only. */
const EMAIL = 'demo@example.com';

const require = createRequire(import.meta.url);

async function startService({ real, servicePort, report, cleanUp }) {
	if (real) return real;
	// Again: it may have been taken while n8n was installed.
	await ensurePortFree(servicePort, '--service-port', 'the sandbox service');
	// Here, not at the top: its packages are installed by then.
	const { createSandbox } = require('../service');
	// On the host of the base URL, because n8n asks no other private address.
	const settings = {
		...{ key: KEY, renderMs: RENDER_MS, profile: 'gateway' },
		...{ models: { video: Object.keys(OWNERS), text: TEXT_MODELS }, owners: OWNERS },
		...{ foreignHost: '127.0.0.1', currency: CURRENCY },
	};
	const service = await createSandbox({ port: servicePort, ...settings });
	cleanUp(() => service.close());
	report.line(`Sandbox service: ${service.url} (key: ${KEY})`);
	const shared = { key: KEY, renderMs: RENDER_MS, foreignHost: '127.0.0.1', currency: CURRENCY };
	const others = Object.entries(STAND_INS).map(async ([api, { label: _label, ...setUp }]) => {
		const other = await createSandbox({ ...shared, ...setUp });
		cleanUp(() => other.close());
		return standInCredential(api, { url: other.url, key: KEY });
	});
	const credentials = await Promise.all(others);
	const places = credentials.map(({ name, data }) => `  ${name}: ${data.baseUrl}`);
	report.line(`The others (what arrived: GET /_sandbox/requests):\n${places.join('\n')}`);
	return { baseUrl: service.url, key: KEY, others: credentials };
}

async function takeFolder(data, cleanUp) {
	await mkdir(data, { recursive: true, mode: 0o700 });
	const { release, pid } = await takeLock(data);
	if (!release) {
		throw new Refusal(
			`Another demo (process ${pid}) is using ${data}. Stop it, or choose another folder with --data.`,
		);
	}
	cleanUp(release);
}

async function signIn(api, data, owner) {
	try {
		await api.signIn(owner);
	} catch (error) {
		if (error.status !== 401) throw error;
		throw new Refusal(`The demo's n8n no longer accepts its login. Delete ${data} to start over.`);
	}
}

/** Puts the credentials into n8n; a real key leaves it again before n8n stops. */
async function storeKey(api, state, access, { real, keepKey, data, report, cleanUp }) {
	const { key, others = [] } = access;
	if (real && !keepKey) {
		cleanUp(async () => {
			try {
				await putCredentials(api, state, demoCredentials({ ...access, key: '' }));
				report.line('Your API key was removed from n8n.');
			} catch (error) {
				const reason = error.message.split(key).join('[API key]');
				report.line(`Your API key could not be removed (${reason}). Delete ${data} to remove it.`);
			}
		});
	}
	return await putCredentials(api, state, [...demoCredentials(access), ...others, FORM_LOGIN]);
}

/** Starts everything and puts credentials and example workflows into n8n. */
export async function openDemo(options) {
	const { installed, data, port, report, cleanUp, real } = options;
	await takeFolder(data, cleanUp);
	const state = await openState(data);
	const { encryptionKey, password } = await openSecrets(state);
	const owner = { email: EMAIL, password };
	const service = await startService(options);
	await installPackage(data);
	const logFile = path.join(data, 'n8n.log');
	const env = { N8N_ENCRYPTION_KEY: encryptionKey };
	const startAgain = async () =>
		(demo.n8n = await report.during('Starting n8n', () =>
			startN8n({ installed, userFolder: data, port, logFile, env }),
		));
	const demo = { data, owner, report, startAgain, n8n: undefined };
	cleanUp(() => demo.n8n?.stop());
	await startAgain();
	const api = createApi(demo.n8n.url, installed);
	await signIn(api, data, owner);
	const credentials = await storeKey(api, state, service, options);
	const names = Object.values(credentials).map(({ name }) => name);
	report.line(`Credentials: ${names.join(', ')}`);
	const models = {
		'n8n-nodes-video-generation.videoGenerate': options.model,
		'n8n-nodes-video-generation.generateContent': options.textModel,
		'@n8n/n8n-nodes-langchain.lmChatGoogleGemini': options.textModel,
	};
	const settings = { credentials, models };
	const video = await putWorkflow(api, state, VIDEO, settings);
	const text = await putWorkflow(api, state, TEXT.name, { ...settings, workflow: TEXT });
	const others = (await exampleNames()).filter((name) => name !== VIDEO);
	for (const fileName of others) {
		const change = (example) => pinAnswers(example, fileName);
		await putExample(api, state, fileName, { ...settings, change });
	}
	report.line(`Example workflows, imported: ${others.length + 1}`);
	return Object.assign(demo, { api, video, text });
}
