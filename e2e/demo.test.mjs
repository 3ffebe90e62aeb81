import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { STAND_INS } from '../sandbox/demo/credentials.mjs';
import { exampleNames } from '../sandbox/demo/examples.mjs';
import { PINNED } from '../sandbox/demo/pinned.mjs';
import { readMp4 } from '../sandbox/demo/videoFacts.mjs';
import { createApi, itemsOf } from '../sandbox/n8n/api.mjs';
import { n8nFolder } from '../sandbox/n8n/folders.mjs';
import { ensurePortFree } from '../sandbox/n8n/ports.mjs';
import { createDemoFolder, runDemo, startDemo } from './support/demoProcess.mjs';
import { answerForm } from './support/examples.mjs';
import { runByHand, until } from './support/workflows.mjs';

// `npm run demo`, and what a person does in it.

const require = createRequire(import.meta.url);
const { data, own } = createDemoFolder();
/** The first look at a task of another model comes only after half a minute. */
const QUICK = ['--model', 'dreamina-seedance-2-0-fast'];
const made = () => JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8'));

test('--once with a service of one`s own: a whole video and a text, and no trace of the key', async (t) => {
	const key = 'own-key-5e1f';
	const { createSandbox } = require('../sandbox/service');
	const service = await createSandbox({ port: 0, key, renderMs: 500 });
	t.after(() => service.close());
	const args = await own('--once', '--yes', '--base-url', service.url, ...QUICK);
	const { code, output } = await runDemo(t, args, { VIDEO_API_KEY: key });
	assert.equal(code, 0, output);
	assert.match(output, /This costs money: it orders one video/);
	assert.match(output, /The MP4 is complete\./);
	assert.match(output, /^Text: \S/m);
	assert.match(output, /Your API key was removed from n8n\./);
	assert.doesNotMatch(output, new RegExp(key));
	const { whole } = await readMp4(/^Video: (.+)$/m.exec(output)[1]);
	assert.ok(whole);
	assert.equal(service.submissions().length, 1);
	const imported = Object.keys(made()).filter((name) => name.endsWith('.json'));
	assert.deepEqual(imported.sort(), await exampleNames());
});

const CHAINS = ['product-photo-to-ugc-ad.json', 'story-to-narrated-film.json'];
/** All but what comes with the sandbox's own fal and kie.ai. */
const withoutChains = (all) =>
	Object.fromEntries(
		Object.entries(all).filter(([name]) => ![...CHAINS, ...Object.keys(STAND_INS)].includes(name)),
	);

/** Runs the two chains by hand, approves all products, and resolves to the files that come out. */
async function runChains(api) {
	const run = async (name, lastNode, answer) => {
		const workflow = await api.getWorkflow(made()[name].exampleId);
		const ended = runByHand(api, workflow);
		if (answer) {
			const isAsleep = ({ status }) => status === 'waiting';
			const asleep = await until(
				async () => (await api.callersOf(workflow.id)).find(isAsleep),
				'the form',
			);
			await answerForm(await api.execution(asleep.id), answer);
		}
		const execution = await ended;
		assert.equal(execution.status, 'success', execution.data.resultData.error?.message);
		return itemsOf(execution, lastNode).map(({ binary }) => Object.keys(binary).sort());
	};
	const ad = ['clip', 'data', 'image', 'talking', 'voice'];
	assert.deepEqual(await run(CHAINS[0], 'Add Captions', { 'field-1': '1, 2, 3' }), [ad, ad, ad]);
	assert.deepEqual(await run(CHAINS[1], 'Join Film'), [['data']]);
}

/** Runs the examples whose other services have pinned answers, as a person does; each gives a film. */
async function runPinned(api) {
	const runs = Object.keys(PINNED).map(async (name) => {
		const { status, data: run } = await runByHand(
			api,
			await api.getWorkflow(made()[name].exampleId),
		);
		const outputs = Object.values(run.resultData.runData).flatMap((one) => one.at(-1).data?.main);
		const isFilm = (item) => item?.binary?.data?.mimeType === 'video/mp4';
		return [name, status, outputs.flat().some(isFilm)];
	});
	assert.deepEqual(
		await Promise.all(runs),
		Object.keys(PINNED).map((name) => [name, 'success', true]),
	);
}

test('it stays up, starts n8n again after a kill, and leaves nothing behind after Ctrl+C', async (t) => {
	const args = await own(...QUICK);
	const before = made();
	const demo = startDemo(t, args);
	await demo.says('Press Ctrl+C to stop it.');
	assert.deepEqual(withoutChains(made()), withoutChains(before));
	const [, editor] = /^The editor: (\S+)\/home/m.exec(demo.output());
	const [, email] = /^Login: (.+)$/m.exec(demo.output());
	const [, password] = /^Password: (.+)$/m.exec(demo.output());
	const api = createApi(editor, n8nFolder());
	await api.signIn({ email, password });
	await runPinned(api);
	await runChains(api);

	const second = await runDemo(t, await own('--once'));
	assert.match(second.output, /Another demo \(process \d+\) is using /);

	const log = /^n8n's log, .*: (\/.+)$/m.exec(demo.output())[1];
	const logged = readFileSync(log, 'utf8');
	process.kill(demo.n8nPid(), 'SIGKILL');
	await demo.says('It is started again');
	await demo.says('Starting n8n: done', 2);
	assert.ok(readFileSync(log, 'utf8').startsWith(logged));
	assert.equal((await fetch(editor)).status, 200);

	demo.child.kill('SIGINT');
	const { code, output } = await demo.ended;
	assert.equal(code, 0, output);
	await ensurePortFree(Number(args[1]), '--port', 'n8n');
	await ensurePortFree(Number(args[3]), '--service-port', 'the service');
});

test('it refuses in one clear sentence', async (t) => {
	const refusals = [
		[['--port', 'many'], /--port must be a number from 1 to 65535, not "many"/],
		[['--nonsense'], /Unknown option '--nonsense'\. --help shows the options\./],
		[['--base-url', 'https://example.com'], /set VIDEO_API_KEY/],
		[
			['--base-url', 'https://example.com', '--service', 'fal'],
			/--service is newApi, openAiVideos, customPaths, and needs --base-url\./,
		],
		[
			['--base-url', 'https://example.com', '--key', 'k-1'],
			/costs money[^]*There is no terminal to ask for confirmation\. Add --yes/,
		],
	];
	for (const [args, sentence] of refusals) {
		const { code, output } = await runDemo(t, args);
		assert.equal(code, 1, output);
		assert.match(output, sentence);
		assert.doesNotMatch(output, /\n {4}at |k-1/);
	}
});
