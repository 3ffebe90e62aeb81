import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { node, to, until } from '../../e2e/support/workflows.mjs';
import { PATIENCE_MS } from '../../sandbox/n8n/api.mjs';
import { openPlace } from '../support/place.mjs';
import { measureUse } from '../support/process.mjs';
import { nodeRun, publishWorkflow } from '../support/workflow.mjs';

export const about =
	'the pictures of one run, beside HTTP Request, which posts them as files and as base64; size in MB';
export const options = { pictures: '60', size: '8' };
export const rounds = 1;

// New API asks no vendor at each fetch of this model's record.
const MODEL = 'doubao-seedance-1-5-pro-251215';
const RENDER_MS = 2_000;
const SMALL_MB = 0.1;
const [FETCH, GATE, HOLD] = ['Fetch', 'Gate', 'Hold'];
const [OURS, AS_FILE, AS_BASE64] = [
	'Video Generate',
	'HTTP Request, as files',
	'Extract from File and HTTP Request, as base64',
];

/**
 * Serves pictures of any size, and counts what is posted to it. A request to `/gate` is answered once it
 * is opened: `gate.reached()` resolves to what opens it.
 */
async function startHost() {
	const posted = { count: 0, bytes: 0, lastAt: 0 };
	const gate = { opens: undefined };
	const server = createServer(async (request, response) => {
		const answer = () => response.setHeader('content-type', 'application/json').end('{}');
		if (request.url === '/gate') {
			gate.opens = answer;
			return;
		}
		if (request.method === 'GET') {
			const [, bytes, number] = request.url.split('/');
			const picture = Buffer.alloc(Number(bytes), Number(number) + 1);
			picture.write('\x89PNG\r\n\x1a\n', 'latin1');
			response.setHeader('content-type', 'image/png').end(picture);
			return;
		}
		for await (const chunk of request) posted.bytes += chunk.length;
		posted.count++;
		posted.lastAt = Date.now();
		answer();
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		posted,
		async gateReached() {
			const open = await until(() => gate.opens, 'all pictures to be fetched');
			gate.opens = undefined;
			return open;
		},
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** Fetches the pictures, then holds the execution until memory stands still. */
const fetchSteps = () => [
	node(FETCH, 'n8n-nodes-base.httpRequest', 4.2, {
		url: '={{ $json.url }}',
		options: { response: { response: { responseFormat: 'file' } } },
	}),
	node(HOLD, 'n8n-nodes-base.merge', 3, { mode: 'chooseBranch' }),
];

const gateAside = ({ url }) => ({
	nodes: [
		node(
			GATE,
			'n8n-nodes-base.httpRequest',
			4.2,
			{ url: `${url}/gate`, options: { timeout: PATIENCE_MS } },
			{ executeOnce: true },
		),
	],
	connections: [
		[FETCH, to(GATE)],
		[GATE, { ...to(HOLD), index: 1 }],
	],
});

const post = (url, name, parameters) =>
	node(name, 'n8n-nodes-base.httpRequest', 4.2, {
		...{ method: 'POST', url, sendBody: true, ...parameters },
		options: {},
	});

const waysOf = ({ credential }, { url }) => ({
	[OURS]: [
		node(
			OURS,
			'n8n-nodes-video-generation.videoGenerate',
			1,
			{
				model: { __rl: true, mode: 'id', value: MODEL },
				prompt: "={{ $('Items').item.json.prompt }}",
				...{ imageSource: 'binary', imageBinaryProperty: 'data', downloadVideo: false },
			},
			{ credentials: credential },
		),
	],
	[AS_FILE]: [post(url, AS_FILE, { contentType: 'binaryData', inputDataFieldName: 'data' })],
	[AS_BASE64]: [
		node('Extract from File', 'n8n-nodes-base.extractFromFile', 1, {
			operation: 'binaryToPropery',
		}),
		post(url, AS_BASE64, { specifyBody: 'json', jsonBody: '={{ { image: $json.data } }}' }),
	],
});

const itemsOf = (count, mb, { url }) =>
	Array.from({ length: count }, (_, i) => ({
		url: `${url}/${Math.round(mb * 1e6)}/${i}`,
		prompt: `Bicycle ${i} sandbox:${JSON.stringify({ renderMs: RENDER_MS })}`,
	}));

/** Runs one execution in two parts: what fetches the pictures, and what is measured. */
async function runParts(host, workflow, items, around = async (work) => await work()) {
	let id, open, at;
	const fetching = await around(async () => {
		id = await workflow.runItems(items);
		open = await host.gateReached();
	});
	const use = await around(async () => {
		at = Date.now();
		open();
		await workflow.over(id);
	});
	return { id, at, fetching, use };
}

/** The figures of fetching all pictures, and of what is measured, in an n8n that has only just started. */
async function measureWay(place, workflow, host, name, items, small) {
	await place.restart();
	await runParts(host, workflow, small);
	Object.assign(host.posted, { count: 0, bytes: 0 });
	const ordered = await place.service.countTasks();
	const run = await runParts(
		host,
		workflow,
		items,
		async (work) => await measureUse(place.pid, work),
	);
	// It is not saved, or else it must be a success.
	const nodeOf = name === AS_BASE64 || nodeRun(await place.api.execution(run.id), name);
	const isOurs = name === OURS;
	const made = isOurs ? (await place.service.countTasks()) - ordered : host.posted.count;
	assert.equal(made, items.length, `${name} sent ${made} pictures`);
	const endedAt = isOurs ? nodeOf.endedAt : host.posted.lastAt;
	const figures = { ...run.use, 'Time (s)': (endedAt - run.at) / 1000 };
	return { figures, fetching: run.fetching };
}

export async function open({ pictures, size }) {
	const place = await openPlace();
	const host = await startHost();
	const items = itemsOf(Number(pictures), Number(size), host);
	const small = itemsOf(1, SMALL_MB, host);
	const workflows = {};
	for (const [name, steps] of Object.entries(waysOf(place, host))) {
		// n8n cannot save more than 512 MB of an execution's items, which is the longest text of Node.js.
		const settings = name === AS_BASE64 ? { saveDataSuccessExecution: 'none' } : {};
		const aside = gateAside(host);
		workflows[name] = await publishWorkflow(place.api, [...fetchSteps(), ...steps], {
			settings,
			aside,
		});
	}
	return {
		close: async () => {
			host.close();
			await place.close();
		},
		async measure() {
			const rows = [];
			for (const [name, workflow] of Object.entries(workflows)) {
				const { figures, fetching } = await measureWay(place, workflow, host, name, items, small);
				if (name === OURS) rows.push({ name: 'HTTP Request fetches them', figures: fetching });
				rows.push({ name, beside: name === AS_BASE64 ? undefined : AS_BASE64, figures });
			}
			return rows;
		},
	};
}
