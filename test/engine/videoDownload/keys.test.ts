import type { IDataObject } from 'n8n-workflow';

import {
	createSandbox,
	type LiteralAnswer,
	type Plan,
	type RequestRecord,
	type Sandbox,
} from '../../../sandbox/service';
import { createEngine, type Engine } from '../../support/engine';
import { FORMS } from '../../support/keyForms';
import { KEY, planned, toInput, videoDownload, videoGenerate } from '../../support/stage';
import { trust } from './support/trust';

// The key goes to the origin of the base URL and to no other: what each host really received.

/** A way to a video, and what each host on it really received. */
interface WayRow {
	way: string;
	/** Who speaks https, in place of http. */
	https?: 'service' | 'storage';
	/** How the content endpoint answers, or a Source URL for Video Download. */
	content?: (sandbox: Sandbox) => LiteralAnswer;
	url?: (sandbox: Sandbox, task_id: string) => string;
	/** The task's result_url. */
	resultUrl?: (sandbox: Sandbox) => string;
	/** For Video Download alone, which can be told not to try again. */
	once?: true;
	/** Each request in order: which host, with or without the key, and what it answered. */
	goes: string[];
	/** Part of the message, where no video comes of it. */
	fails?: RegExp;
}

const FILE = '/files/landscape.mp4';
/** The storage host under the service's own name. */
const otherPort = ({ foreignUrl }: Sandbox) => foreignUrl.replace('localhost', '127.0.0.1') + FILE;
const contentOf = (task_id: string) => `/v1/videos/${task_id}/content`;
const located = (location: (sandbox: Sandbox) => string) => (sandbox: Sandbox) => ({
	status: 302,
	headers: { location: location(sandbox) },
	text: '',
});
/** An address whose user, not host, is the service. */
const disguised = ({ url, foreignUrl }: Sandbox) => `${url}@${new URL(foreignUrl).host}${FILE}`;
const withKey = ({ foreignUrl }: Sandbox) => `${foreignUrl}${FILE}?key=${KEY}`;
const DENIED = /denies access to it \(HTTP 401\)/;
const EXPOSED = /would expose the API key to http:\/\/localhost/;
const GETS = 'storage without key: 200';

const STATUSES = [301, 302, 303, 307, 308] as const;
const leaves = (how: string, to: string, redirect: (typeof STATUSES)[number] = 302): WayRow => ({
	way: `${redirect} ${how}`,
	content: () => ({ redirect, to }),
	goes: [`service with key: ${redirect}`, GETS],
});

const redirects: WayRow[] = [
	leaves('to another port', 'otherPort'),
	{ ...leaves('from https to http', 'foreign'), https: 'service' },
	{ ...leaves('from http to https', 'otherPort'), https: 'storage' },
	...STATUSES.map((redirect) => leaves('to another host', 'foreign', redirect)),
	...STATUSES.map((redirect) => ({
		way: `${redirect} within the service`,
		content: () => ({ redirect, to: 'self' }),
		goes: [`service with key: ${redirect}`, 'service with key: 200'],
	})),
	{
		way: 'two steps within the service, then to another host',
		content: () => ({ redirect: 307, to: 'foreign', hops: 3 }),
		goes: [...Array<string>(3).fill('service with key: 307'), GETS],
	},
	{
		way: 'to another host and back',
		url: ({ url, foreignUrl }, task_id) => {
			const home = encodeURIComponent(`${url}${contentOf(task_id)}?final=1`);
			const there = `${foreignUrl}${FILE}?task=${task_id}&redirect=302&hops=1&to=${home}`;
			return `${url}${contentOf(task_id)}?redirect=302&hops=1&to=${encodeURIComponent(there)}`;
		},
		goes: ['service with key: 302', 'storage without key: 302', 'service without key: 401'],
		fails: DENIED,
	},
	{
		way: 'to a query of the same address',
		content: located(() => '?final=1'),
		goes: ['service with key: 302', 'service with key: 200'],
	},
	{
		way: 'to an address without a scheme',
		content: located(({ foreignUrl }) => foreignUrl.replace('http:', '') + FILE),
		goes: ['service with key: 302', GETS],
	},
	{
		way: "to an address that begins with the service's",
		content: located(disguised),
		goes: ['service with key: 302', GETS],
	},
	{
		way: 'to an address that holds the key',
		content: located(withKey),
		goes: ['service with key: 302'],
		fails: EXPOSED,
	},
];

const urls: WayRow[] = [
	{
		way: 'the service, spelt otherwise',
		url: ({ url }, task_id) => ` ${url.replace('http', 'HTTP')}${contentOf(task_id)}`,
		goes: ['service with key: 200'],
	},
	{
		way: 'the service by another name',
		url: ({ url }, task_id) => url.replace('127.0.0.1', 'localhost') + contentOf(task_id),
		goes: ['service without key: 401'],
		fails: DENIED,
	},
	{ way: 'another port', url: otherPort, goes: [GETS] },
	{ way: 'http, where the service has https', https: 'service', url: otherPort, goes: [GETS] },
	{ way: "begins with the service's", url: disguised, goes: [GETS] },
	{
		way: "ends with the service's",
		url: ({ url, foreignUrl }) => `${foreignUrl}\\@${new URL(url).host}${FILE}`,
		goes: ['storage without key: 404'],
		fails: /\(HTTP 404\)/,
	},
	{ way: 'holds the key', url: withKey, goes: [], fails: EXPOSED },
];

