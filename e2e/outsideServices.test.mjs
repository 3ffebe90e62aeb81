import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import fastify from 'fastify';
import { itemsOf } from '../sandbox/n8n/api.mjs';
import { changeNodes, fillIn, openExamples, rendered, toFields } from './support/examples.mjs';
import { startStorage } from './support/storage.mjs';
import { startTelegram } from './support/telegram.mjs';
import { planned, rendering, until } from './support/workflows.mjs';

// The examples that end outside of n8n, side by side. Telegram, a shop and a storage are stand-ins. In
// the place of a node for Google's services, which have one address alone, stands one that evaluates
// the same expressions. The first look finds some renders half done, so that their executions sleep.

const { PICTURE } = createRequire(import.meta.url)('../sandbox/service/media');

const HALF_DONE = { renderMs: 0, poll: [rendering(50)] };
/** It tells what a video by Seedance costs. */
const GATEWAY = {
	profile: 'gateway',
	models: { video: ['veo-3.1-fast-generate-001', 'doubao-seedance-1-5-pro-251215'] },
};
const refused = { outcome: 'FAILURE', failReason: 'Too <dark> & small' };

const NIGHT = planned('Night', { ...refused, renderMs: 0 });
const CLICKED = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };

/** What the storage refuses. */
const UNSTORED = 'Boots';
/** What the text model writes for the pipeline: one more than is wanted, and three that fail. */
const IDEAS = {
	videos: [
		{ title: UNSTORED, prompt: 'Rubber boots' },
		{ title: 'Puddle', prompt: planned('A puddle', HALF_DONE) },
		{ title: 'Refused', prompt: planned('Lightning', refused) },
		{ title: 'Lost', prompt: planned('Fog', { content: [{ always: 'gone410' }] }) },
		{ title: 'Too Many', prompt: 'A third one' },
	],
};
const SPREADSHEET = 'a-spreadsheet';
const written = (prompt) => planned('An idea', { says: prompt });
const CLIPS = ['A lake', planned('A dark lake', refused), 'A hill'];
const ROWS = [
	...CLIPS.map((prompt, i) => ({ row_number: i + 2, title: `Clip ${i}`, idea: written(prompt) })),
	{ row_number: 5, title: 'Blank', idea: '' },
	{ row_number: 6, title: 'Last', idea: written('A cloud') },
	{ row_number: 7, title: 'Too many', idea: written('A sixth one') },
];
const WAVE = planned('Wave', HALF_DONE);
const LONG_REASON = `${refused.failReason} ${'again '.repeat(1_000)}`;
const REFUSED_PHOTO = planned('Turn', { ...refused, failReason: LONG_REASON });
/** It cannot be checked at first, and is larger than what Telegram takes. */
const LARGE = planned('Grow', { poll: Array(4).fill('unauthorized'), sizeBytes: 60_000_000 });
/** One product has no title, and one no picture. */
const FEED = ['Coat', '', 'Bag', UNSTORED, 'A Fifth'].map((title, i) => [
	...[title, title === 'Bag' ? '' : `https://example.com/${i}.png`],
]);
const STYLES = ['In the rain ', planned('In the dark', refused), 'On a table'];
const adOf = (n, style) => ({
	prompt: `An ad for this product: ${FEED[n - 1][0]}. ${STYLES[style - 1]}. The product keeps its shape, its colors and its label.`,
	label: `${n}.${style} ${FEED[n - 1][0]}: ${STYLES[style - 1]}`,
});
const PICKED = [adOf(1, 2), adOf(1, 1), adOf(4, 3)];
const FORM_PROMPTS = ['A kite', planned('A dark kite', refused)];
/** What comes back from the service that puts a voice on a film. */
const SPOKEN = Buffer.from('a film with a voice');
const VOICE_KEY = { name: 'Authorization', value: 'Key abc' };
const LOGIN = { user: 'colleague', password: 'form-password' };

let examples;
let service;
let storage;
let telegram;
let shop;
let shopUrl;
const merged = [];
const running = {};

const evaluates =
	(fieldsOf) =>
	({ parameters, ...node }) => ({
		...node,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: toFields(fieldsOf(parameters)),
	});
const mail = evaluates(({ sendTo, subject, message }) => ({ sendTo, subject, message }));

const SHEET = {
	'Rows to Do': ({ parameters, ...node }) => ({
		...node,
		parameters: { ...parameters, documentId: { ...parameters.documentId, value: SPREADSHEET } },
	}),
	'n8n-nodes-base.googleSheets': evaluates(({ documentId, columns }) => ({
		document: documentId.value,
		...columns.value,
	})),
	'Upload to Drive': evaluates(() => ({ webViewLink: '=drive/{{ $binary.data.fileName }}' })),
};

