import type { LiteralAnswer, Sandbox } from '../../../../sandbox/service';

/** A way to a video, and what each host on it really received. */
export interface WayRow {
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

const KEY = 'sandbox-key';
const FILE = '/files/landscape.mp4';
const STATUSES = [301, 302, 303, 307, 308] as const;
const gone = () => ({ status: 410, text: '' });
const located = (location: (sandbox: Sandbox) => string) => (sandbox: Sandbox) => ({
	status: 302,
	headers: { location: location(sandbox) },
	text: '',
});
/** The storage host under the service's own name. */
const otherPort = ({ foreignUrl }: Sandbox) => foreignUrl.replace('localhost', '127.0.0.1') + FILE;
const contentOf = (task_id: string) => `/v1/videos/${task_id}/content`;

const redirects: WayRow[] = STATUSES.flatMap((redirect) => [
	...[
		{ way: `${redirect} to another host`, to: 'foreign' },
		{ way: `${redirect} to another port`, to: 'otherPort' },
		{ way: `${redirect} from https to http`, to: 'foreign', https: 'service' as const },
		{ way: `${redirect} from http to https`, to: 'otherPort', https: 'storage' as const },
	].map(({ to, ...row }) => ({
		...row,
		content: () => ({ redirect, to }),
		goes: [`service with key: ${redirect}`, 'storage without key: 200'],
	})),
	{
		way: `${redirect} within the service`,
		content: () => ({ redirect, to: 'self' }),
		goes: [`service with key: ${redirect}`, 'service with key: 200'],
	},
]);

const chains: WayRow[] = [
	{
		way: 'within the service, which has https',
		https: 'service',
		content: () => ({ redirect: 302, to: 'self' }),
		goes: ['service with key: 302', 'service with key: 200'],
	},
	{
		way: 'two steps within the service, then to another host',
		content: () => ({ redirect: 307, to: 'foreign', hops: 3 }),
		goes: [
			...['service with key: 307', 'service with key: 307', 'service with key: 307'],
			'storage without key: 200',
		],
	},
	{
		way: 'to another host and back',
		url: ({ url, foreignUrl }, task_id) => {
			const home = encodeURIComponent(`${url}${contentOf(task_id)}?final=1`);
			const there = `${foreignUrl}${FILE}?task=${task_id}&redirect=302&hops=1&to=${home}`;
			return `${url}${contentOf(task_id)}?redirect=302&hops=1&to=${encodeURIComponent(there)}`;
		},
		goes: ['service with key: 302', 'storage without key: 302', 'service without key: 401'],
		fails: /does not give it out \(HTTP 401\)/,
	},
	{
		way: 'to a query of the same address',
		content: located(() => '?final=1'),
		goes: ['service with key: 302', 'service with key: 200'],
	},
	{
		way: 'to an address without a scheme',
		content: located(({ foreignUrl }) => foreignUrl.replace('http:', '') + FILE),
		goes: ['service with key: 302', 'storage without key: 200'],
	},
	{
		way: "to an address that begins with the service's",
		content: located(({ url, foreignUrl }) => `${url}@${new URL(foreignUrl).host}${FILE}`),
		goes: ['service with key: 302', 'storage without key: 200'],
	},
	{
		way: 'to an address that holds the key',
		content: located(({ foreignUrl }) => `${foreignUrl}${FILE}?key=${KEY}`),
		goes: ['service with key: 302'],
		fails: /would hand the API key to http:\/\/localhost/,
	},
];

const urls: WayRow[] = [
	{
		way: 'Source URL: the service',
		url: ({ url }, task_id) => url + contentOf(task_id),
		goes: ['service with key: 200'],
	},
	{
		way: 'Source URL: the service, spelt otherwise',
		url: ({ url }, task_id) => ` ${url.replace('http', 'HTTP')}${contentOf(task_id)}`,
		goes: ['service with key: 200'],
	},
	{
		way: 'Source URL: the service by another name',
		url: ({ url }, task_id) => url.replace('127.0.0.1', 'localhost') + contentOf(task_id),
		goes: ['service without key: 401'],
		fails: /does not give it out \(HTTP 401\)/,
	},
	{
		way: 'Source URL: another host',
		url: ({ foreignUrl }) => foreignUrl + FILE,
		goes: ['storage without key: 200'],
	},
	{ way: 'Source URL: another port', url: otherPort, goes: ['storage without key: 200'] },
	{
		way: 'Source URL: http, where the service has https',
		https: 'service',
		url: otherPort,
		goes: ['storage without key: 200'],
	},
	{
		way: 'Source URL: https, where the service has http',
		https: 'storage',
		url: otherPort,
		goes: ['storage without key: 200'],
	},
	{
		way: "Source URL: begins with the service's",
		url: ({ url, foreignUrl }) => `${url}@${new URL(foreignUrl).host}${FILE}`,
		goes: ['storage without key: 200'],
	},
	{
		way: "Source URL: ends with the service's",
		url: ({ url, foreignUrl }) => `${foreignUrl}\\@${new URL(url).host}${FILE}`,
		goes: ['storage without key: 404'],
		fails: /\(HTTP 404\)/,
	},
	{
		way: 'Source URL: another host that redirects to the service',
		url: ({ url, foreignUrl }, task_id) =>
			`${foreignUrl}${FILE}?task=${task_id}&redirect=302&hops=1&to=${encodeURIComponent(`${url}${contentOf(task_id)}`)}`,
		goes: ['storage without key: 302', 'service without key: 401'],
		fails: /does not give it out \(HTTP 401\)/,
	},
	{
		way: 'Source URL: holds the key',
		url: ({ foreignUrl }) => `${foreignUrl}${FILE}?key=${KEY}`,
		goes: [],
		fails: /would hand the API key to http:\/\/localhost/,
	},
];

const resultUrls: WayRow[] = [
	{
		way: 'result_url: another host',
		content: gone,
		resultUrl: ({ foreignUrl }) => foreignUrl + FILE,
		goes: ['service with key: 410', 'storage without key: 200'],
	},
	{
		way: 'result_url: another port',
		content: gone,
		resultUrl: otherPort,
		goes: ['service with key: 410', 'storage without key: 200'],
	},
	{
		way: 'result_url: http, where the service has https',
		https: 'service',
		content: gone,
		resultUrl: otherPort,
		goes: ['service with key: 410', 'storage without key: 200'],
	},
	{
		way: 'result_url: another path of the service',
		once: true,
		content: gone,
		resultUrl: ({ url }) => `${url}/v1/videos/other/content`,
		goes: ['service with key: 410', 'service with key: 404'],
		fails: /\(HTTP 410\)/,
	},
	{
		// Blanked out of the service's answers, it is asked for as "[API key]".
		way: 'result_url: holds the key',
		content: gone,
		resultUrl: ({ foreignUrl }) => `${foreignUrl}${FILE}?key=${KEY}`,
		goes: ['service with key: 410', 'storage without key: 200'],
	},
];

export const ways = { redirects, chains, urls, resultUrls };