const GONE = 'service with key: 410';
const afterGone: WayRow[] = [
	{ way: 'another host', resultUrl: ({ foreignUrl }) => foreignUrl + FILE, goes: [GONE, GETS] },
	{
		way: 'http, where the service has https',
		https: 'service',
		resultUrl: otherPort,
		goes: [GONE, GETS],
	},
	{
		way: 'another path of the service',
		once: true,
		resultUrl: ({ url }) => `${url}/v1/videos/other/content`,
		goes: [GONE, 'service with key: 404'],
		fails: /\(HTTP 410\)/,
	},
	...Object.entries(FORMS).map(([form, write]): WayRow => ({
		way: `holds the key ${form}`,
		resultUrl: ({ foreignUrl }) => `${foreignUrl}${FILE}?key=${write(KEY)}`,
		goes: [GONE],
		fails: /could not be downloaded/,
	})),
];
const resultUrls = afterGone.map((row) => ({
	...row,
	content: () => ({ status: 410, text: '' }),
}));

let engine: Engine;
let sandboxes: Record<'http' | 'service' | 'storage', Sandbox>;

beforeAll(async () => {
	engine = await createEngine();
	const [http, service, storage] = await Promise.all([
		createSandbox(),
		createSandbox({ https: true }),
		createSandbox({ foreignHttps: true }),
	]);
	sandboxes = { http, service, storage };
});
afterAll(async () => {
	engine.close();
	await Promise.all(Object.values(sandboxes).map(async (sandbox) => await sandbox.close()));
});

const onError = 'continueErrorOutput';

describe.each(Object.entries({ redirects, urls, resultUrls }))('%s', (_kind, rows) => {
	const both = rows.filter(({ url, once }) => url === undefined && once === undefined);
	if (both.length > 0) {
		it.each(both)('$way, for Video Generate', async (row) => {
			await go(row, async (sandbox) => {
				const node = videoGenerate({ downloadVideo: true }, { onError });
				return await run(sandbox, node, { prompt: planned('A boat', planOf(row, sandbox)) });
			});
		});
	}

	it.each(rows)('$way, for Video Download', async (row) => {
		await go(row, async (sandbox) => {
			const plan = planOf(row, sandbox);
			await run(sandbox, videoGenerate(), { prompt: planned('A boat', plan) });
			const [{ task_id }] = sandbox.tasks();
			const source = row.url && { source: 'url', resultUrl: row.url(sandbox, task_id) };
			const parameters = { ...source, options: { retries: 0 } };
			return await run(sandbox, videoDownload(parameters, { onError }), { task_id });
		});
	});
});

async function go(row: WayRow, download: (sandbox: Sandbox) => ReturnType<typeof run>) {
	const sandbox = sandboxes[row.https ?? 'http'];
	sandbox.reset();
	const distrust = sandbox.certificate ? trust(sandbox.certificate) : () => undefined;
	try {
		const result = await download(sandbox);
		const records = sandbox.requests.filter(({ path }) => /\/content$|^\/files\/|^\/@/.test(path));
		expect(records.map(inWords)).toEqual(row.goes);
		records.filter(({ origin }) => origin === 'foreign').forEach(expectNoKey);
		const items = result.outputs();
		if (row.fails) {
			const { message } = items.at(-1)![0].json.error as IDataObject;
			expect(message).toMatch(row.fails);
		} else expect(items[0][0].binary?.data.mimeType).toBe('video/mp4');
		// Beside `error` stands the incoming item, with its prompt.
		const shown = items.flat().map((item) => item.json.error ?? item);
		expect(JSON.stringify([shown, result.logs])).not.toContain(KEY);
	} finally {
		distrust();
	}
}

const run = async (sandbox: Sandbox, node: ReturnType<typeof videoDownload>, json: IDataObject) =>
	await engine.run({
		node,
		items: toInput(json),
		// The storage host goes by another name than the service, and is on this machine, too.
		credentials: {
			videoGenerationApi: { baseUrl: sandbox.url, apiKey: KEY, allowPrivateAddresses: true },
		},
		binaryMode: 'filesystem',
	});

const planOf = ({ content, resultUrl }: WayRow, sandbox: Sandbox): Plan => ({
	renderMs: 0,
	...(content && { content: [content(sandbox)] }),
	...(resultUrl && { resultUrl: resultUrl(sandbox) }),
});

function inWords({ origin, headers, status }: RequestRecord): string {
	const key = headers.authorization === `Bearer ${KEY}` ? 'with' : 'without';
	return `${origin === 'foreign' ? 'storage' : 'service'} ${key} key: ${status}`;
}

/** Neither as it is, nor in an address, nor inside Basic. */
function expectNoKey({ headers, url }: RequestRecord): void {
	const received = JSON.stringify([headers, url]);
	expect(received).not.toContain(KEY);
	expect(String(headers.authorization ?? '')).not.toContain('Bearer');
	const [, basic = ''] = String(headers.authorization ?? '').split(' ');
	expect(Buffer.from(basic, 'base64').toString()).not.toContain(KEY);
}
