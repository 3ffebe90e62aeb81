import { FORMS } from '../../../support/keyForms';
import { contentOf, FILE, KEY, otherPort, type WayRow } from './way';

const gone = () => ({ status: 410, text: '' });

export const urls: WayRow[] = [
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
		fails: /denies access to it \(HTTP 401\)/,
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
		fails: /denies access to it \(HTTP 401\)/,
	},
	{
		way: 'Source URL: holds the key',
		url: ({ foreignUrl }) => `${foreignUrl}${FILE}?key=${KEY}`,
		goes: [],
		fails: /would expose the API key to http:\/\/localhost/,
	},
];

export const resultUrls: WayRow[] = [
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
		way: 'result_url: holds the key',
		content: gone,
		resultUrl: ({ foreignUrl }) => `${foreignUrl}${FILE}?key=${KEY}`,
		goes: ['service with key: 410'],
		fails: /could not be downloaded/,
	},
	...Object.entries(FORMS).map(([form, write]): WayRow => ({
		way: `result_url: holds the key ${form}`,
		content: gone,
		resultUrl: ({ foreignUrl }) => `${foreignUrl}${FILE}?key=${write(KEY)}`,
		goes: ['service with key: 410'],
		fails: /could not be downloaded/,
	})),
];
