import { createVendors } from '../../sandbox/vendors';
import { readFile } from './support/client';
import { clientsOf } from './support/vendorCalls';

// A render at each vendor, as a gateway asks for it.

const FILM = readFile('sandbox/service/media/square.mp4');
const planned = (plan: object, words = 'A red bicycle') =>
	`${words} sandbox:${JSON.stringify(plan)}`;

it('each vendor takes a submit, waits, gives the film away, and refuses in its own words', async () => {
	const vendors = await createVendors();
	for (const client of clientsOf(vendors.url)) {
		const { vendor, idOf } = client;
		const id = idOf((await client.submit(planned({ video: 'square', queuedPolls: 2 }))).json);
		const replies = [];
		for (let n = 0; n < 4; n++) replies.push(await client.poll(id));
		const film = await client.film(replies[3].json);
		expect([vendor, film.equals(FILM)]).toEqual([vendor, true]);
		expect(replies[1].text).not.toBe(replies[3].text);
		// MiniMax refuses with 200.
		const ok = vendor === 'minimax' ? 200 : undefined;
		const keyless = await client.submit('A boat', { 'content-type': 'application/json' });
		expect([vendor, keyless.status]).toEqual([vendor, ok ?? 401]);
		expect((await client.submit(planned({ pol: [] }))).text).toContain("'pol'");
		const list = ['rateLimited', { status: 500, message: 'Broken' }];
		const listed = planned({ submit: list }, 'A boat');
		expect([vendor, (await client.submit(listed)).status]).toEqual([vendor, ok ?? 429]);
		expect((await client.submit(listed)).text).toContain('Broken');
		expect(vendors.tasks()).toHaveLength(1);
		expect(JSON.stringify(vendors.requests)).not.toContain('secret-key');
		vendors.reset();
	}
	await vendors.close();
});
