import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { chain, items, node, videoGenerate, webhook } from '../../e2e/support/workflows.mjs';
import { itemsOf } from '../n8n/api.mjs';

const require = createRequire(import.meta.url);
const { shapeOf, toParameters, toTextParameters } = require('./textCases.js');
const { PNG, toWords } = require('./cases.js');
const { groupBy } = require('./table.js');

/** Gives each item the picture as a file. */
const addPicture = () =>
	node('Picture', 'n8n-nodes-base.code', 2, {
		jsCode: `return $input.all().map(({ json }) => ({ json, binary: { data: {
	data: '${PNG}', mimeType: 'image/png', fileName: 'picture.png' } } }));`,
	});

function toWorkflow(name, cases, credentials) {
	const nodes = [
		webhook(),
		items(cases),
		addPicture(),
		videoGenerate(credentials, toParameters(cases[0]), { onError: 'continueRegularOutput' }),
	];
	const connections = chain('Webhook', 'Prompts', 'Picture', 'Video Generate');
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}

/**
 * Stands between the nodes and a gateway, and keeps every paid request as it was sent, with the
 * answer: `{ url, sent, close() }`. It also serves the picture that cases name by address.
 */
export async function startRecorder(gatewayUrl) {
	const sent = [];
	const gateway = new URL(gatewayUrl);
	const server = createServer(async (asked, reply) => {
		if (asked.url === '/picture.png') {
			return reply.setHeader('content-type', 'image/png').end(Buffer.from(PNG, 'base64'));
		}
		if (asked.url === '/page.html') {
			return reply.setHeader('content-type', 'text/html').end('<p>No picture here.</p>');
		}
		const body = await buffer(asked);
		const { method, url: path, headers } = asked;
		const onward = { ...headers, host: gateway.host };
		const { hostname, port } = gateway;
		const passed = request({ hostname, port, method, path, headers: onward }, async (answer) => {
			const bytes = await buffer(answer);
			const { statusCode: status, headers: answerHeaders } = answer;
			if (method === 'POST') {
				const answered = { status, headers: answerHeaders, text: bytes.toString() };
				sent.push({ path, body: JSON.parse(body.toString()), ...answered });
			}
			reply.writeHead(status, answerHeaders).end(bytes);
		});
		passed.on('error', () => reply.destroy());
		passed.end(body);
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { url: `http://127.0.0.1:${server.address().port}`, sent, close };
}

const ASK_EVERY_MS = 3000;
const SETTLED_WITHIN_MS = 240_000;
const ENDED = /^(SUCCESS|FAILURE)$/;
const CONSUMED = 2;
const REFUNDED = 6;

const ask = async (baseUrl, key, path) =>
	await (await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } })).json();

/** Waits until models that are billed by tokens are settled, which is when a render has ended. */
async function waitForSettlement({ baseUrl, key }, taskIds) {
	const open = new Set(taskIds);
	const deadline = Date.now() + SETTLED_WITHIN_MS;
	while (open.size > 0 && Date.now() < deadline) {
		for (const id of open) {
			const { data } = await ask(baseUrl, key, `/v1/video/generations/${id}`);
			if (ENDED.test(data?.status)) open.delete(id);
		}
		await pause(ASK_EVERY_MS);
	}
	return open.size === 0;
}

/** What the key was charged, in the gateway's units, by the request id of the submit and by task. */
async function readCharges({ baseUrl, key }) {
	const { data: rows = [] } = await ask(baseUrl, key, '/api/log/token');
	const { data: status } = await ask(baseUrl, key, '/api/status');
	const charges = new Map();
	const add = (name, units) => charges.set(name, (charges.get(name) ?? 0) + units);
	for (const { type, quota, request_id: requestId, other } of rows) {
		const units = type === CONSUMED ? quota : type === REFUNDED ? -quota : 0;
		const { task_id: taskId } = JSON.parse(other || '{}');
		add(taskId ?? requestId, units);
	}
	return { charges, perDollar: status.quota_per_unit };
}

const WITHIN_MS = 300_000;
// Of this run: gateways and vendors may have met others before.
const RUN = Date.now().toString(36);
const PROMPT = new RegExp(`arrival ${RUN} (\\d+)\\b`);
// The log of a key holds its newest 1000 rows.
const PER_RUN = 150;

const numberIn = (body) => Number(PROMPT.exec(JSON.stringify(body))?.[1] ?? NaN);

/** Runs the cases in n8n; the items that came of them, in the order of the cases. */
async function runCases(api, credentials, cases) {
	const shapes = groupBy(cases, shapeOf);
	const results = new Map();
	for (const [shape, all] of shapes) {
		for (let first = 0; first < all.length; first += PER_RUN) {
			const rows = all.slice(first, first + PER_RUN);
			const workflow = toWorkflow(`Arrivals ${shape} ${first}`, rows, credentials);
			const { id } = await api.createWorkflow(workflow);
			await api.activate(id);
			await api.callWebhook(workflow.nodes[0].parameters.path);
			const execution = await api.lastExecution(id, WITHIN_MS);
			const items = itemsOf(execution, 'Video Generate');
			if (items.length !== rows.length)
				throw new Error(JSON.stringify(execution.data.resultData.error ?? execution.status));
			items.forEach(({ json }, at) => results.set(rows[at].n, json));
		}
	}
	return results;
}

