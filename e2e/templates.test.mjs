import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { exampleNames, prepareWorkflow, readExample } from '../sandbox/demo/examples.mjs';
import { videoFacts } from '../sandbox/demo/videoFacts.mjs';
import { itemsOf } from '../sandbox/n8n/api.mjs';
import { setPatientPatterns } from '../test/support/engine/patientPatterns.js';
import { planCalls, status, toldBy, video } from './support/agentTools.mjs';
import { wordsOf } from './support/chunks.mjs';
import { fillIn, openExamples, rendered } from './support/examples.mjs';
import {
	chain,
	items,
	node,
	planned,
	rendering,
	to,
	videoGenerate,
	webhook,
} from './support/workflows.mjs';

// The examples as people import them: n8n takes all of them, and six are executed. The demo runs one
// more, and those that need an account elsewhere with pinned answers.

/** The shortest that the stand-in writes into a storyboard, and what the others order here. */
const SECONDS = 4;
const HALF_DONE = { renderMs: 0, poll: [rendering(50)] };
const TOLD = planned('A video on demand', { ...HALF_DONE, video: 'portrait' });
const IDEA = 'A boat finds the sea';
/** What the stand-in writes of it. */
const SHOTS = [1, 2, 3].map((n) => `${IDEA} (prompt ${n}) ${IDEA} (look)`);
const KITE = 'Make a video of a kite';
const CHANGED = ['A cat sleeps', 'The sea'];
/** What each product of the ads orders, in this order. */
const AD_STEPS = [
	...['fal-ai/nano-banana/edit', 'fal-ai/elevenlabs/tts/eleven-v3'],
	...['fal-ai/veo3.1/image-to-video', 'fal-ai/sync-lipsync/v2', 'veed/subtitles'],
];

let examples;
let service;
/** What Render Shots of the storyboard has put out. */
let filmed;
before(async () => {
	examples = await openExamples();
	service = examples.sandbox.service;
});
after(() => examples?.close());

const submitOf = (prompt) => service.submissions().find(({ body }) => body.prompt === prompt);

/** The places in `given` that are not in `kept`. */
const lostOf = (given, kept, place = '') =>
	Object.entries(given).flatMap(([name, value]) => {
		const path = `${place}${name}`;
		if (kept === null || typeof kept !== 'object' || !(name in kept)) return [path];
		const isDeep = value !== null && typeof value === 'object';
		return isDeep ? lostOf(value, kept[name], `${path}.`) : [];
	});

/** Values that their list does not have, where a node does not load the list itself. */
const strangersOf = (given, fields) =>
	Object.entries(given).flatMap(([name, value]) => {
		const known = fields.filter((field) => field.name === name);
		const within = known.flatMap(({ options = [] }) => options);
		if (known[0].type === 'collection') return strangersOf(value, within);
		if (known[0].type === 'fixedCollection') {
			const fieldsOf = (group) => within.find((one) => one.name === group).values;
			const rows = Object.entries(value).map(([group, row]) => [[row].flat(), fieldsOf(group)]);
			return rows.flatMap(([all, own]) => all.flatMap((row) => strangersOf(row, own)));
		}
		const isChosen = known.every((one) => one.type === 'options' && !one.typeOptions);
		const isThere = `${value}`.startsWith('=') || within.some((one) => one.value === value);
		return isChosen && !isThere ? [`${name}: ${value}`] : [];
	});

for (const fileName of await exampleNames()) {
	test(`${fileName}: n8n knows each node, keeps each field and finds nothing wrong`, async () => {
		const { api, installed } = examples.sandbox;
		const workflow = createRequire(path.join(installed, 'package.json'))('n8n-workflow');
		const { NodeHelpers } = workflow;
		setPatientPatterns(workflow);
		const types = await api.nodeTypes();
		const example = prepareWorkflow(await readExample(fileName), { credentials: {} });
		const { nodes } = await api.createWorkflow(example);
		assert.equal(nodes.length, example.nodes.length);
		for (const node of nodes) {
			const { name, parameters: given } = node;
			const type = types.find(
				(one) => one.name === node.type && [one.version].flat().includes(node.typeVersion),
			);
			assert.ok(type, `${name}: ${node.type} ${node.typeVersion}`);
			const { properties } = type;
			const parameters = NodeHelpers.getNodeParameters(properties, given, true, false, node, type);
			assert.deepEqual([name, lostOf(given, parameters)], [name, []]);
			assert.deepEqual([name, strangersOf(given, properties)], [name, []]);
			const filled = { ...node, parameters };
			const { parameters: wrong = {} } =
				NodeHelpers.getNodeParametersIssues(properties, filled, type) ?? {};
			// Whose spreadsheet it is, nobody else can say.
			const chosen = Object.keys(wrong).filter((field) => field !== 'documentId');
			assert.deepEqual([name, chosen], [name, []]);
		}
	});
}

