import type { Plan } from '../../../sandbox/service';
import { CONTINUE, KEY } from '../../support/stage';
import { events, saying } from './support/answers';
import { onlyItem, useTextStage, wordsOf } from './support/stage';

const { stage, ask, requests, bodyOf, listen } = useTextStage();

it.each([
	['header', {}, 'x-goog-api-key', {}],
	['header', { headerName: 'x-vendor-api-key' }, 'x-vendor-api-key', {}],
	['query', { keyLocation: 'query' }, undefined, { key: KEY }],
])('the key goes in one place: %s %j', async (place, credential, header, wanted) => {
	await bodyOf({ parameters: { prompt: 'Hi' }, credential });
	onlyItem(await listen({}, { credential }));
	for (const [i, { headers, query, key }] of requests().entries()) {
		expect(key).toBe(place);
		const holding = Object.entries(headers).filter(([, value]) => String(value).includes(KEY));
		expect(holding).toEqual(header ? [[header, KEY]] : []);
		expect(query).toEqual(i === 0 ? wanted : { alt: 'sse', ...wanted });
	}
});

it.each(['header', 'query'])(
	'the key in the %s shows nowhere, as it is or encoded',
	async (place) => {
		const apiKey = 'secret/key+1';
		const message = `No key ${apiKey} here, nor ${encodeURIComponent(apiKey)}`;
		stage.sandbox.set({ outage: { status: 400, json: { error: { message } } } });
		const result = await ask({}, { ...CONTINUE, credential: { apiKey, keyLocation: place } });
		const seen = JSON.stringify([result.outputs(), result.logs, result.run, result.uiMessages]);
		expect(seen).toContain('[API key]');
		for (const form of [apiKey, encodeURIComponent(apiKey)]) expect(seen).not.toContain(form);
	},
);

it('the key is not said in a stream, nor when it comes in two chunks', async () => {
	const half = Math.ceil(KEY.length / 2);
	const quoted = [saying(`The key ${KEY.slice(0, half)}`), saying(`${KEY.slice(half)} is good`)];
	const error = { code: 500, message: `Bad ${KEY}` };
	const plans: Array<[Plan, string]> = [
		[events(...quoted, saying('.', 'STOP')), 'The key [API key] is good.'],
		[events(...quoted, { error }), 'The key [API key] is good'],
	];
	for (const [plan, words] of plans) {
		const result = await listen(plan, CONTINUE);
		const seen = [result.outputs(), result.logs, result.run, result.uiMessages, result.chunks];
		expect(JSON.stringify(seen)).not.toContain(KEY);
		expect(wordsOf(result.chunks).trim()).toBe(words);
	}
});