/** The stand-in has no model of speech; it speaks when a plan says so. */
const speaks = ({ parameters, ...node }) => ({
	...node,
	parameters: {
		...parameters,
		model: 'gemini-2.5-flash',
		prompt: planned('Rain', { audio: true }),
	},
});

/** Telegram asks in the way that Gmail does. */
const asksInTelegram = ({ parameters: { sendTo, subject, message, ...parameters }, ...node }) => ({
	...node,
	type: 'n8n-nodes-base.telegram',
	typeVersion: 1.2,
	parameters: { ...parameters, chatId: '8', message: `${subject}. ${message.slice(1)}` },
});

/** A stranger, two people with photos and one without; resolves once their films are there. */
async function writeToBot() {
	const restrict = ({ parameters, ...node }) => ({
		...node,
		parameters: { ...parameters, additionalFields: { chatIds: '7' } },
	});
	const name = 'photo-in-telegram-to-film.json';
	const { id } = await examples.publish(name, changeNodes({ 'When a Photo Arrives': restrict }));
	const photo = [{ file_id: 'small' }, { file_id: 'large' }];
	await telegram.send({ chat: { id: 9 }, photo, caption: 'A stranger' });
	await telegram.send({ chat: { id: 7 }, photo, caption: WAVE });
	await telegram.send({ chat: { id: 7 }, photo, caption: REFUSED_PHOTO });
	await telegram.send({ chat: { id: 7 }, photo, caption: LARGE });
	await telegram.send({ chat: { id: 7 }, text: '/start' });
	const over = ({ status }) => ['success', 'error'].includes(status);
	const areOver = async () => (await examples.studio.callers(id)).filter(over).length === 4;
	await until(areOver, 'four executions');
}

before(async () => {
	storage = await startStorage(UNSTORED);
	telegram = await startTelegram(PICTURE);
	shop = fastify({ forceCloseConnections: true });
	const feed = `\ufeff${[['title', 'image_link'], ...FEED].join('\n')}`;
	shop.get('/products.csv', async (_request, reply) => await reply.type('text/csv').send(feed));
	shop.post('/merge', { bodyLimit: 50_000_000 }, async ({ headers, body }) => {
		merged.push({ key: headers.authorization, ...body });
		return { video: { url: `${shopUrl}/merged.mp4` } };
	});
	shop.get('/merged.mp4', async (_request, reply) => await reply.type('video/mp4').send(SPOKEN));
	shopUrl = await shop.listen({ host: '127.0.0.1', port: 0 });
	const feedUrl = `${shopUrl}/products.csv`;
	const login = { name: 'Form', type: 'httpBasicAuth', data: LOGIN };
	const voice = { name: 'Voice', type: 'httpHeaderAuth', data: VOICE_KEY };
	const more = [storage.credential, telegram.credential, login, voice];
	examples = await openExamples({ service: GATEWAY, more });
	service = examples.sandbox.service;
	const start = (name, execution) => {
		execution.catch(() => undefined);
		running[name] = execution;
	};
	const pipeline = (settings) =>
		examples.runBySchedule('content-pipeline.json', (example) =>
			changeNodes({ 'n8n-nodes-base.gmail': mail })(fillIn('Settings', settings)(example)),
		);
	start('pipeline', pipeline({ bucket: 'good-days' }));
	const topic = planned('Rain', { says: JSON.stringify(IDEAS) });
	start('pipeline with a failure', pipeline({ topic, bucket: 'bad-days', videosPerRun: 4 }));
	start('telegram', writeToBot());
	const pinData = { 'Rows to Do': ROWS.map((json) => ({ json })) };
	start(
		'rows',
		examples.byHand('rows-to-vertical-clips.json', (example) =>
			changeNodes(SHEET)({ ...example, pinData }),
		),
	);
	const filled = fillIn('Settings', { feedUrl, styles: STYLES, bucket: 'ads' });
	const asked = { 'Ask Which to Render': asksInTelegram, 'Mail What Failed': mail };
	start(
		'feed',
		examples.run('product-feed-to-ads.json', (example) => changeNodes(asked)(filled(example))),
	);
});
after(async () => {
	await examples?.close();
	for (const one of [storage, telegram, shop]) await one?.close();
});