test('storyboard-to-film.json pays once for each shot, and ends with one film and its link', async () => {
	const execution = await examples.run(
		'storyboard-to-film.json',
		fillIn('Set Idea', { idea: IDEA }),
	);
	const shots = SHOTS.map(submitOf);
	assert.deepEqual(
		shots.map(({ body: { duration, metadata } }) => [duration, metadata.ratio]),
		SHOTS.map(() => [SECONDS, '16:9']),
	);
	// The last frame of the shot before.
	assert.deepEqual(
		shots.map(({ body: { images } }) => images && new URL(images[0]).searchParams.get('task')),
		[undefined, shots[0].taskId, shots[1].taskId],
	);
	filmed = itemsOf(execution, 'Render Shots').map(({ json }) => json);
	const [film, ...others] = itemsOf(execution, 'Join Shots');
	assert.deepEqual(others, []);
	const { file_name, duration_seconds, clips, link } = film.json;
	assert.deepEqual([file_name, duration_seconds], [`${IDEA} (title).mp4`, 3 * SECONDS]);
	assert.deepEqual(
		clips.map(({ start_seconds, item }) => [start_seconds, item]),
		SHOTS.map((_, i) => [i * SECONDS, i]),
	);
	const bytes = await examples.bytesOf(film.binary.data);
	// As somebody opens it who never signed in: without cookies.
	assert.deepEqual(Buffer.from(await (await fetch(link)).arrayBuffer()), bytes);
	const file = path.join(examples.folder, 'film.mp4');
	await writeFile(file, bytes);
	const { whole, lines } = await videoFacts(file);
	assert.ok(whole, lines.join());
	const byFfprobe = lines.find((line) => line.startsWith('ffprobe'));
	if (byFfprobe) assert.match(byFfprobe, /: h264, 640 x 360, 12\.0\d s$/);
});

test('change-one-shot.json pays for the changed shot and those after it alone', async () => {
	const shots = filmed.map(({ task_id, last_frame_url }, i) => ({
		...{ task_id, last_frame_url, prompt: ['A boat', 'The street', 'The sea'][i] },
	}));
	const paid = service.submissions().length;
	const execution = await examples.run(
		'change-one-shot.json',
		fillIn('Set Film', { shots, change: 2, newPrompt: 'A cat sleeps' }),
	);
	const changed = service.submissions().slice(paid);
	assert.deepEqual(
		changed.map(({ body }) => body.prompt),
		CHANGED,
	);
	assert.deepEqual(
		changed.map(({ body }) => new URL(body.images[0]).searchParams.get('task')),
		[shots[0].task_id, changed[0].taskId],
	);
	const [{ json }, ...others] = itemsOf(execution, 'Join Shots');
	assert.deepEqual(others, []);
	assert.deepEqual(
		json.clips.map(({ file_name, duration_seconds }) => [file_name, duration_seconds]),
		[shots[0].task_id, ...changed.map(({ taskId }) => taskId)].map((taskId, i) => [
			...[`${taskId}.mp4`, i === 0 ? SECONDS : 5],
		]),
	);
});

/** How many orders of each model there were. */
const countOf = (tasks) =>
	tasks.reduce((sums, { model }) => ({ ...sums, [model]: (sums[model] ?? 0) + 1 }), {});

/** How files of these types begin. */
const STARTS = { image: /^\x89PNG/, sound: /^RIFF/, video: /ftyp$/ };

