import { FAULTS } from '../../sandbox/service/faults';
import { ask, pauseMs, prompt, until } from './support/client';
import { brotliDecompressSync, gunzipSync, inflateSync } from './support/files';
import { useSandbox } from './support/stage';

// Every fault answers as its name says, on each address where it can be asked for, and charges only
// where it should. A plan can name several faults for one place, or give an answer of its own.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());

type Place = 'submit' | 'poll' | 'content' | 'text';

/** Where no answer comes, the client has to give up, once the service has taken the request. */
function patienceFor(fault: unknown, place: Place) {
	if (fault === 'stall' && place === 'content') return { giveUpAfterBytes: 1000 };
	if (fault === 'drip') return { giveUpAfterBytes: 1 };
	if (fault === 'endless') return { giveUpAfterBytes: 1000 };
	if (!['hang', 'slow', 'dripHead', 'acceptThenHang'].includes(String(fault))) return {};
	const { sandbox } = stage;
	const index = sandbox.requests.length + (place === 'poll' || place === 'content' ? 1 : 0);
	const taken = () => (sandbox.requests[index]?.key ?? 'none') !== 'none';
	return { giveUpWhen: until(taken).then(async () => await pauseMs(50)) };
}

/** Makes one request that meets the fault. */
async function meet(fault: unknown, place: Place) {
	const { client } = stage;
	const asked = prompt('A red bicycle', { [place]: [fault] });
	const patience = patienceFor(fault, place);
	if (place === 'text') return await client.generate(ask(asked), patience);
	const submitted = await client.submit(asked, {}, place === 'submit' ? patience : {});
	if (place === 'submit') return submitted;
	const { id } = submitted.json;
	return await (place === 'poll' ? client.poll(id, patience) : client.download(id, patience));
}

const HTML = expect.stringMatching(/^<(html|!doctype html)>/) as string;
const words = expect.stringMatching(/./) as string;
const error = { error: { message: words, type: words, code: expect.anything() as unknown } };
const business = { code: words, message: words, data: null };
const panic = { error: { message: words, type: 'new_api_panic' } };
const noId = { code: 200, msg: 'OK', data: {} };

