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
import { planned, rendering } from './support/workflows.mjs';

// The examples as people import them: n8n takes all of them, and four are executed. The demo runs two
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
