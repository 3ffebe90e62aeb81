import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { chain, items, node, videoGenerate, webhook } from '../../e2e/support/workflows.mjs';
import { itemsOf } from '../n8n/api.mjs';

const require = createRequire(import.meta.url);
const { PNG, fromWords, shapeOf, toParameters, toTextParameters, toWords } = require('.');

/** Runs rows, each with a picture as a file, through a node; resolves to its items. */
async function runRows(api, name, rows, paid) {
	const jsCode = `return $input.all().map(({ json }) => ({ json, binary: { data: {
		data: '${PNG}', mimeType: 'image/png', fileName: 'picture.png' } } }));`;
	const picture = node('Picture', 'n8n-nodes-base.code', 2, { jsCode });
	const nodes = [webhook(), items(rows), picture, paid];
	const connections = chain('Webhook', 'Prompts', 'Picture', paid.name);
	const { id } = await api.createWorkflow({
		...{ name, nodes, connections },
		settings: { executionOrder: 'v1' },
	});
	await api.activate(id);
	await api.callWebhook(nodes[0].parameters.path);
	const execution = await api.lastExecution(id);
	const found = itemsOf(execution, paid.name);
	if (found.length !== rows.length)
		throw new Error(JSON.stringify(execution.data.resultData.error ?? execution.status));
	return found.map(({ json }) => json);
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

// Gateways and vendors may have met other runs before.
const RUN = Date.now().toString(36);
const PER_RUN = 75;

const promptOf = (kind, n) => `${kind} ${RUN} ${n}.`;

/** Returns the bodies by the number of the case in their prompt. */
const byCase = (requests, kind) =>
	groupBy(requests, ({ body }) =>
		Number(new RegExp(`${kind} ${RUN} (\\d+)\\.`).exec(JSON.stringify(body))?.[1]),
	);

/** Does what `Map.groupBy` of newer Node.js does. */
function groupBy(list, keyOf) {
	const groups = new Map();
	for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
	return groups;
}

/** Runs the cases in n8n, each also in Dry Run; resolves to the items that came of them, by case. */
async function runCases(api, credentials, cases) {
	const results = new Map();
	for (const [shape, all] of groupBy(cases, shapeOf)) {
		const onError = 'continueRegularOutput';
		const paid = videoGenerate(credentials, toParameters(all[0]), { onError });
		for (let first = 0; first < all.length; first += PER_RUN) {
			const rows = all.slice(first, first + PER_RUN);
			const twice = rows.flatMap((row) => [row, { ...row, dryRun: true }]);
			const found = await runRows(api, `Arrivals ${shape} ${first}`, twice, paid);
			rows.forEach(({ n }, at) => results.set(n, { ...found[2 * at], ...found[2 * at + 1] }));
		}
	}
	return results;
}

/** Returns a body without what differs between runs. */
function toRecord(body, { url }) {
	const text = JSON.stringify(toWords(body, url));
	return JSON.parse(text.replace(new RegExp(`(arrival|text) ${RUN} \\d+\\.`, 'g'), '$1'));
}

const requestsAt = async (vendorsUrl) =>
	await (await fetch(`${vendorsUrl}/_sandbox/requests?method=POST`)).json();

const withoutItem = (message) => message.replace(/ \[item \d+\]$/, '');

/**
 * Resolves to a record per case that was sent: what was set, what the node sent, what the gateway
 * answered, and what the vendor received; and to the cases that the node refused.
 */
export async function runArrivals({ api, credentials, recorder, vendorsUrl, cases }) {
	const numbered = cases.map((one, n) => ({ ...one, n, prompt: promptOf('arrival', n) }));
	const results = await runCases(api, credentials, fromWords(numbered, recorder.url));
	const vendorsOf = byCase(await requestsAt(vendorsUrl), 'arrival');
	const sentOf = byCase(recorder.sent, 'arrival');
	const refused = numbered.filter(({ n }) => !sentOf.has(n));
	const records = numbered
		.filter(({ n }) => sentOf.has(n))
		.map(({ n, column, about, set }) => {
			const [sent, ...more] = sentOf.get(n);
			if (more.length > 0) throw new Error(`Case ${n} was submitted ${more.length + 1} times`);
			const [received] = vendorsOf.get(n) ?? [];
			return {
				...{ column, about, set },
				...(sent.path !== '/v1/video/generations' && { path: sent.path }),
				sent: toRecord(sent.body, recorder),
				...(results.get(n).notes && { notes: results.get(n).notes }),
				answered: sent.status,
				...(sent.status !== 200 && { says: sent.text.slice(0, 300) }),
				received: received && { path: received.path, body: toRecord(received.body, recorder) },
				factors: JSON.parse(sent.headers['x-new-api-other-ratios'] ?? '{}'),
			};
		});
	const messageOf = ({ n }) => withoutItem(results.get(n).error.message);
	return { records, refused: refused.map((one) => ({ ...one, message: messageOf(one) })) };
}

/** A record per case: what was set, what the node sent, and what of that the vendor received. */
export async function runTextArrivals({ api, recorder, key, vendorsUrl, cases }) {
	const data = { baseUrl: recorder.url, apiKey: key };
	const { id } = await api.createCredential({ name: 'Text', type: 'geminiCompatibleApi', data });
	const credentials = { geminiCompatibleApi: { id, name: 'Text' } };
	const type = 'n8n-nodes-video-generation.generateContent';
	const results = [];
	for (const [n, { about, set }] of cases.entries()) {
		const more = { credentials, onError: 'continueRegularOutput' };
		const paid = node('Generate Content', type, 1, toTextParameters(set), more);
		results.push(...(await runRows(api, about, [{ prompt: promptOf('text', n) }], paid)));
	}
	const vendorsOf = byCase(await requestsAt(vendorsUrl), 'text');
	const sentOf = byCase(recorder.sent, 'text');
	return cases.map(({ about, set }, n) => {
		const [sent] = sentOf.get(n) ?? [];
		if (!sent) throw new Error(`${about}: ${results[n].error.message}`);
		const [received] = vendorsOf.get(n) ?? [];
		const record = { about, set, sent: toRecord(sent.body, recorder), answered: sent.status };
		return { ...record, received: received && toRecord(received.body, recorder) };
	});
}
