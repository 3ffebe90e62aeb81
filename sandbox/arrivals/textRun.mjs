import { createRequire } from 'node:module';
import { chain, items, node, webhook } from '../../e2e/support/workflows.mjs';
import { itemsOf } from '../n8n/executions.mjs';

const require = createRequire(import.meta.url);
const { toTextParameters } = require('./parameters.js');
const { PNG, toWords } = require('./pictures.js');

const WITHIN_MS = 60_000;
const RUN = `text ${Date.now().toString(36)}`;

const withPicture = (prompt) =>
	node('Prompts', 'n8n-nodes-base.code', 2, {
		jsCode: `return [{ json: { prompt: '${prompt}' }, binary: { data: {
	data: '${PNG}', mimeType: 'image/png', fileName: 'picture.png' } } }];`,
	});

async function runCase(api, credential, { about, set }, prompt) {
	const nodes = [
		webhook(),
		set.file ? withPicture(prompt) : items([{ prompt }]),
		node(
			'Generate Content',
			'n8n-nodes-video-generation.generateContent',
			1,
			toTextParameters(set),
			{
				credentials: { nativeTextApi: credential },
				onError: 'continueRegularOutput',
			},
		),
	];
	const connections = chain('Webhook', 'Prompts', 'Generate Content');
	const { id } = await api.createWorkflow({ name: about, nodes, connections, settings: {} });
	await api.activate(id);
	await api.callWebhook(nodes[0].parameters.path);
	const execution = await api.lastExecution(id, WITHIN_MS);
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
		results.push(await runCase(api, { id, name: 'Text' }, one, `${RUN} ${n}.`));
	}
	const vendors = await (await fetch(`${vendorsUrl}/_sandbox/requests?method=POST`)).json();
	const plain = (body) =>
		JSON.parse(JSON.stringify(toWords(body, recorder.url)).replace(/text \w+ \d+\./g, 'text'));
	const of = (list, n) => list.find(({ body }) => JSON.stringify(body)?.includes(`${RUN} ${n}.`));
	return cases.map(({ about }, n) => {
		const sent = of(recorder.sent, n);
		if (!sent) return { about, refused: results[n].error.message.replace(/ \[item \d+\]$/, '') };
		const received = of(vendors, n);
		const record = { about, sent: plain(sent.body), answered: sent.status };
		return { ...record, received: received && plain(received.body) };
	});
}
