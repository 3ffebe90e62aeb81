import { createVendors } from '../../sandbox/vendors';
import { call } from './support/call';
import { startCli, stopAll } from './support/cli';
import { readMedia } from './support/files';
import { postThrough } from './support/tunnel';
import { clientOfVendor, VENDOR_CALLS } from './support/vendorCalls';

// A render at each vendor in the vendor's own words, and what is the same for all of them.

let vendors: Awaited<ReturnType<typeof createVendors>>;
beforeAll(async () => (vendors = await createVendors()));
beforeEach(() => vendors.reset());
afterAll(async () => await vendors.close());
afterEach(stopAll);

const [GEMINI, , ARK] = VENDOR_CALLS;
const gemini = () => clientOfVendor(vendors, GEMINI);

describe('records', () => {
	it('hold what arrived, and no key', async () => {
		const { json } = await gemini().submit('A red bicycle');
		await call(`${vendors.url}/gemini/v1beta/${json.name}?key=secret-key`);
		await clientOfVendor(vendors, ARK).submit('A blue one');
		expect(vendors.requests.map(({ vendor, method, status }) => [vendor, method, status])).toEqual([
			['gemini', 'POST', 200],
			['gemini', 'GET', 200],
			['ark', 'POST', 200],
		]);
		const [first] = vendors.requests;
		expect(first).toMatchObject({
			path: '/gemini/v1beta/models/veo-3.1-generate-preview:predictLongRunning',
			body: GEMINI.body('A red bicycle'),
			taskId: json.name,
		});
		expect(JSON.stringify(vendors.requests)).not.toContain('secret-key');
		expect(vendors.requests[2].headers.authorization).toBe('Bearer ***');
	});
});

describe('plans', () => {
	it.each([
		[{ queuedPols: 1 }, 'no plan key "queuedPols"'],
		[{ queuedPolls: -1 }, 'is a whole number'],
		[{ submit: ['rateLimitted'] }, 'no fault "rateLimitted"'],
		[{ poll: [{ stats: 500 }] }, 'no key "stats"'],
		[{ outcome: 'LOST' }, 'is one of SUCCESS'],
	])('says what is wrong with %j', async (plan, sentence) => {
		const { status, json } = await gemini().submit(`A sandbox:${JSON.stringify(plan)}`);
		expect([status, json.error.message]).toEqual([400, expect.stringContaining(sentence)]);
		expect(() => vendors.set({ plan })).toThrow(sentence);
	});

	it('begins the render although the answer is an error, where `accept` says so', async () => {
		const plan = { submit: [{ fault: 'json500', accept: true }] };
		expect((await gemini().submit(`A sandbox:${JSON.stringify(plan)}`)).status).toBe(500);
		expect(vendors.tasks()).toHaveLength(1);
	});

	it('breaks the wire, and keeps films back, by the same words as the service', async () => {
		vendors.set({ queuedPolls: 0, runningPolls: 0 });
		expect((await gemini().submit('A sandbox:{"submit":["reset"]}')).end).toBe('reset');
		const { json } = await gemini().submit('A sandbox:{"content":["cut",{"always":"forbidden"}]}');
		const poll = await gemini().poll(json.name);
		const replies = [];
		for (let n = 0; n < 3; n++) replies.push(await gemini().film(poll.json, json.name));
		expect(replies.map(({ status, end }) => [status, end])).toEqual([
			[200, 'cut'],
			[403, 'whole'],
			[403, 'whole'],
		]);
	});
});

it('Seedance gives the last frame away, if asked, and breaks it as the plan says', async () => {
	vendors.set({ queuedPolls: 0, runningPolls: 0 });
	const ark = clientOfVendor(vendors, ARK);
	const send = async (more: object) => {
		const body = { ...ARK.body('A sandbox:{"lastFrame":["notFound404"]}'), ...more };
		const { json } = await ark.send(body);
		return (await ark.poll(json.id)).json.content.last_frame_url;
	};
	expect(await send({})).toBeUndefined();
	const url = await send({ return_last_frame: true });
	expect((await call(url)).status).toBe(404);
	expect((await call(url)).headers['content-type']).toBe('image/png');
});

describe('text', () => {
	const ask = (action: string, text: string) =>
		call(`${vendors.url}/gemini/v1beta/models/gemini-2.5-flash:${action}`, {
			method: 'POST',
			headers: { 'x-goog-api-key': 'secret-key' },
			body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text }] }] }),
		});

	it("fails in Google's words", async () => {
		const { status, json } = await ask('generateContent', 'A sandbox:{"text":["json503"]}');
		expect([status, json.error]).toEqual([
			503,
			{ code: 503, message: 'The model is overloaded', status: 'UNAVAILABLE' },
		]);
		expect((await ask('countTokens', 'A')).status).toBe(404);
	});
});

