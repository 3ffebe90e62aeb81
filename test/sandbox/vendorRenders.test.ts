import { createVendors, type Vendors } from '../../sandbox/vendors';
import { readMedia } from './support/files';
import { clientOfVendor, VENDOR_CALLS } from './support/vendorCalls';

// A render at each of the vendors: its states, its film, its refusals, in the vendor's own words.

let vendors: Vendors;
beforeAll(async () => (vendors = await createVendors()));
beforeEach(() => vendors.reset());
afterAll(async () => await vendors.close());

const EVERY_VENDOR = VENDOR_CALLS.map((calls) => [calls.vendor, calls] as const);
const planned = (plan: object) => `A red bicycle sandbox:${JSON.stringify(plan)}`;

describe.each(EVERY_VENDOR)('%s', (vendor, calls) => {
	const client = () => clientOfVendor(vendors, calls);
	const { idOf, stateOf, words } = calls;
	const [queued, running, done, failed, filtered] = words;

	/** The words of so many polls, and the last answer. */
	async function follow(plan: object, polls: number) {
		const submitted = await client().submit(planned(plan));
		expect(submitted.status).toBe(200);
		const id = idOf(submitted.json);
		const told: string[] = [];
		let json;
		for (let n = 0; n < polls; n++) {
			({ json } = await client().poll(id));
			told.push(stateOf(json));
		}
		return { id, told, json };
	}

	it('waits, runs, and gives the film away', async () => {
		const { id, told, json } = await follow({ queuedPolls: 2, video: 'square' }, 5);
		expect(told).toEqual([queued, queued, running, done, done]);
		const { status, bytes } = await client().film(json, id);
		expect(status).toBe(200);
		expect(bytes.equals(readMedia('square'))).toBe(true);
		expect(vendors.tasks()).toEqual([
			expect.objectContaining({ id, vendor, prompt: 'A red bicycle', state: 'done', polls: 5 }),
		]);
	});

	it.each([
		['FAILURE', failed],
		['filtered', filtered],
		['never', running],
	])('ends as the plan says: %s', async (outcome, word) => {
		const { told } = await follow({ outcome, queuedPolls: 0, runningPolls: 1 }, 3);
		expect(told).toEqual([running, word, word]);
	});

	it('says why it failed', async () => {
		const { json } = await follow({ outcome: 'FAILURE', failReason: 'No GPU' }, 3);
		expect(JSON.stringify(json)).toContain('No GPU');
	});

	it('refuses a request without a key, in its own words, and begins nothing', async () => {
		const body = calls.submit.body('A red bicycle');
		const refused = await client().send(body, { 'content-type': 'application/json' });
		expect(refused.status).toBe(vendor === 'minimax' ? 200 : 401);
		expect(calls.codeOf(refused.json)).toEqual(expect.anything());
		expect(vendors.tasks()).toEqual([]);
	});

	it('answers a submit by the list of the plan, then does it', async () => {
		const prompt = planned({ submit: ['rateLimited', { status: 500, message: 'Broken' }] });
		const replies = [await client().submit(prompt), await client().submit(prompt)];
		const isMinimax = vendor === 'minimax';
		expect(replies.map(({ status }) => status)).toEqual([isMinimax ? 200 : 429, 500]);
		expect(replies[1].text).toContain('Broken');
		expect(new Set(replies.map(({ json }) => calls.codeOf(json))).size).toBe(2);
		expect(vendors.tasks()).toEqual([]);
		expect((await client().submit(prompt)).status).toBe(200);
		expect(vendors.tasks()).toHaveLength(1);
	});

	it('refuses a value that it does not document', async () => {
		const body = JSON.stringify(calls.submit.body('A red bicycle'));
		const wrong = body.replace(/"(16:9|1280x720|720p|1280\*720|sora-2|jimeng\w+)"/, '7');
		const other = wrong.replace(/("duration(?:Seconds)?"):("?)\d+("?)/, '$1:$299$3');
		expect(other).not.toBe(body);
		const refused = await client().send(JSON.parse(other));
		expect(refused.status).toBe(vendor === 'minimax' ? 200 : 400);
		expect(refused.text).toContain('must be');
		expect(vendors.tasks()).toEqual([]);
	});
});
