import { createSandbox, type Sandbox } from '../../sandbox/service';
import { FAULTS } from '../../sandbox/service/faults';
import { ask, clientOf, pauseMs, prompt, until } from './support/client';

// Every fault answers as its name says, on each address where it can be asked for.

let sandbox: Sandbox;
let client: ReturnType<typeof clientOf>;

beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0 });
	client = clientOf(sandbox);
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

type Reply = Awaited<ReturnType<typeof client.poll>>;
type Place = 'submit' | 'poll' | 'content' | 'text';

/** Where no answer comes, the client has to give up, once the service has taken the request. */
function patienceFor(fault: unknown, place: Place) {
	if (fault === 'stall' && place === 'content') return { giveUpAfterBytes: 1000 };
	if (!['hang', 'slow', 'acceptThenHang'].includes(String(fault))) return {};
	const index = sandbox.requests.length + (place === 'poll' || place === 'content' ? 1 : 0);
	const taken = () => (sandbox.requests[index]?.key ?? 'none') !== 'none';
	return { giveUpWhen: until(taken).then(async () => await pauseMs(50)) };
}

/** Makes one request that meets the fault. */
async function meet(fault: unknown, place: Place): Promise<Reply> {
	const asked = prompt('A red bicycle', { [place]: [fault] });
	const patience = patienceFor(fault, place);
	if (place === 'text') return await client.generate(ask(asked), patience);
	const submitted = await client.submit(asked, {}, place === 'submit' ? patience : {});
	if (place === 'submit') return submitted;
	const { id } = submitted.json;
	return await (place === 'poll' ? client.poll(id, patience) : client.download(id, patience));
}

const html = (status: number) => (reply: Reply) => {
	expect(reply.status).toBe(status);
	expect(reply.headers['content-type']).toMatch(/^text\/html/);
	expect(reply.text).toMatch(/^<(html|!doctype html)>/);
};
const empty = (status: number) => (reply: Reply) => {
	expect([reply.status, reply.text, reply.end]).toEqual([status, '', 'whole']);
};
const errorShape = (status: number, code: unknown) => (reply: Reply) => {
	expect(reply.status).toBe(status);
	expect(reply.json).toEqual({
		error: { message: expect.stringMatching(/\w/), type: expect.any(String), code },
	});
	expect(reply.headers).not.toHaveProperty('retry-after');
};
const businessShape = (status: number, code: string) => (reply: Reply) => {
	expect(reply.status).toBe(status);
	expect(reply.json).toEqual({ code, message: expect.stringMatching(/./), data: null });
};
const json = (value: unknown) => (reply: Reply) => {
	expect([reply.status, reply.json]).toEqual([200, value]);
	expect(reply.headers['content-type']).toMatch(/^application\/json/);
};
const ends = (end: Reply['end'], status?: number) => (reply: Reply) =>
	expect([reply.end, reply.status]).toEqual([end, status]);