describe("Google's tokens", () => {
	const HOST = 'www.googleapis.com';

	it('are given at their fixed address, through the port as a proxy', async () => {
		const form = 'grant_type=x&assertion=y';
		const answer = await postThrough(vendors.url, HOST, '/oauth2/v4/token', form);
		expect(answer).toMatch(/^HTTP\/1.1 200/);
		expect(answer).toContain('"access_token":"sandbox-access-token"');
		expect(await postThrough(vendors.url, HOST, '/drive/v3/files', form)).toContain('400 Bad');
	});
});

describe('the command', () => {
	it('prints what to enter in a gateway, and each request, and ends on Ctrl+C', async () => {
		const cli = startCli(['--port', '0', '--queued', '0', '--running', '0'], 'vendors/cli.js');
		await cli.printed('Ctrl+C');
		const [, url] = /24 +Google Gemini +(\S+)\/gemini/.exec(cli.out()) ?? [];
		const client = clientOfVendor({ url }, GEMINI);
		const { json } = await client.submit('A red bicycle');
		expect((await client.poll(json.name)).json.done).toBe(true);
		await cli.printed(`gemini GET /gemini/v1beta/${json.name} 200`);
		expect(cli.out()).toContain('predictLongRunning 200 {"instances":[{"prompt":"A red bicycle"}]');
		expect(cli.out()).not.toContain('secret-key');
		cli.interrupt();
		expect(await cli.ended).toEqual({ code: 0, signal: null });
	});
});

const planned = (plan: object) => `A red bicycle sandbox:${JSON.stringify(plan)}`;

describe.each(VENDOR_CALLS.map((calls) => [calls.vendor, calls] as const))(
	'%s',
	(vendor, calls) => {
		const client = () => clientOfVendor(vendors, calls);
		const { idOf, words } = calls;
		const isMinimax = vendor === 'minimax';

		/** Resolves to the answers to so many polls of one render. */
		async function follow(plan: object, polls: number) {
			const submitted = await client().submit(planned(plan));
			expect(submitted.status).toBe(200);
			const id = idOf(submitted.json);
			const replies = [];
			for (let n = 0; n < polls; n++) replies.push(await client().poll(id));
			return { id, texts: replies.map(({ text }) => text), last: replies.at(-1)?.json };
		}

		it('waits, runs, and gives the film away', async () => {
			const { id, texts, last } = await follow({ queuedPolls: 2, video: 'square' }, 4);
			const [queued, running, done] = words;
			for (const [at, word] of [queued, queued, running, done].entries()) {
				expect(texts[at]).toContain(word);
			}
			const { status, bytes } = await client().film(last, id);
			expect(status).toBe(200);
			expect(bytes.equals(readMedia('square'))).toBe(true);
			expect(vendors.tasks()).toEqual([
				expect.objectContaining({ id, vendor, prompt: 'A red bicycle', state: 'done', polls: 4 }),
			]);
		});

		it.each([
			['FAILURE', words[3]],
			['filtered', words[4]],
			['never', words[1]],
		])('ends as the plan says: %s', async (outcome, word) => {
			const { texts } = await follow({ outcome, queuedPolls: 0, runningPolls: 1 }, 3);
			expect([texts[1], texts[2]]).toEqual(Array(2).fill(expect.stringContaining(word)));
		});

		it('refuses a wrong key and a value that it does not document, and begins nothing', async () => {
			const body = calls.body('A red bicycle');
			const keyless = await client().send(body, { 'content-type': 'application/json' });
			expect(keyless.status).toBe(isMinimax ? 200 : 401);
			const wrong = JSON.stringify(body)
				.replace(/"(16:9|1280x720|720p|1280\*720|sora-2|jimeng\w+)"/, '7')
				.replace(/("duration(?:Seconds)?"):("?)\d+("?)/, '$1:$299$3');
			const refused = await client().send(JSON.parse(wrong));
			expect(refused.status).toBe(isMinimax ? 200 : 400);
			expect(refused.text).toContain('must be');
			expect(vendors.tasks()).toEqual([]);
		});

		it('answers a submit by the list of the plan, then does it', async () => {
			const prompt = planned({ submit: ['rateLimited', { status: 500, message: 'Broken' }] });
			const replies = [await client().submit(prompt), await client().submit(prompt)];
			expect(replies.map(({ status }) => status)).toEqual([isMinimax ? 200 : 429, 500]);
			expect(replies[1].text).toContain('Broken');
			expect((await client().submit(prompt)).status).toBe(200);
			expect(vendors.tasks()).toHaveLength(1);
		});
	},
);