const submitOf = (prompt) => service.submissions().find(({ body }) => body.prompt === prompt);
/** All that a node put out at its first output, of all its runs. */
const allOf = (execution, name) =>
	(execution.data.resultData.runData[name] ?? []).flatMap(({ data }) =>
		(data.main[0] ?? []).map(({ json }) => json),
	);
const uploaded = (bucket) =>
	[...storage.files]
		.map(([name, bytes]) => [name.split('/'), bytes])
		.filter(([[first]]) => first === bucket)
		.map(([[, day, name], bytes]) => ({ day, name: name.replace(/^\d+ /, ''), bytes }));
const DAY = /^\d{4}-\d\d-\d\d$/;

test('content-pipeline.json starts by itself and puts the whole videos into the storage', async () => {
	const execution = await running['pipeline'];
	assert.equal(execution.mode, 'trigger');
	assert.equal(execution.status, 'success');
	const files = uploaded('good-days');
	assert.deepEqual(files.map(({ name }) => name.split(' ')[0]).sort(), ['1', '2']);
	for (const { day, name, bytes } of files) {
		assert.match(day, DAY);
		assert.match(name, /\.mp4$/);
		assert.deepEqual(bytes, rendered('portrait', 4));
	}
	const rows = allOf(execution, 'Write the Rows');
	assert.deepEqual(
		rows.map(({ run, status, cost }) => [run, status, cost]),
		rows.map(() => [execution.id, 'done', '0.4 USD']),
	);
	assert.equal(new Set(rows.map(({ title, task_id }) => title && task_id)).size, 2);
});

test('content-pipeline.json uploads what is ready, then ends with the reasons and IDs', async () => {
	const execution = await running['pipeline with a failure'];
	assert.equal(execution.status, 'error');
	assert.deepEqual(
		uploaded('bad-days').map(({ name }) => name),
		['2 Puddle.mp4'],
	);
	const reasons = execution.data.resultData.error.message.split('\n');
	const taskOf = (n) => `\\(task ${submitOf(IDEAS.videos[n].prompt).taskId}\\)`;
	assert.equal(reasons.length, 3);
	assert.match(reasons[0], new RegExp(`not be rendered: ${refused.failReason} ${taskOf(2)}`));
	assert.match(reasons[1], new RegExp(`not be downloaded.*${taskOf(3)}`));
	assert.match(reasons[2], new RegExp(taskOf(0)));
	assert.deepEqual(
		allOf(execution, 'Write the Rows').map(({ title, status }) => [title, status]),
		[['Puddle', 'done']],
	);
	const failed = allOf(execution, 'Write the Reasons');
	assert.deepEqual(
		failed.map(({ title, task_id, cost }) => [title, task_id, cost]),
		[
			[2, 'billed: unknown'],
			[3, 'billed: yes'],
			[0, 'billed: yes'],
		].map(([n, cost]) => [IDEAS.videos[n].title, submitOf(IDEAS.videos[n].prompt).taskId, cost]),
	);
	const [{ sendTo, message }, ...more] = allOf(execution, 'Mail What Failed');
	assert.deepEqual([sendTo, more], ['somebody@example.com', []]);
	for (const reason of reasons) assert.ok(message.includes(reason));
});

test('content-pipeline.json orders nothing after two runs without a video, and says so', async () => {
	const says = JSON.stringify({ videos: [{ title: 'Dark', prompt: NIGHT }] });
	const settings = { topic: planned('Night', { says }), bucket: 'no-days' };
	const run = () =>
		examples.run('content-pipeline.json', (example) =>
			changeNodes({
				'n8n-nodes-base.gmail': mail,
				'Every Morning': (node) => ({ ...node, ...CLICKED }),
				'Table of Videos': ({ parameters, ...node }) => ({
					...node,
					parameters: { ...parameters, tableName: 'Nights' },
				}),
			})(fillIn('Settings', settings)(example)),
		);
	const orders = () => service.submissions().filter(({ body }) => body.prompt === NIGHT).length;
	await assert.rejects(run, /Stop With the Reasons/);
	await assert.rejects(run, /Stop With the Reasons/);
	const execution = await run();
	assert.equal(orders(), 2);
	const [{ message }] = allOf(execution, 'Mail That It Stopped');
	assert.match(message, /this one ordered none\.\n\n.*Too <dark> & small/);
});