/** The body without what differs between runs: the prompt that numbers the case. */
function withoutNumber(body, picturesUrl) {
	const text = JSON.stringify(toWords(body, picturesUrl)).replace(/arrival \w+ \d+/g, 'arrival');
	return JSON.parse(text);
}

/** Renders end with the first poll, so that what is settled at their end is settled soon. */
async function endAtOnce(vendorsUrl) {
	const body = JSON.stringify({ queuedPolls: 0, runningPolls: 0 });
	await fetch(`${vendorsUrl}/_sandbox/deployment`, { method: 'POST', body });
}

/**
 * A record per case: what was set, what the node sent, what the gateway answered, what the vendor
 * received, what was billed; or the sentence of the refusal.
 */
export async function runArrivals({ api, credentials, recorder, gateway, vendorsUrl, cases }) {
	const numbered = cases.map((one, n) => ({ ...one, n, prompt: `arrival ${RUN} ${n}` }));
	const withUrl = JSON.parse(JSON.stringify(numbered).replaceAll('{pictures}', recorder.url));
	await endAtOnce(vendorsUrl);
	const results = await runCases(api, credentials, withUrl);
	const requests = await (await fetch(`${vendorsUrl}/_sandbox/requests?method=POST`)).json();
	const vendorsOf = groupBy(requests, ({ body }) => numberIn(body));
	const sentOf = groupBy(recorder.sent, ({ body }) => numberIn(body));
	const tokens = numbered.filter(({ model }) => /seedance/.test(model));
	const taskOf = (n) => results.get(n).task_id;
	await waitForSettlement(gateway, tokens.map(({ n }) => taskOf(n)).filter(Boolean));
	const { charges, perDollar } = await readCharges(gateway);
	return numbered.map(({ n, column, about, set }) => {
		const one = { column, about, set };
		const result = results.get(n);
		const [sent, ...more] = sentOf.get(n) ?? [];
		if (more.length > 0) throw new Error(`Case ${n} was submitted ${more.length + 1} times`);
		if (!sent) return { ...one, refused: pick(result.error) };
		const [received] = vendorsOf.get(n) ?? [];
		const units =
			(charges.get(sent.headers['x-oneapi-request-id']) ?? 0) + (charges.get(taskOf(n)) ?? 0);
		return {
			...one,
			sent: withoutNumber(sent.body, recorder.url),
			answered: sent.status,
			...(sent.status !== 200 && { says: sent.text.slice(0, 300) }),
			received: received && {
				path: received.path,
				body: withoutNumber(received.body, recorder.url),
			},
			factors: JSON.parse(sent.headers['x-new-api-other-ratios'] ?? '{}'),
			dollars: units / perDollar,
		};
	});
}

const pick = ({ message, description }) => ({
	message: message.replace(/ \[item \d+\]$/, ''),
	description,
});

const TEXT_WITHIN_MS = 60_000;
const TEXT_RUN = `text ${Date.now().toString(36)}`;

async function runTextCase(api, credential, { about, set }, prompt) {
	const nodes = [
		webhook(),
		items([{ prompt }]),
		addPicture(),
		node(
			'Generate Content',
			'n8n-nodes-video-generation.generateContent',
			1,
			toTextParameters(set),
			{ credentials: { nativeTextApi: credential }, onError: 'continueRegularOutput' },
		),
	];
	const connections = chain('Webhook', 'Prompts', 'Picture', 'Generate Content');
	const { id } = await api.createWorkflow({ name: about, nodes, connections, settings: {} });
	await api.activate(id);
	await api.callWebhook(nodes[0].parameters.path);
	const execution = await api.lastExecution(id, TEXT_WITHIN_MS);
	const [item] = itemsOf(execution, 'Generate Content');
	if (!item) throw new Error(`${about}: ${JSON.stringify(execution.data.resultData.error)}`);
	return item.json;
}

/** A record per case: what the node sent, and what of that the vendor received. */
export async function runTextArrivals({ api, recorder, key, vendorsUrl, cases }) {
	const data = { baseUrl: recorder.url, apiKey: key };
	const { id } = await api.createCredential({ name: 'Text', type: 'nativeTextApi', data });
	const results = [];
	for (const [n, one] of cases.entries()) {
		results.push(await runTextCase(api, { id, name: 'Text' }, one, `${TEXT_RUN} ${n}.`));
	}
	const vendors = await (await fetch(`${vendorsUrl}/_sandbox/requests?method=POST`)).json();
	const plain = (body) =>
		JSON.parse(JSON.stringify(toWords(body, recorder.url)).replace(/text \w+ \d+\./g, 'text'));
	const of = (list, n) =>
		list.find(({ body }) => JSON.stringify(body)?.includes(`${TEXT_RUN} ${n}.`));
	return cases.map(({ about }, n) => {
		const sent = of(recorder.sent, n);
		if (!sent) return { about, refused: results[n].error.message.replace(/ \[item \d+\]$/, '') };
		const received = of(vendors, n);
		const record = { about, sent: plain(sent.body), answered: sent.status };
		return { ...record, received: received && plain(received.body) };
	});
}
