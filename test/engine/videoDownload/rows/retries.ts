import { arrives, failsWith } from '../row';

const once = (fault: string, status: number) =>
	arrives(`after ${fault}`, { content: fault }, [`all ${status}`, 'all 200']);
const times = (count: number, word: string) => Array.from({ length: count }, () => word);
const always = (fault: string) => ({ content: { always: fault } });
const PAID = expect.stringMatching(/rendered and paid for: download it later with Video Download/);

/** What may pass is tried again, within a limit; the paid task is never lost. */
export const retries = [
	once('notCompleted', 400),
	once('notFound404', 404),
	once('conflict409', 409),
	once('rateLimited', 429),
	once('rateLimitedEmpty', 429),
	once('retryAfter', 429),
	once('retryAfter503', 503),
	once('json503', 503),
	once('html520', 520),
	once('empty500', 500),
	arrives('after 408 and 425', { content: [{ status: 408 }, { status: 425 }] }, [
		...['all 408', 'all 425', 'all 200'],
	]),
	arrives('after a reset connection', { content: 'reset' }, ['all cut', 'all 200']),
	arrives('after no answer', { content: 'hang' }, ['all cut, left', 'all 200'], {
		options: { timeout: 30 },
	}),
	arrives(
		'after five faults, some of them in the middle of the file',
		{ content: ['html502', 'cutAfter', 'reset', { cutAfterBytes: 9 }, 'html504'] },
		['all 502', 'all cut', 'rest cut', 'rest cut', 'rest 504', 'rest 206'],
	),
	failsWith(
		/is not available \(HTTP 503\)/,
		'a sixth fault, with the first bytes there',
		{ content: ['html502', 'cutAfter', 'reset', 'reset', 'html504', 'json503'] },
		['all 502', 'all cut', 'rest cut', 'rest cut', 'rest 504', 'rest 503'],
		{ fields: { status: 'SUCCESS', retryable: true, description: PAID }, halvesOnVersion1: 1 },
	),
	failsWith(
		/does not know this address \(HTTP 404\)/,
		'404 every time',
		always('notFound404'),
		times(6, 'all 404'),
		{ fields: { status: 'SUCCESS', http_code: 404, retryable: true, description: PAID } },
	),
	failsWith(
		/does not accept the request \(HTTP 400\)/,
		'400 every time, with as many tries as are wanted',
		always('notCompleted'),
		times(3, 'all 400'),
		{ options: { retries: 2 }, fields: { http_code: 400, description: PAID } },
	),
	failsWith(/\(HTTP 502\)/, '502, without retries', always('html502'), ['all 502'], {
		options: { retries: 0 },
	}),
	failsWith(/refuses the API key/, '401, at once', always('unauthorized'), ['all 401'], {
		fields: { status: 'SUCCESS', http_code: 401, retryable: false, description: PAID },
	}),
	failsWith(/is out of credit/, '403, at once', always('forbidden'), ['all 403']),
	failsWith(/\(HTTP 410\)/, '410, at once', always('gone410'), ['all 410']),
];
