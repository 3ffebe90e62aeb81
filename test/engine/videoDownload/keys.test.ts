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
	/** Part of the message, where no video comes of it, and of what to do. */
	fails?: RegExp;
	says?: RegExp;
}

const FILE = '/files/landscape.mp4';
const contentOf = (task_id: string) => `/v1/videos/${task_id}/content`;
const withKey = ({ foreignUrl }: Sandbox) => `${foreignUrl}${FILE}?key=${KEY}`;
const DENIED = /denies access to it \(HTTP 401\)/;
const EXPOSED = /would expose the API key to http:\/\/localhost/;
const GETS = 'storage without key: 200';

const located = (way: string, location: (sandbox: Sandbox) => string, ...goes: string[]) => ({
	way: `a redirect ${way}`,
	content: (sandbox: Sandbox) => ({
		...{ status: 302, headers: { location: location(sandbox) }, text: '' },
	}),
	goes: ['service with key: 302', ...goes],
});

const WAYS: WayRow[] = [
	...([301, 302, 303, 307, 308] as const).map((redirect) => ({
		way: `a redirect ${redirect} to another host`,
		content: () => ({ redirect, to: 'foreign' as const }),
		goes: [`service with key: ${redirect}`, GETS],
	})),
	{
		way: 'redirects within the service, then to another host',
		content: () => ({ redirect: 307, to: 'foreign', hops: 3 }),
		goes: [...Array<string>(3).fill('service with key: 307'), GETS],
	},
	{
		way: 'redirects to another host and back',
		url: ({ url, foreignUrl }, task_id) => {
			const home = encodeURIComponent(`${url}${contentOf(task_id)}?final=1`);
			const there = `${foreignUrl}${FILE}?task=${task_id}&redirect=302&hops=1&to=${home}`;
			return `${url}${contentOf(task_id)}?redirect=302&hops=1&to=${encodeURIComponent(there)}`;
		},
		goes: ['service with key: 302', 'storage without key: 302', 'service without key: 401'],
		fails: DENIED,
	},
	// The storage host under the service's own name.
	located(
		'to another port',
		({ foreignUrl }) => foreignUrl.replace('localhost', '127.0.0.1') + FILE,
		GETS,
	),
	located('to a query of the same address', () => '?final=1', 'service with key: 200'),
	// Its user, not its host, is the service.
	located(
		"to an address that begins with the service's",
		({ url, foreignUrl }) => `${url}@${new URL(foreignUrl).host}${FILE}`,
		GETS,
	),
	{ ...located('to an address that holds the key', withKey), fails: EXPOSED },
	{
		way: 'a URL of the service, spelt otherwise',
		url: ({ url }, task_id) => ` ${url.replace('http', 'HTTP')}${contentOf(task_id)}`,
		goes: ['service with key: 200'],
	},
	{
		way: 'a URL of the service by another name',
		url: ({ url }, task_id) => url.replace('127.0.0.1', 'localhost') + contentOf(task_id),
		goes: ['service without key: 401'],
		fails: DENIED,
		says: /^The API key was not sent: .* If http:\/\/localhost:\d+ is the service, enter it there/,
	},
	{
		way: 'a result_url at another host',
		resultUrl: ({ foreignUrl }) => foreignUrl + FILE,
		goes: ['service with key: 410', GETS],
	},
	{
		way: 'a result_url that holds the key',
		resultUrl: withKey,
		goes: ['service with key: 410'],
		fails: /could not be downloaded/,
	},
];

const stage = useStage({ renderMs: 0 });
// The storage host goes by another name than the service, and is on this machine, too.
beforeAll(() => void (stage.credentials.videoGenerationApi.allowPrivateAddresses = true));

it.each(WAYS)('$way', async ({ content, url, resultUrl, goes, fails, says }) => {
	const { sandbox } = stage;
	const plan = {
		...(content && { content: [content(sandbox)] }),
		...(resultUrl && { content: [{ status: 410, text: '' }], resultUrl: resultUrl(sandbox) }),
	};
	await stage.run(videoGenerate(), toInput({ prompt: planned('A boat', plan) }));
	const [{ task_id }] = sandbox.tasks();
	const source = url && { source: 'url', resultUrl: url(sandbox, task_id) };
	const node = videoDownload(
		{ ...source, options: { retries: 0 } },
		{ onError: 'continueErrorOutput' },
	);
	const result = await stage.run(node, toInput({ task_id }), { binaryMode: 'filesystem' });
	const records = sandbox.requests.filter(({ path }) => /\/content$|^\/files\/|^\/@/.test(path));
	expect(records.map(inWords)).toEqual(goes);
	records.filter(({ origin }) => origin === 'foreign').forEach(expectNoKey);
	const items = result.outputs();
	if (fails) {
		const { message, description } = items.at(-1)![0].json.error as IDataObject;
		expect(message).toMatch(fails);
		if (says) expect(description).toMatch(says);
	} else expect(items[0][0].binary?.data.mimeType).toBe('video/mp4');
	// Beside `error` stands the incoming item, with its prompt.
	const shown = items.flat().map((item) => item.json.error ?? item);
	expect(JSON.stringify([shown, result.logs])).not.toContain(KEY);
});

function inWords({ origin, headers, status }: RequestRecord): string {
	const key = headers.authorization === `Bearer ${KEY}` ? 'with' : 'without';
	return `${origin === 'foreign' ? 'storage' : 'service'} ${key} key: ${status}`;
}

/** Neither as it is, nor in an address, nor inside Basic. */
function expectNoKey({ headers, url }: RequestRecord): void {
	expect(JSON.stringify([headers, url])).not.toContain(KEY);
	const [, basic = ''] = String(headers.authorization ?? '').split(' ');
	expect(Buffer.from(basic, 'base64').toString()).not.toContain(KEY);
}
