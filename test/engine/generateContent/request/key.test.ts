import type { Plan } from '../../../../sandbox/service';
import { KEY } from '../../../support/stage';
import { events, saying } from '../support/answers';
import { CONTINUE, onlyItem, TEXT_MODEL } from '../support/stage';
import { useStreamStage, wordsOf } from '../support/streamStage';

const { stage, run, asked, bodyOf, listen } = useStreamStage();

describe('the key', () => {
	const parameters = { prompt: 'Hi' };

	it('goes in the usual header', async () => {
		await bodyOf({ parameters });
		const [{ headers, query, key }] = asked();
		expect(key).toBe('header');
		expect(headers['x-goog-api-key']).toBe(KEY);
		expect(headers).not.toHaveProperty('authorization');
		expect(query).toEqual({});
	});

	it('goes in a header of any name', async () => {
		await bodyOf({ parameters, credential: { headerName: 'x-vendor-api-key' } });
		const [{ headers, key }] = asked();
		expect(key).toBe('header');
		expect(headers['x-vendor-api-key']).toBe(KEY);
		expect(headers).not.toHaveProperty('x-goog-api-key');
	});

	it('goes in the query, and nowhere else', async () => {
		await bodyOf({ parameters, credential: { keyLocation: 'query' } });
		const [{ query, headers, key }] = asked();
		expect(key).toBe('query');
		expect(query).toEqual({ key: KEY });
		expect(JSON.stringify(headers)).not.toContain(KEY);
	});

	it.each(['/', '/v1', '/v1beta/', '/v1beta/models'])(
		'goes to a base URL that ends with %s',
		async (tail) => {
			await bodyOf({ parameters, credential: { baseUrl: ` ${stage.sandbox.url}${tail} ` } });
			expect(asked()[0].path).toBe(`/v1beta/models/${TEXT_MODEL}:generateContent`);
		},
	);

	it.each(['header', 'query'])(
		'in the %s shows nowhere, whatever the service says',
		async (place) => {
			const said = `No key ${KEY} here, nor ${encodeURIComponent('secret/key+1')}`;
			for (const apiKey of [KEY, 'secret/key+1']) {
				stage.sandbox.set({ outage: { status: 400, json: { error: { message: said } } } });
				const result = await run({
					parameters,
					credential: { apiKey, keyLocation: place },
					onError: 'continueErrorOutput',
				});
				const seen = JSON.stringify([result.outputs(), result.logs, result.run, result.uiMessages]);
				expect(seen).toContain('[API key]');
				for (const form of [apiKey, encodeURIComponent(apiKey)]) expect(seen).not.toContain(form);
			}
		},
	);
});

describe('the key', () => {
	it.each([
		['header', { headerName: 'x-vendor-api-key' }, { alt: 'sse' }],
		['query', { keyLocation: 'query' }, { alt: 'sse', key: KEY }],
	])('goes in the %s of a stream', async (place, credential, query) => {
		onlyItem(await listen({}, { credential }));
		expect(asked()[0]).toMatchObject({ key: place, query });
		expect(JSON.stringify(asked()[0].headers).includes(KEY)).toBe(place === 'header');
	});

	it.each(['header', 'query'])('in the %s shows nowhere, whatever is streamed', async (place) => {
		const half = Math.ceil(KEY.length / 2);
		const quoted = [saying(`The key ${KEY.slice(0, half)}`), saying(`${KEY.slice(half)} is good`)];
		const credential = { keyLocation: place };
		const error = { code: 500, message: `Bad ${KEY}` };
		const plans: Array<[Plan, string]> = [
			[events(...quoted, saying('.', 'STOP')), 'The key [API key] is good.'],
			[events(...quoted, { error }), 'The key [API key] is good'],
			[{ text: { status: 400, json: { error } } }, ''],
			[{ text: 'reset' }, ''],
		];
		for (const [plan, words] of plans) {
			const result = await listen(plan, { ...CONTINUE, credential });
			const seen = [result.outputs(), result.logs, result.run, result.uiMessages, result.chunks];
			expect(JSON.stringify(seen)).not.toContain(KEY);
			expect(wordsOf(result.chunks).trim()).toBe(words);
		}
	});
});