/** Bodies, and the faults that have them: JSON, or text where it is none. */
const BODIES: Array<[unknown, string]> = [
	[HTML, 'html502 html503 html504 html520 html200 tooLargeHtml413'],
	[HTML, 'acceptThen502 acceptThen503 acceptThen504 acceptThenHtml200'],
	['', 'empty200 empty500 rateLimitedEmpty acceptThenEmpty200'],
	[error, 'json500 json503 modelNotFound rateLimited unauthorized forbidden'],
	[error, 'notFound404 numberCode acceptThen500'],
	[{ error: { message: words, type: words } }, 'notCompleted upstreamGone502'],
	[business, 'business500 business503 notExist conflict409 gone410 nestedJsonMessage'],
	[business, 'chineseMessage codeFailWith200 json200'],
	[panic, 'panic500 acceptThenPanic'],
	[noId, 'noId acceptThenNoId'],
	[{ code: 'invalid_param', message: words, data: 'prompt' }, 'scalarData'],
	[{ code: 'success', message: '', data: null }, 'nullData'],
	...([
		[[], 'arrayBody'],
		[42, 'numberBody'],
		['ok', 'stringBody'],
	] as Array<[unknown, string]>),
	[{ id: 12345, task_id: {}, status: 7, progress: 'none' }, 'wrongTypes'],
	[expect.stringMatching(/^\{"code":"success".*PRO$/), 'truncatedJson'],
];
const ANSWERED = BODIES.flatMap(([body, names]) =>
	names.split(' ').map((name) => [name, body] as const),
);

it.each(ANSWERED)(
	'%s: its status and its code as its sentence says, and its body',
	async (name, body) => {
		const { about } = FAULTS[name];
		const { status, json, text, end } = await meet(name, 'submit');
		const [said] = /\d{3}/.exec(about) ?? ['200'];
		expect([status, json ?? text, end]).toEqual([Number(said), body, 'whole']);
		expect(text).toContain(/(?:code|type) ([a-z]+_[a-z_]+)/.exec(about)?.[1] ?? '');
	},
);

/** Place, how the transfer ends, status, and how many bytes came. */
const ENDS: Record<string, [Place, string, number?, number?]> = {
	reset: ['poll', 'reset'],
	cut: ['poll', 'cut', 200, 40],
	cutAfter: ['content', 'cut', 200, 1000],
	silentCut: ['content', 'whole', 200, 1000],
	stall: ['content', 'gaveUp', 200, 1000],
	trickle: ['content', 'whole', 200],
	rangeIgnored: ['content', 'whole', 200],
	endless: ['poll', 'gaveUp', 200],
	drip: ['poll', 'gaveUp', 200, 1],
	dripHead: ['poll', 'gaveUp'],
	hang: ['poll', 'gaveUp'],
	slow: ['poll', 'gaveUp'],
	acceptThenCut: ['submit', 'cut', 200, 20],
	acceptThenHang: ['submit', 'gaveUp'],
	acceptThenReset: ['submit', 'reset'],
};

it.each(Object.entries(ENDS))('%s', async (name, [place, end, status, length]) => {
	const reply = await meet(name, place);
	expect([reply.end, reply.status]).toEqual([end, status]);
	expect(reply.bytes).toHaveLength(length ?? reply.bytes.length);
});

/** Place, status, and the headers that matter. */
const HEADERS: Record<string, [Place, number, Record<string, unknown>]> = {
	wrongContentType: ['poll', 200, { 'content-type': 'text/plain; charset=utf-8' }],
	retryAfter: ['submit', 429, { 'retry-after': '1' }],
	retryAfter503: ['poll', 503, { 'retry-after': '1' }],
	rangeRefused: ['content', 416, { 'content-range': 'bytes */0' }],
	rangeElsewhere: ['content', 200, { 'content-range': 'bytes 7-99/100' }],
	rangeOtherTag: ['content', 200, { etag: '"another-file"' }],
	noLength: ['content', 200, { 'transfer-encoding': 'chunked' }],
	octetStream: ['content', 200, { 'content-type': 'application/octet-stream' }],
	redirectLoop: ['content', 302, { location: expect.stringMatching(/\/content\?.*to=loop/) }],
};

it.each(Object.entries(HEADERS))('%s', async (name, [place, status, headers]) => {
	const reply = await meet(name, place);
	expect([reply.status, reply.headers]).toEqual([status, expect.objectContaining(headers)]);
});

const BOMBS: Record<string, (bytes: Buffer) => Buffer> = {
	gzipBomb: gunzipSync,
	deflateBomb: inflateSync,
	brotliBomb: brotliDecompressSync,
};

it.each(Object.entries(BOMBS))('%s is a small answer that is a large one', async (name, unpack) => {
	const { bytes, end } = await meet(name, 'poll');
	expect([end, bytes.length < 1_000_000]).toEqual(['whole', true]);
	const unpacked = unpack(bytes);
	expect(unpacked.length).toBeGreaterThan(200_000_000);
	expect(JSON.parse(unpacked.toString('latin1', 0, 10_000)).code).toBe('success');
});

it('is checked here, every one of them', () => {
	const checked = [
		...ANSWERED.map(([name]) => name),
		...Object.keys({ ...ENDS, ...HEADERS, ...BOMBS }),
	];
	expect(checked.sort()).toEqual(Object.keys(FAULTS).sort());
});

describe('on a submit', () => {
	/** What lets the ordinary answer through, late or mangled, has created the task. */
	const CREATING =
		/^(accept|slow$|trickle$|wrongContentType$|cutAfter$|silentCut$|stall$|noLength$|.*Bomb$|endless$|drip|octet|range(?!Refused))/;

	it.each(Object.keys(FAULTS))('%s charges as it should', async (name) => {
		await meet(name, 'submit');
		expect(stage.sandbox.tasks()).toHaveLength(CREATING.test(name) ? 1 : 0);
	});

	it('creates the task behind any answer with `accept`', async () => {
		expect((await meet({ fault: 'html502', accept: true }, 'submit')).status).toBe(502);
		expect(stage.sandbox.submissions()[0].taskId).toBe(stage.sandbox.tasks()[0].task_id);
	});
});

it.each<Place>(['content', 'text'])('at %s no fault is a defect of the sandbox', async (place) => {
	for (const name of Object.keys(FAULTS)) {
		expect([name, (await meet(name, place)).text]).not.toContain('sandbox_defect');
	}
	expect((await stage.client.submit('Still there')).status).toBe(200);
});

it('tells apart a client that went away and an answer that we cut', async () => {
	await meet('hang', 'poll');
	await until(() => stage.sandbox.polls()[0].aborted);
	expect(stage.sandbox.polls()[0]).toMatchObject({ aborted: true, status: null });
	await meet('cutAfter', 'content');
	expect(stage.sandbox.requests.at(-1)).toMatchObject({ aborted: false, status: null });
});

describe('a list of answers', () => {
	it.each([
		[
			['html502', 'ok', 'notExist'],
			[502, 200, 400, 200, 200],
		],
		[
			['html502', { always: { status: 418, json: {} } }],
			[502, 418, 418, 418],
		],
		['html504', [504, 200]],
	])('%j is consumed one per request, then the ordinary answer follows', async (poll, told) => {
		const { json: task } = await stage.client.submit(prompt('Listed', { poll }));
		const statuses: unknown[] = [];
		while (statuses.length < told.length) {
			statuses.push((await stage.client.poll(task.id)).status);
		}
		expect(statuses).toEqual(told);
	});

	it('is counted per task for polls, and per prompt for submits and texts', async () => {
		const asked = prompt('Counted', { submit: ['json500'], poll: ['html502'], text: ['json503'] });
		expect((await stage.client.submit(asked)).status).toBe(500);
		const [one, other] = [await stage.client.submit(asked), await stage.client.submit(asked)];
		expect((await stage.client.poll(one.json.id)).status).toBe(502);
		expect((await stage.client.poll(other.json.id)).status).toBe(502);
		expect((await stage.client.submit(`${asked} again`)).status).toBe(500);
		expect((await stage.client.generate(ask(asked))).status).toBe(503);
		expect((await stage.client.generate(ask(asked))).status).toBe(200);
	});
});

it.each([
	[{ status: 500, html: '<p>no</p>' }, 500, '<p>no</p>', 'text/html; charset=utf-8'],
	[{ text: 'hello' }, 200, 'hello', undefined],
	[{ fault: 'html502', status: 599 }, 599, HTML, 'text/html; charset=utf-8'],
	[{ status: 422, headers: { 'Content-Type': 'a/b' }, json: 1 }, 422, '1', 'a/b'],
])('the literal answer %j goes out as it was given', async (literal, status, text, type) => {
	const reply = await meet(literal, 'poll');
	expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([status, text, type]);
});