test('rows-to-vertical-clips.json: each row gets its link and cost, or its reason', async () => {
	const execution = await running['rows'];
	const rows = (name) =>
		allOf(execution, name).map(({ document, ...row }) => {
			assert.equal(document, SPREADSHEET);
			return row;
		});
	assert.deepEqual(
		rows('Mark as Rendering'),
		[2, 3, 4, 5, 6].map((n) => ({ row_number: `${n}`, status: 'rendering' })),
	);
	const done = (row_number, title) => ({
		row_number,
		status: 'done',
		link: `drive/${title}.mp4`,
		cost: '0.625 USD',
		reason: '',
	});
	assert.deepEqual(rows('Write Link and Cost'), [
		done('2', 'Clip 0'),
		done('4', 'Clip 2'),
		done('6', 'Last'),
	]);
	const reasons = rows('Write Reason').sort((a, b) => a.row_number - b.row_number);
	const { taskId } = submitOf(CLIPS[1]);
	assert.deepEqual(
		reasons.map(({ row_number, status }) => [row_number, status]),
		[
			['3', 'failed'],
			['5', 'failed'],
		],
	);
	assert.match(reasons[0].reason, new RegExp(`${refused.failReason}.*${taskId}`));
	assert.match(reasons[1].reason, /^Prompt is empty(?!.*undefined)/);
	const { duration, metadata } = submitOf('A lake').body;
	assert.deepEqual([duration, metadata.ratio], [8, '9:16']);
	const [clip] = itemsOf(execution, 'Render Clips');
	assert.deepEqual(await examples.bytesOf(clip.binary.data), rendered('portrait', 8));
});

test('photo-in-telegram-to-film.json: a photo comes back as a film, or with the reason', async () => {
	await running['telegram'];
	const said = telegram.said.filter(({ body, bytes }) => bytes || `${body.chat_id}` === '7');
	const saying = (words) => said.filter(({ body }) => words.test(body.text));
	const renders = /^Your film is being rendered\. /;
	const howFar = /^Your film is being rendered\. After 1 min: 50 %$/;
	const noNews = /^Your film is being rendered\. After 1 min: The task could not be checked: /;
	const why = /^I cannot send you a film\. .*Too &#60;dark&#62; &#38; small.*\. Billed: /;
	const { taskId } = submitOf(LARGE);
	const large = new RegExp(`^I cannot send .*Too.large.*\\. Task ${taskId}\\. Billed: yes$`, 'i');
	const kinds = [/a few minutes\.$/, howFar, noNews, why, large, /^Send me a photo/];
	assert.deepEqual(
		kinds.map((words) => saying(words).length),
		[3, 1, 1, 1, 1, 1],
	);
	const [{ body: edit }] = saying(howFar);
	assert.match(telegram.said[edit.message_id - 1].body.text, renders);
	const films = said.filter(({ method }) => method === 'sendVideo');
	assert.equal(films.length, 1);
	assert.ok(films[0].bytes.includes(rendered('landscape', 5)));
	const sent = `data:image/png;base64,${PICTURE.toString('base64')}`;
	const sha256 = createHash('sha256').update(sent).digest('hex');
	const { body } = submitOf(WAVE);
	assert.deepEqual([body.duration, body.images[0].sha256], [5, sha256]);
});

test('product-feed-to-ads.json renders what somebody has picked, and only after that', async () => {
	const question = await until(
		() => telegram.said.find(({ body }) => body.chat_id === '8'),
		'the question',
	);
	assert.match(question.body.text, /^6 ads to choose from\. 6 ads of 5 seconds by .*seedance/);
	const isAd = ({ body }) => body.prompt.startsWith('An ad');
	assert.equal(service.submissions().filter(isAd).length, 0);
	const { url } = question.body.reply_markup.inline_keyboard[0][0];
	await until(async () => (await (await fetch(url)).text()).includes('Render Them'), 'the form');
	const form = new FormData();
	form.set('field-0', JSON.stringify(PICKED.map(({ label }) => label.trim())));
	assert.equal((await fetch(url, { method: 'POST', body: form })).status, 200);
	const execution = await running['feed'];
	const ads = service
		.submissions()
		.filter(isAd)
		.map(({ body }) => body);
	assert.deepEqual(
		ads.map(({ prompt }) => prompt).sort(),
		PICKED.map(({ prompt }) => prompt).sort(),
	);
	for (const { duration, metadata, images, prompt } of ads) {
		const [, link] = FEED.find(([title]) => prompt.includes(`: ${title}.`));
		assert.deepEqual([duration, metadata.ratio, images], [5, '9:16', [link]]);
	}
	const files = uploaded('ads');
	assert.deepEqual(
		files.map(({ name }) => name),
		['1.1 Coat.mp4'],
	);
	for (const { bytes } of files) assert.deepEqual(bytes, rendered('portrait', 5));
	const mails = allOf(execution, 'Mail What Failed');
	assert.deepEqual(mails.map(({ subject }) => Number.parseInt(subject)).sort(), [1, 1, 6]);
	const { taskId } = submitOf(PICKED[2].prompt);
	for (const failed of [
		/^1\.2 Coat\. .*Too <dark> & small .*\. Billed: /m,
		/^2\.1 .*Prompt is empty.*\. Billed: no$/m,
		/^3\.3 Bag\. Image URL is empty.*\. Billed: no$/m,
		new RegExp(`^4\\.3 Boots\\. .*\\(task ${taskId}\\)\\. Billed: yes$`, 'm'),
	]) {
		assert.match(mails.map(({ message }) => message).join('\n'), failed);
	}
});