/** The files of an item, by their fields, as types of their first bytes. */
async function typesOf({ binary }) {
	const types = {};
	// One after the other: they go through one file.
	for (const [field, file] of Object.entries(binary)) {
		const start = (await examples.bytesOf(file)).toString('latin1', 0, 8);
		const [type] = Object.entries(STARTS).find(([, pattern]) => pattern.test(start)) ?? [start];
		types[field] = type;
	}
	return types;
}
/** Makes nodes that order a file at this service. */
function renderAt(service) {
	const credentials = { videoGenerationApi: examples.credentials[service] };
	return (name, model, parameters) =>
		videoGenerate(
			credentials,
			{ model: { __rl: true, mode: 'id', value: model }, downloadVideo: true, ...parameters },
			{ name },
		);
}
const merge = (name, parameters) => node(name, 'n8n-nodes-base.merge', 3.2, parameters);

/** Runs a workflow of docs/chains.md, however it ends. */
async function runAsWebhook(name, nodes, connections) {
	const workflow = await examples.studio.publish(name, nodes, connections);
	await examples.sandbox.api.callWebhook(workflow.path);
	return await examples.studio.ended(workflow.id);
}

test('product-photo-to-ugc-ad.json orders each step once per product, also after a retry', async () => {
	const { fal } = examples.services;
	const detail = [{ loc: ['body', 'preset'], msg: 'Not today', type: 'value_error' }];
	// Lips and captions have no prompt, so they share this list: the fifth order is refused.
	const submit = ['ok', 'ok', 'ok', 'ok', { status: 422, json: { detail } }];
	fal.set({ plan: { submit } });
	const answer = { 'field-1': '1, 2, 3' };
	const { form, execution } = await examples.runToTheEnd('product-photo-to-ugc-ad.json', {
		answer,
	});
	assert.match(form, /2\. Rubber Boots: [^]+<img src="http[^"]+\.png\?[^]+value="1, 2, 3"/);
	assert.equal(execution.status, 'error');
	assert.equal(execution.data.resultData.error.node.name, 'Add Captions');
	assert.equal(fal.tasks().length, 14);
	const submitted = fal.submissions().length;

	const retried = await examples.retry(execution);
	assert.equal(retried.status, 'success');
	assert.deepEqual(
		fal
			.submissions()
			.slice(submitted)
			.map(({ path }) => path),
		['/veed/subtitles'],
	);
	assert.deepEqual(countOf(fal.tasks()), Object.fromEntries(AD_STEPS.map((model) => [model, 3])));
	const ads = itemsOf(retried, 'Add Captions');
	assert.deepEqual(
		ads.map(({ binary }) => binary.data.fileName),
		['Rain Jacket.mp4', 'Rubber Boots.mp4', 'Thermos Flask.mp4'],
	);
	assert.equal(ads.filter(({ json }) => json.reused).length, 2);
	const all = { image: 'image', voice: 'sound', clip: 'video', talking: 'video', data: 'video' };
	for (const ad of ads) assert.deepEqual(await typesOf(ad), all);
});

test('product-photo-to-ugc-ad.json pays for no more than an image of what nobody approves', async () => {
	const { fal } = examples.services;
	fal.reset();
	const { execution } = await examples.runToTheEnd('product-photo-to-ugc-ad.json', {
		answer: { 'field-1': '2' },
	});
	assert.equal(execution.status, 'success');
	const [first, ...others] = AD_STEPS;
	const once = others.map((model) => [model, 1]);
	assert.deepEqual(countOf(fal.tasks()), Object.fromEntries([[first, 3], ...once]));
	assert.deepEqual(
		itemsOf(execution, 'Add Captions').map(({ json }) => json.product),
		['Rubber Boots'],
	);
});

