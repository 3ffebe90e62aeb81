import { differsFromContract } from '../../sandbox/check';
import { createShow } from '../../sandbox/check/shown';
import { check, KEY, named, ordering, seenOf } from './support/check';
import { ANSWERS, startHostile, written } from './support/hostile';

// Servers that are no service: the check ends, orders nothing twice, and shows no key.

let server: Awaited<ReturnType<typeof startHostile>> | undefined;
afterEach(async () => await server?.close());

const meet = async (name: keyof typeof ANSWERS, settings = {}) => {
	server = await startHostile(ANSWERS[name]);
	return await check(server, { timeoutMs: 300, ...settings });
};

/** Nothing of the key is left, not even where something stands between its characters. */
const expectNoKey = (result: object, key = KEY) => {
	const shown = JSON.stringify(result)
		.replace(/[^\w%+/=-]/g, '')
		.toLowerCase();
	for (const form of [key, encodeURIComponent(key), Buffer.from(key).toString('base64')]) {
		expect(shown).not.toContain(form.toLowerCase());
	}
};

it.each(['hang', 'stall'] as const)('%s: is not reached', async (name) => {
	const { unreachable, rows } = await meet(name);
	expect(unreachable).toBe('no whole answer within 0.3 s');
	expect(rows).toEqual([]);
	expect(server!.requests).toHaveLength(1);
});

it('nobody there: is not reached', async () => {
	server = await startHostile(ANSWERS.page);
	const { url } = server;
	await server.close();
	server = undefined;
	expect((await check({ url })).unreachable).toContain('ECONNREFUSED');
});

it.each([
	['page', 'a web page'],
	['endless', 'does not end'],
	['redirect', 'a redirect to http://127.0.0.1:9'],
] as const)('%s: is told as what it is', async (name, words) => {
	const result = await meet(name, { timeoutMs: 5000 });
	expect(differsFromContract(result.rows)).toBe(true);
	expect(seenOf(result, 'Base URL')).toContain(words);
});

it.each(['parrot', 'parrotText', 'acceptsAll', 'quotesInRecords'] as const)(
	'%s: the key that it quotes is not shown',
	async (name) => {
		const key = 'sk-Qz7/9+kP"w&x=e';
		const result = await meet(name, {
			key,
			textKey: key,
			keyInQuery: true,
			...ordering('a-model'),
		});
		expect(result.rows.length).toBeGreaterThan(0);
		expectNoKey(result, key);
	},
);

it.each(written('k9a1b2c3d4e5'))('a text with the key as %j', (form) => {
	const show = createShow(['k9a1b2c3d4e5']);
	const shown = show(`before ${form} after`);
	expect(shown).toContain('[API key]');
	expectNoKey([shown], 'k9a1b2c3d4e5');
});

it('what is shown is one short line without what moves a terminal', () => {
	const show = createShow([KEY]);
	expect(show('a\r\n\u001b[2Jb\u202e\u0007c')).toBe('a [2Jbc');
	expect(show('x'.repeat(10_000))).toHaveLength(221);
	// Half a key is still one: what is cut off is cut after the keys are hidden.
	expect(show(`${'x'.repeat(215)}${KEY}`)).not.toContain('sandb');
});

it('of the two things that a submit lacks, the one that is named is told', async () => {
	const result = await meet('promptFirst');
	expect(named(result, 'kept')).toContain('Submit without prompt');
	expect(named(result, 'not tested')).toContain('Unknown video model');
});

it('a service that accepts a submit without a prompt gets no other', async () => {
	const result = await meet('acceptsAll', ordering('a-model'));
	const posts = server!.requests.filter(({ method }) => method === 'POST');
	expect(posts).toHaveLength(1);
	expect(result.said[0]).toContain('accepted a submit without a prompt');
	expect(named(result, 'differs')).toContain('Wrong key, submit');
	expect(seenOf(result, 'Submit')).toContain('nothing was ordered');
});