/** One check per fault; `place` is where the fault is at home. */
const CHECKS: Record<string, [Place, (reply: Reply) => void]> = {
	html502: ['poll', html(502)],
	html504: ['poll', html(504)],
	html520: ['poll', html(520)],
	html200: ['poll', html(200)],
	empty200: ['poll', empty(200)],
	empty500: ['poll', empty(500)],
	json500: ['poll', errorShape(500, 'do_request_failed')],
	json503: ['poll', errorShape(503, 'service_unavailable')],
	modelNotFound: ['submit', errorShape(503, 'model_not_found')],
	rateLimited: ['submit', errorShape(429, 'rate_limit_exceeded')],
	rateLimitedEmpty: ['submit', empty(429)],
	retryAfter: [
		'submit',
		({ status, headers }) => expect([status, headers['retry-after']]).toEqual([429, '1']),
	],
	retryAfter503: [
		'poll',
		({ status, headers }) => expect([status, headers['retry-after']]).toEqual([503, '1']),
	],
	rangeRefused: [
		'content',
		(reply) => {
			empty(416)(reply);
			expect(reply.headers['content-range']).toBe('bytes */0');
		},
	],
	unauthorized: ['poll', errorShape(401, '')],
	usedUp: [
		'poll',
		(reply) => {
			errorShape(401, '')(reply);
			expect(reply.text).toContain('quota');
		},
	],
	forbidden: ['submit', errorShape(403, 'insufficient_user_quota')],
	notExist: ['poll', businessShape(400, 'task_not_exist')],
	notCompleted: [
		'content',
		({ status, json: { error } }) => {
			const message = 'Task is not completed yet, current status: IN_PROGRESS';
			expect([status, error.message]).toEqual([400, message]);
		},
	],
	notFound404: ['content', errorShape(404, '')],
	conflict409: ['submit', businessShape(409, 'conflict')],
	gone410: ['content', businessShape(410, 'gone')],
	tooLargeHtml413: ['submit', html(413)],
	upstreamGone502: ['content', errorShape(502, '')],
	nestedJsonMessage: [
		'submit',
		({ json: { message } }) =>
			expect(JSON.parse(message)).toHaveProperty('error.message', expect.any(String)),
	],
	chineseMessage: [
		'submit',
		({ status, json: { message } }) => {
			expect(status).toBe(400);
			expect(message).toMatch(/^[\u4e00-\u9fff,]+$/);
		},
	],
	numberCode: ['text', errorShape(400, 400)],
	codeFailWith200: ['submit', businessShape(200, 'some_error')],
	nullData: ['poll', json({ code: 'success', message: '', data: null })],
	arrayBody: ['poll', json([])],
	numberBody: ['poll', json(42)],
	stringBody: ['poll', json('ok')],
	wrongTypes: [
		'poll',
		({ json: { data } }) =>
			expect([typeof data.task_id, typeof data.status, typeof data.result_url]).toEqual([
				'number',
				'object',
				'number',
			]),
	],
	truncatedJson: [
		'poll',
		(reply) => {
			ends('whole', 200)(reply);
			expect(reply.headers['content-type']).toMatch(/^application\/json/);
			expect(reply.text).toMatch(/^\{"code":"success".*PRO$/);
			expect(reply.json).toBeUndefined();
		},
	],
	json200: ['content', businessShape(200, 'fail_to_fetch_video')],
	wrongContentType: [
		'poll',
		({ headers, json: body }) => {
			expect(headers['content-type']).toMatch(/^text\/plain/);
			expect(body.data.status).toBe('SUCCESS');
		},
	],
	reset: ['poll', ends('reset')],
	cut: [
		'poll',
		(reply) => {
			ends('cut', 200)(reply);
			expect(reply.bytes).toHaveLength(40);
		},
	],
	cutAfter: [
		'content',
		(reply) => {
			ends('cut', 200)(reply);
			expect(reply.bytes).toHaveLength(1000);
			expect(Number(reply.headers['content-length'])).toBeGreaterThan(1000);
		},
	],
	silentCut: [
		'content',
		(reply) => {
			ends('whole', 200)(reply);
			expect(reply.bytes).toHaveLength(1000);
			expect(reply.headers).not.toHaveProperty('content-length');
			expect(reply.headers).not.toHaveProperty('transfer-encoding');
		},
	],
	stall: [
		'content',
		(reply) => {
			ends('gaveUp', 200)(reply);
			expect(reply.bytes).toHaveLength(1000);
		},
	],
	trickle: ['content', ends('whole', 200)],
	rangeIgnored: ['content', ends('whole', 200)],
	rangeElsewhere: [
		'content',
		({ headers }) => expect(headers['content-range']).toBe('bytes 7-99/100'),
	],
	rangeOtherTag: ['content', ({ headers }) => expect(headers.etag).toBe('"another-file"')],
	hang: ['poll', ends('gaveUp')],
	slow: ['poll', ends('gaveUp')],
	noLength: [
		'content',
		(reply) => {
			ends('whole', 200)(reply);
			expect(reply.headers['transfer-encoding']).toBe('chunked');
			expect(reply.headers).not.toHaveProperty('content-length');
			expect(reply.bytes.toString('latin1', 4, 8)).toBe('ftyp');
		},
	],
	octetStream: [
		'content',
		({ headers, bytes }) => {
			expect(headers['content-type']).toBe('application/octet-stream');
			expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
		},
	],
	redirectLoop: [
		'content',
		({ status, headers }) => {
			expect(status).toBe(302);
			expect(headers.location).toMatch(/^http:.*\/content\?.*to=loop/);
		},
	],
	acceptThenCut: ['submit', ends('cut', 200)],
	acceptThen500: ['submit', errorShape(500, 'do_request_failed')],
	acceptThen502: ['submit', html(502)],
	acceptThen504: ['submit', html(504)],
	acceptThenEmpty200: ['submit', empty(200)],
	acceptThenHang: ['submit', ends('gaveUp')],
	acceptThenReset: ['submit', ends('reset')],
};

it('is checked here, every one of them', () => {
	expect(Object.keys(CHECKS).sort()).toEqual(Object.keys(FAULTS).sort());
});

it.each(Object.entries(CHECKS))('%s', async (name, [place, check]) => {
	check(await meet(name, place));
});

describe('on a submit', () => {
	/** What lets the ordinary answer through, late or mangled, has created the task. */
	const CREATING =
		/^(accept|slow$|trickle$|wrongContentType$|cutAfter$|silentCut$|stall$|noLength$|octet|range(?!Refused))/;

	it.each(Object.keys(FAULTS))('%s charges as it should', async (name) => {
		await meet(name, 'submit');
		expect(sandbox.tasks()).toHaveLength(CREATING.test(name) ? 1 : 0);
	});

	it.each([
		['html502', 502],
		['rateLimited', 429],
	])('%s with accept creates the task behind its answer', async (fault, status) => {
		expect((await meet({ fault, accept: true }, 'submit')).status).toBe(status);
		expect(sandbox.tasks()).toHaveLength(1);
		expect(sandbox.submissions()[0].taskId).toBe(sandbox.tasks()[0].task_id);
	});
});

describe.each<Place>(['poll', 'content', 'text'])('at %s', (place) => {
	it.each(Object.keys(FAULTS))('%s is no defect of the sandbox', async (name) => {
		const reply = await meet(name, place);
		expect(reply.text).not.toContain('sandbox_defect');
		const after = await client.submit('Still there');
		expect(after.status).toBe(200);
	});
});

describe('a list of answers', () => {
	const statusesOf = async (poll: unknown, count: number) => {
		const { json: task } = await client.submit(prompt('Listed', { poll }));
		const statuses = [];
		for (let n = 0; n < count; n++) statuses.push((await client.poll(task.id)).status);
		return statuses;
	};

	it('is consumed one per request, then the ordinary answer follows', async () => {
		expect(await statusesOf(['html502', 'ok', 'notExist'], 5)).toEqual([502, 200, 400, 200, 200]);
	});

	it('repeats its last entry for ever where it says so', async () => {
		const list = ['html502', { always: { status: 418, json: {} } }];
		expect(await statusesOf(list, 4)).toEqual([502, 418, 418, 418]);
	});

	it('may be one entry without a list', async () => {
		expect(await statusesOf('html504', 2)).toEqual([504, 200]);
		expect(await statusesOf({ always: 'html504' }, 2)).toEqual([504, 504]);
	});

	it('is counted per task for polls, and per prompt for submits and texts', async () => {
		const asked = prompt('Counted', { submit: ['json500'], poll: ['html502'], text: ['json503'] });
		expect((await client.submit(asked)).status).toBe(500);
		const [one, other] = [await client.submit(asked), await client.submit(asked)];
		expect((await client.poll(one.json.id)).status).toBe(502);
		expect((await client.poll(other.json.id)).status).toBe(502);
		expect((await client.submit(`${asked} again`)).status).toBe(500);
		const answers = [await client.generate(ask(asked)), await client.generate(ask(asked))];
		expect(answers.map(({ status }) => status)).toEqual([503, 200]);
	});
});

describe('a literal answer', () => {
	it('has status, headers and body as they were given', async () => {
		const headers = { 'Content-Type': 'application/problem+json', 'x-note': 'hello' };
		const reply = await meet({ status: 422, headers, json: { no: 'way' } }, 'poll');
		expect([reply.status, reply.json]).toEqual([422, { no: 'way' }]);
		expect(reply.headers).toMatchObject({
			'content-type': 'application/problem+json',
			'x-note': 'hello',
		});
	});

	it.each([
		[{ status: 500, html: '<p>no</p>' }, '<p>no</p>', 'text/html; charset=utf-8'],
		[{ text: 'hello' }, 'hello', undefined],
		[{ fault: 'html502', status: 599 }, expect.stringContaining('502'), expect.any(String)],
	])('%j', async (literal, text, type) => {
		const reply = await meet(literal, 'poll');
		expect([reply.text, reply.headers['content-type']]).toEqual([text, type]);
		expect(reply.status).toBe('status' in literal ? literal.status : 200);
	});

	it('only delays where that is all it says', async () => {
		const reply = await meet({ delayMs: 20 }, 'poll');
		expect(reply.json.data.status).toBe('SUCCESS');
		const slow = await meet({ fault: 'slow', delayMs: 20 }, 'poll');
		expect(slow.json.data.status).toBe('SUCCESS');
	});
});

it('marks a client that went away before the answer', async () => {
	await meet('hang', 'poll');
	await until(() => sandbox.polls()[0].aborted);
	expect(sandbox.polls()[0]).toMatchObject({ aborted: true, status: null });
	await meet('slow', 'poll');
	await until(() => sandbox.polls()[1].aborted);
	expect(sandbox.polls()[1]).toMatchObject({ aborted: true, status: null });
});

it.each(['reset', 'cutAfter'])(
	'says of %s that nothing was answered, by our doing',
	async (name) => {
		await meet(name, 'content');
		expect(sandbox.requests.at(-1)).toMatchObject({ aborted: false, status: null });
	},
);