test('story-to-narrated-film.json orders each file once, also after a retry, and joins the film', async () => {
	const { kie } = examples.services;
	const refusal = { status: 200, json: { code: 422, msg: 'Not today', data: null } };
	const shots = ['The boat sails', 'The mist opens', 'The camera rises'].map((motion, i) => ({
		frame: `A boat of paper, ${i + 1}`,
		motion: i === 1 ? planned(motion, { submit: [refusal] }) : motion,
	}));
	const story = 'It was a page of homework, and then the sea.';
	const { execution } = await examples.runToTheEnd('story-to-narrated-film.json', {
		change: fillIn('Set Story', { story, shots }),
	});
	assert.equal(execution.data.resultData.error?.node.name, 'Film Shots');
	const orders = kie.tasks().length;

	const retried = await examples.retry(execution);
	assert.equal(retried.status, 'success');
	assert.equal(orders, 6);
	assert.deepEqual(countOf(kie.tasks()), {
		'elevenlabs/text-to-speech-multilingual-v2': 1,
		'google/nano-banana': 3,
		'kling-2.6/image-to-video': 3,
	});
	for (const shot of itemsOf(retried, 'Film Shots')) {
		assert.deepEqual(await typesOf(shot), { frame: 'image', data: 'video' });
	}
	const [film, ...others] = itemsOf(retried, 'Join Film');
	assert.deepEqual(others, []);
	assert.deepEqual(
		[film.json.file_name, film.json.duration_seconds, film.json.clips.length],
		['The Paper Boat.mp4', 15, 3],
	);
	const bytes = await examples.bytesOf(film.binary.data);
	assert.ok(bytes.includes('fLaC'), 'the film has no voice');
	assert.deepEqual(Buffer.from(await (await fetch(film.json.link)).arrayBuffer()), bytes);
	const file = path.join(examples.folder, 'narrated.mp4');
	await writeFile(file, bytes);
	const { whole, lines } = await videoFacts(file);
	assert.ok(whole, lines.join());
	const byFfprobe = lines.find((line) => line.startsWith('ffprobe'));
	if (byFfprobe) assert.match(byFfprobe, /: h264, 640 x 360, 15\.0\d s$/);
});

test('an image and a voice of two branches meet in one item, and become a talking head', async () => {
	const { fal } = examples.services;
	fal.reset();
	const render = renderAt('fal');
	const rows = ['An old man', 'A young woman'].map((person) => ({ person }));
	const [IMAGE, TALK] = ['fal-ai/nano-banana', 'veed/fabric-1.0'];
	const prompt = '={{ $json.person }}';
	const sound = { role: 'referenceSound', imageSource: 'binary', imageBinaryProperty: 'voice' };
	const nodes = [
		webhook(),
		items(rows, 'People'),
		render('Draw', IMAGE, { prompt, options: { binaryProperty: 'image' } }),
		render('Speak', AD_STEPS[1], { prompt, options: { binaryProperty: 'voice' } }),
		merge('Both', { mode: 'combine', combineBy: 'combineByPosition' }),
		render('Talk', TALK, {
			...{ prompt: '', imageSource: 'binary', imageBinaryProperty: 'image', resolution: '720p' },
			options: { images: { image: [sound] } },
		}),
	];
	const connections = {
		...chain('Webhook', 'People'),
		People: { main: [[to('Draw'), to('Speak')]] },
		Speak: { main: [[{ ...to('Both'), index: 1 }]] },
		...chain('Draw', 'Both', 'Talk'),
	};
	const execution = await runAsWebhook('Talking Heads', nodes, connections);
	assert.equal(execution.status, 'success', execution.data.resultData.error?.message);
	assert.deepEqual(countOf(fal.tasks()), { [IMAGE]: 2, [AD_STEPS[1]]: 2, [TALK]: 2 });
	for (const [i, item] of itemsOf(execution, 'Talk').entries()) {
		assert.equal(item.json.person, rows[i].person);
		assert.deepEqual(await typesOf(item), { image: 'image', voice: 'sound', data: 'video' });
	}
});