test('film-with-a-voice.json hands the film and its speech to another service', async () => {
	const texts = { prompt: 'A spoken film', serviceUrl: `${shopUrl}/merge` };
	const execution = await examples.run('film-with-a-voice.json', (example) =>
		changeNodes({ Speak: speaks })(fillIn('Set Text', texts)(example)),
	);
	const [{ key, video_url, audio_url }, ...more] = merged;
	assert.deepEqual([key, more], [VOICE_KEY.value, []]);
	const bytesOf = (uri, type) => {
		assert.ok(uri.startsWith(`data:${type};base64,`));
		return Buffer.from(uri.split(',')[1], 'base64');
	};
	assert.deepEqual(bytesOf(video_url, 'video/mp4'), rendered('landscape', 8));
	assert.equal(bytesOf(audio_url, 'audio/wav').toString('latin1', 0, 4), 'RIFF');
	const [film] = itemsOf(execution, 'Get the Film');
	assert.deepEqual(await examples.bytesOf(film.binary.data), SPOKEN);
});

test('form-mails-a-link.json mails a link that opens without signing in, or the reason', async () => {
	const { id, nodes } = await examples.publish(
		'form-mails-a-link.json',
		changeNodes({ 'n8n-nodes-base.gmail': mail }),
	);
	const { webhookId } = nodes.find(({ type }) => type.endsWith('.formTrigger'));
	const { api, url } = examples.sandbox;
	const address = `${url}/form/${webhookId}`;
	// The form sends programs away.
	const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0' };
	assert.equal((await fetch(address, { headers: browser })).status, 401);
	const authorization = `Basic ${btoa(`${LOGIN.user}:${LOGIN.password}`)}`;
	const page = await fetch(address, { headers: { ...browser, authorization } });
	const [token] = /[0-9a-f]{64}/.exec(await page.text());
	const headers = { ...browser, 'x-auth-token': token };
	const mails = [];
	for (const [i, prompt] of FORM_PROMPTS.entries()) {
		const form = new FormData();
		['a@example.com', 'A / Kite', prompt, '9:16'].forEach((value, n) =>
			form.set(`field-${n}`, value),
		);
		assert.equal((await fetch(address, { method: 'POST', headers, body: form })).status, 200);
		await until(async () => (await api.callersOf(id)).length === i + 1, 'a start');
		const execution = await api.lastExecution(id);
		mails.push(...allOf(execution, ['Mail the Link', 'Mail the Reason'][i]));
	}
	assert.deepEqual(
		mails.map(({ sendTo, subject }) => [sendTo, subject]),
		['Your film is ready', 'Your film could not be made'].map((subject) => [
			'a@example.com',
			subject,
		]),
	);
	const film = await fetch(/http\S+/.exec(mails[0].message)[0]);
	assert.match(film.headers.get('content-disposition'), /A%20_%20Kite\.mp4/);
	assert.deepEqual(Buffer.from(await film.arrayBuffer()), rendered('portrait', 8));
	assert.match(mails[1].message, /Too <dark> & small .*\. Billed: /);
});

test('no more was paid for than the videos that were wanted', async () => {
	await Promise.allSettled(Object.values(running));
	const prompts = service.submissions().map(({ body }) => body.prompt);
	const known = [
		...IDEAS.videos.slice(0, 4).map(({ prompt }) => prompt),
		...[...CLIPS, 'A cloud', WAVE, REFUSED_PHOTO, LARGE, ...FORM_PROMPTS, NIGHT, NIGHT],
		...[...PICKED.map(({ prompt }) => prompt), 'A spoken film'],
	];
	// The stand-in writes the two ideas of the other pipeline by itself.
	const others = prompts.filter((prompt) => !known.includes(prompt));
	assert.equal(others.length, 2);
	assert.deepEqual(prompts.filter((prompt) => known.includes(prompt)).sort(), known.sort());
});
