import type { Sandbox } from '../../../../sandbox/service';
import { contentOf, FILE, KEY, type WayRow } from './way';

const STATUSES = [301, 302, 303, 307, 308] as const;
const located = (location: (sandbox: Sandbox) => string) => (sandbox: Sandbox) => ({
	status: 302,
	headers: { location: location(sandbox) },
	text: '',
});

const leaves = (
	how: string,
	to: string,
	redirect: (typeof STATUSES)[number] = 302,
	https?: WayRow['https'],
): WayRow => ({
	way: `${redirect} ${how}`,
	https,
	content: () => ({ redirect, to }),
	goes: [`service with key: ${redirect}`, 'storage without key: 200'],
});

export const redirects: WayRow[] = [
	leaves('to another port', 'otherPort'),
	leaves('from https to http', 'foreign', 302, 'service'),
	leaves('from http to https', 'otherPort', 302, 'storage'),
	...STATUSES.map((redirect) => leaves('to another host', 'foreign', redirect)),
	...STATUSES.map((redirect) => ({
		way: `${redirect} within the service`,
		content: () => ({ redirect, to: 'self' }),
		goes: [`service with key: ${redirect}`, 'service with key: 200'],
	})),
];

export const chains: WayRow[] = [
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
		fails: /denies access to it \(HTTP 401\)/,
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
		fails: /would expose the API key to http:\/\/localhost/,
	},
];