test('one paid clip and a voice for each language become a film for each language', async () => {
	const { fal } = examples.services;
	fal.reset();
	const render = renderAt('fal');
	const languages = ['English', 'Español', 'Deutsch'].map((language) => ({ language }));
	const nodes = [
		webhook(),
		render('Film', 'fal-ai/veo3.1', { prompt: 'A boat' }),
		items(languages, 'Languages'),
		render('Speak', AD_STEPS[1], { prompt: '=A boat, in {{ $json.language }}' }),
		merge('Clip for Each Language', { mode: 'combine', combineBy: 'combineAll' }),
		merge('Clips and Voices', {}),
		node('Join', 'n8n-nodes-video-generation.videoJoin', 1, { options: { groupBy: 'language' } }),
	];
	const connections = {
		...chain('Webhook', 'Film'),
		Film: { main: [[to('Languages'), to('Clip for Each Language')]] },
		Languages: { main: [[to('Speak'), { ...to('Clip for Each Language'), index: 1 }]] },
		Speak: { main: [[{ ...to('Clips and Voices'), index: 1 }]] },
		...chain('Clip for Each Language', 'Clips and Voices', 'Join'),
	};
	const execution = await runAsWebhook('Languages', nodes, connections);
	assert.equal(execution.status, 'success', execution.data.resultData.error?.message);
	assert.deepEqual(countOf(fal.tasks()), { 'fal-ai/veo3.1': 1, [AD_STEPS[1]]: 3 });
	const films = itemsOf(execution, 'Join');
	assert.deepEqual(
		films.map(({ json }) => [json.language, json.file_name, json.clips.length]),
		languages.map(({ language }) => [language, `${language}.mp4`, 1]),
	);
	for (const { binary } of films) {
		assert.ok((await examples.bytesOf(binary.data)).includes('fLaC'), 'a film has no voice');
	}
});

test('chat-with-progress.json tells what happens and ends with a link to the file', async () => {
	const chunks = await examples.chat('chat-with-progress.json', TOLD);
	const [submitted, ready, ...more] = wordsOf(chunks).trim().split('\n\n');
	const { taskId, body } = submitOf(TOLD);
	assert.equal(body.duration, SECONDS);
	assert.equal(submitted, `Submitted: \`${taskId}\``);
	assert.deepEqual(more, []);
	const [, name, link] = ready.match(/^Ready: \[(.+)\]\((http[^)]+)\)/);
	assert.match(name, /^A video on demand .*\.mp4$/);
	// As somebody opens it who never signed in: without cookies.
	const file = await fetch(link);
	assert.equal(file.headers.get('content-type'), 'video/mp4');
	assert.deepEqual(Buffer.from(await file.arrayBuffer()), rendered('portrait', SECONDS));
});

test('agent-tools.json makes a video and says so, word by word', async () => {
	const prompt = planCalls([video('A boat', { title: 'Boat' })], [status('told:task_id')]);
	const chunks = await examples.chat('agent-tools.json', prompt);
	const { taskId, body } = submitOf('A boat');
	assert.equal(body.duration, SECONDS);
	const told = toldBy(service).flatMap((said) => JSON.parse(said));
	assert.deepEqual(
		told.map((answer) => [answer.task_id, answer.status]),
		[
			[taskId, 'SUCCESS'],
			[taskId, 'SUCCESS'],
		],
	);
	assert.match(told[0].message, /\[Boat\.mp4\]\(http/);
	assert.match(wordsOf(chunks), /The sandbox answers instead of a real model/);
	const said = chunks.filter(({ type }) => type === 'item');
	const [first, ...later] = said.filter(({ metadata }) => metadata.nodeName !== 'AI Agent');
	assert.equal(said[0], first);
	assert.equal(first.content, `Submitted: \`${taskId}\`\n\n`);
	// The agent reports the result.
	for (const { content } of later) assert.match(content, /^Rendering: /);
	assert.equal(chunks.at(-1).type, 'end');
});

test('agent-tools.json follows its video in later messages, and pays for what is ordered again', async () => {
	const say = await examples.openChat('agent-tools.json');
	const told = () => toldBy(service).map((said) => JSON.parse(said)[0]);
	await say(KITE);
	const { taskId } = submitOf(KITE);
	// The model knows the task from its memory alone.
	await say('Is it ready?');
	assert.equal(told().at(-1).task_id, taskId);
	const kites = () => service.submissions().filter(({ body }) => body.prompt === KITE).length;
	assert.equal(kites(), 1);
	// The next message of a chat is another execution, and the same order another video.
	await say(KITE);
	assert.equal(kites(), 2);
});

test('no more was paid for than the videos that were wanted', () => {
	const prompts = service.submissions().map(({ body }) => body.prompt);
	assert.deepEqual(prompts.sort(), [...SHOTS, ...CHANGED, TOLD, 'A boat', KITE, KITE].sort());
});
