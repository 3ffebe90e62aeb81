import {
	type Asking,
	delayMs,
	mayPass,
	patienceFor,
	readRetryAfter,
} from '../../../../nodes/shared/service/later';

/** The statuses that pass by themselves, by what was asked for: the whole table, once more. */
const TABLE: Record<Asking, number[]> = {
	submit: [408, 409, 425, 429, 500, 502, 503, 504, 524],
	text: [408, 409, 425, 429, 500, 502, 503, 504, 524],
	check: [408, 409, 425, 429, 500, 502, 503, 504, 524],
	list: [408, 409, 425, 429, 500, 502, 503, 504, 524],
	file: [200, 204, 206, 400, 404, 408, 409, 425, 429, 500, 502, 503, 504, 524],
	content: [400, 408, 425, 429, 503, 504],
};
const STATUSES = [
	...[200, 204, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 408, 409],
	...[410, 413, 422, 425, 429, 451, 460, 499, 500, 502, 503, 504, 524],
];

describe('mayPass', () => {
	it.each(Object.entries(TABLE))('says of %s which statuses pass', (asking, passing) => {
		expect(STATUSES.filter((status) => mayPass(asking as Asking, status))).toEqual(passing);
	});

	it.each(['429', '503', 'rate_limit_exceeded', 'overloaded', 'system_cpu_overloaded'])(
		'lets the code %s pass with any status',
		(code) => expect(mayPass('submit', 400, code)).toBe(true),
	);

	it('waits for no model that is not there', () =>
		expect(mayPass('submit', 503, 'model_not_found')).toBe(false));
});

it.each([
	[{ httpCode: 401 }, 'denied'],
	[{ httpCode: 403 }, 'denied'],
	[{ code: 'ANSWER_TOO_LARGE' }, 'denied'],
	[{ httpCode: 404 }, 'unknown'],
	[{ httpCode: 410 }, 'unknown'],
	[{ httpCode: 400, code: 'task_not_exist' }, 'unknown'],
	[{ httpCode: 502 }, 'other'],
	[{ code: 'ECONNRESET' }, 'other'],
] as const)('a check with %j counts as %s', (facts, kind) => expect(patienceFor(facts)).toBe(kind));

it('the tries of a batch spread out', () => expect(delayMs(1, 1)).toBe(750));

describe('readRetryAfter', () => {
	const read = (value?: string) =>
		readRetryAfter({ headers: value ? { 'retry-after': value } : {} });

	it('reads a date', () => {
		const ms = read(new Date(Date.now() + 30_000).toUTCString());
		expect(ms).toBeGreaterThan(20_000);
		expect(ms).toBeLessThanOrEqual(30_000);
	});

	it('waits for two minutes at most', () => {
		expect(read('86400')).toBe(120_000);
		expect(read('Fri, 01 Jan 2100 00:00:00 GMT')).toBe(120_000);
	});

	it.each([undefined, '-5', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'])('ignores %p', (value) => {
		expect(read(value)).toBeUndefined();
	});
});
