import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { generateContent, inARow, TEXT_MODEL, webhook } from '../../e2e/support/textWorkflows.mjs';
import { node } from '../../e2e/support/workflows.mjs';
import { KEY, openPlace, planned } from '../support/place.mjs';

export const about = 'the first word of an answer of 200 pieces, at once and after 500 ms';
export const options = {};
export const rounds = 11;

const CHUNKS = 200;
const CHUNK_DELAY_MS = 10;
const SAYS = 'Sunlight is made of all colours. '.repeat(100).slice(0, CHUNKS * 10);
/** How long the service takes to its first word: none, and as a model that thinks about it. */
const WAITS_MS = [0, 500];
const WARM_UPS = 2;
/** n8n writes the run before to its database. */
const SETTLE_MS = 300;
const PROMPT = '={{ $json.body.prompt }}';
const NAMES = {
	direct: 'The service, read directly',
	ours: 'Generate Content',
	bare: "Generate Content, without n8n's start",
	theirs: 'Google Gemini',
};

const wordsIn = ({ content }) => content.parts.map(({ text }) => text).join('');

// The words of one line of a stream; `''` for a line that has none.
const ofEvent = (line) =>
	line.startsWith('data: ') ? wordsIn(JSON.parse(line.slice('data: '.length)).candidates[0]) : '';
function ofChunk(line) {
	if (line === '') return '';
	const { type, content } = JSON.parse(line);
	assert.notEqual(type, 'error', line);
	return type === 'item' ? content : '';
}
/** Of an answer that comes whole: its first word is its end. */
const ofWhole = (line) => (line === '' ? '' : wordsIn(JSON.parse(line)));

/** `{ firstMs, totalMs, pieces, words }`, from the call on. */
async function hear(ask, wordsOf) {
	const from = performance.now();
	const since = () => performance.now() - from;
	const response = await ask();
	const decoder = new TextDecoder();
	let [firstMs, pieces, words, unread] = [undefined, 0, '', ''];
	const take = (lines) => {
		for (const said of lines.map(wordsOf).filter(Boolean)) {
			firstMs ??= since();
			pieces++;
			words += said;
		}
	};
	for await (const bytes of response.body) {
		const lines = (unread + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
		unread = lines.pop();
		take(lines);
	}
	assert.ok(response.ok, `The answer is ${response.status}: ${unread}`);
	take([unread]);
	return { firstMs, totalMs: since(), pieces, words };
}

/** The ways to one answer, each a function of the prompt; `oneWord` says one and asks nobody. */
async function openWays({ api, service, createCredential }) {
	const publish = async (responseMode, one) => {
		const path = randomUUID();
		const { id } = await api.createWorkflow(inARow(one.name, webhook(path, responseMode), one));
		await api.activate(id);
		return async (prompt) => await api.callWebhook(path, { prompt });
	};
	const text = await createCredential('geminiCompatibleApi', {
		...{ baseUrl: service.url, apiKey: KEY },
		...{ keyLocation: 'header', headerName: 'x-goog-api-key' },
	});
	const gemini = await createCredential('googlePalmApi', { host: service.url, apiKey: KEY });
	const ours = await publish('streaming', generateContent({ prompt: PROMPT }, text));
	const geminiMessage = {
		...{ resource: 'text', operation: 'message', options: {} },
		modelId: { __rl: true, mode: 'id', value: `models/${TEXT_MODEL}` },
		messages: { values: [{ content: PROMPT, role: 'user' }] },
	};
	const type = '@n8n/n8n-nodes-langchain.googleGemini';
	const credentials = { credentials: gemini };
	const theirs = await publish('lastNode', node('Gemini', type, 1.2, geminiMessage, credentials));
	const word = { respondWith: 'text', responseBody: 'Hello', options: { enableStreaming: true } };
	const respond = node('Respond', 'n8n-nodes-base.respondToWebhook', 1.5, word);
	const oneWord = await publish('streaming', respond);
	const url = `${service.url}/v1beta/models/${TEXT_MODEL}:streamGenerateContent?alt=sse`;
	const direct = async (prompt) =>
		await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-goog-api-key': KEY },
			body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: prompt }] }] }),
		});
	return {
		direct: async (prompt) => await hear(() => direct(prompt), ofEvent),
		ours: async (prompt) => await hear(() => ours(prompt), ofChunk),
		theirs: async (prompt) => await hear(() => theirs(prompt), ofWhole),
		oneWord: async (prompt) => await hear(() => oneWord(prompt), ofChunk),
	};
}

async function measureWays(ways, waitMs) {
	const ask = async (way, delayMs) => {
		await pause(SETTLE_MS);
		const text = [{ delayMs }];
		const plan = { says: SAYS, chunks: CHUNKS, chunkDelayMs: CHUNK_DELAY_MS, text };
		return await ways[way](planned(plan, `Sky ${randomUUID()}`));
	};
	const heard = { direct: await ask('direct', waitMs) };
	for (const way of ['oneWord', 'ours']) heard[way] = await ask(way, waitMs);
	// A whole answer is there once the model has written it all: when its stream would have ended.
	heard.theirs = await ask('theirs', Math.round(heard.direct.totalMs));
	for (const way of ['direct', 'ours', 'theirs']) assert.equal(heard[way].words, SAYS);
	assert.equal(heard.direct.pieces, CHUNKS);
	// Words are told once they are whole, so the last one can be a piece of its own.
	assert.ok(Math.abs(heard.ours.pieces - CHUNKS) <= 1, `${heard.ours.pieces} pieces`);
	const { firstMs } = heard.oneWord;
	heard.bare = {
		firstMs: heard.ours.firstMs - firstMs,
		totalMs: heard.ours.totalMs - firstMs,
	};
	const nameOf = (way) => `${NAMES[way]}, ${waitMs} ms`;
	return Object.keys(NAMES).map((way) => ({
		name: nameOf(way),
		beside: way === 'direct' ? undefined : nameOf('direct'),
		figures: { 'First word (ms)': heard[way].firstMs, 'Total (ms)': heard[way].totalMs },
	}));
}

export async function open({ source }) {
	const place = await openPlace({ source });
	const ways = await openWays(place);
	const measure = async () => {
		const rows = [];
		for (const waitMs of WAITS_MS) rows.push(...(await measureWays(ways, waitMs)));
		return rows;
	};
	for (let n = 0; n < WARM_UPS; n++) await measure();
	return { measure, close: place.close };
}
