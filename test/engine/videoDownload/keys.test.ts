import type { IDataObject } from 'n8n-workflow';

import type { LiteralAnswer, RequestRecord, Sandbox } from '../../../sandbox/service';
import { KEY, planned, toInput, useStage, videoDownload, videoGenerate } from '../../support/stage';

// The key goes to the origin of the base URL and to no other: what each host really received. That https
// is another origin than http stands in test/nodes/shared/download/namedFile.test.ts.

/** A way to a video, and what each host on it really received. */
interface WayRow {
	way: string;
	/** How the content endpoint answers, or a Source URL. */
	content?: (sandbox: Sandbox) => LiteralAnswer;
	url?: (sandbox: Sandbox, task_id: string) => string;
	/** The task's result_url, where the content endpoint has nothing. */
	resultUrl?: (sandbox: Sandbox) => string;
	/** Each request in order: which host, with or without the key, and what it answered. */
	goes: string[];
	/** Part of the message, where no video comes of it. */
	fails?: RegExp;
}

const FILE = '/files/landscape.mp4';
/** The storage host under the service's own name. */
const otherPort = ({ foreignUrl }: Sandbox) => foreignUrl.replace('localhost', '127.0.0.1') + FILE;
const contentOf = (task_id: string) => `/v1/videos/${task_id}/content`;
/** An address whose user, not host, is the service. */
const disguised = ({ url, foreignUrl }: Sandbox) => `${url}@${new URL(foreignUrl).host}${FILE}`;
const withKey = ({ foreignUrl }: Sandbox) => `${foreignUrl}${FILE}?key=${KEY}`;
const DENIED = /denies access to it \(HTTP 401\)/;
const EXPOSED = /would expose the API key to http:\/\/localhost/;
const GETS = 'storage without key: 200';

const leaves = (way: string, redirect: number, ...goes: string[]) => ({
	way: `${redirect} ${way}`,
	goes: [`service with key: ${redirect}`, ...goes],
});
const located = (
	way: string,
	location: (sandbox: Sandbox) => string,
	...goes: string[]
): WayRow => ({
	...leaves(way, 302, ...goes),
	content: (sandbox) => ({ status: 302, headers: { location: location(sandbox) }, text: '' }),
});

const redirects: WayRow[] = [
	...([301, 302, 303, 307, 308] as const).flatMap((redirect) => [
		{
			...leaves('to another host', redirect, GETS),
			content: () => ({ redirect, to: 'foreign' }),
		},
		{
			...leaves('within the service', redirect, 'service with key: 200'),
			content: () => ({ redirect, to: 'self' }),
		},
	]),
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
	located('to another port', otherPort, GETS),
	located('to a query of the same address', () => '?final=1', 'service with key: 200'),
	located(
		'to an address without a scheme',
		({ foreignUrl }) => foreignUrl.replace('http:', '') + FILE,
		GETS,
	),
	located("to an address that begins with the service's", disguised, GETS),
	{ ...located('to an address that holds the key', withKey), fails: EXPOSED },
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
const resultUrls: WayRow[] = [
	{ way: 'another host', resultUrl: ({ foreignUrl }) => foreignUrl + FILE, goes: [GONE, GETS] },
	{
		way: 'another path of the service',
		resultUrl: ({ url }) => `${url}/v1/videos/other/content`,
		goes: [GONE, 'service with key: 404'],
		fails: /\(HTTP 410\)/,
	},
	{ way: 'holds the key', resultUrl: withKey, goes: [GONE], fails: /could not be downloaded/ },
];

const stage = useStage({ renderMs: 0 });
// The storage host goes by another name than the service, and is on this machine, too.
beforeAll(() => void (stage.credentials.videoGenerationApi.allowPrivateAddresses = true));

describe.each(Object.entries({ redirects, urls, resultUrls }))('%s', (_kind, rows) => {
	it.each(rows)('$way', async ({ content, url, resultUrl, goes, fails }) => {
		const { sandbox } = stage;
		const plan = {
			...(content && { content: [content(sandbox)] }),
			...(resultUrl && { content: [{ status: 410, text: '' }], resultUrl: resultUrl(sandbox) }),
		};
		await stage.run(videoGenerate(), toInput({ prompt: planned('A boat', plan) }));
		const [{ task_id }] = sandbox.tasks();
		const source = url && { source: 'url', resultUrl: url(sandbox, task_id) };
		const node = videoDownload({ ...source, options: { retries: 0 } }, ERROR_OUTPUT);
		const result = await stage.run(node, toInput({ task_id }), { binaryMode: 'filesystem' });
		const records = sandbox.requests.filter(({ path }) => /\/content$|^\/files\/|^\/@/.test(path));
		expect(records.map(inWords)).toEqual(goes);
		records.filter(({ origin }) => origin === 'foreign').forEach(expectNoKey);
		const items = result.outputs();
		if (fails) {
			const { message } = items.at(-1)![0].json.error as IDataObject;
			expect(message).toMatch(fails);
		} else expect(items[0][0].binary?.data.mimeType).toBe('video/mp4');
		// Beside `error` stands the incoming item, with its prompt.
		const shown = items.flat().map((item) => item.json.error ?? item);
		expect(JSON.stringify([shown, result.logs])).not.toContain(KEY);
	});
});

const ERROR_OUTPUT = { onError: 'continueErrorOutput' } as const;

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
