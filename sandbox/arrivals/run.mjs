import { createRequire } from 'node:module';
import { itemsOf } from '../n8n/executions.mjs';
import { readCharges, waitForSettlement } from './billing.mjs';
import { groupBy } from './groupBy.mjs';
import { toWorkflow } from './workflows.mjs';

const require = createRequire(import.meta.url);
const { shapeOf } = require('./parameters.js');
const { toWords } = require('./pictures.js');

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
