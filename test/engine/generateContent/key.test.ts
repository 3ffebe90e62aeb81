import type { Plan } from '../../../sandbox/service';
import { CONTINUE, KEY } from '../../support/stage';
import { events, saying } from './support/answers';
import { onlyItem, useTextStage, wordsOf } from './support/stage';

const { stage, ask, requests, bodyOf, listen } = useTextStage();
const parameters = { prompt: 'Hi' };

it.each([
	['header', {}, 'x-goog-api-key', {}],
	['header', { headerName: 'x-vendor-api-key' }, 'x-vendor-api-key', {}],
	['query', { keyLocation: 'query' }, undefined, { key: KEY }],
])('the key goes in one place: %s %j', async (place, credential, header, wanted) => {
	await bodyOf({ parameters, credential });
	onlyItem(await listen({}, { credential }));
	for (const [i, { headers, query, key }] of requests().entries()) {
		expect(key).toBe(place);
		const holding = Object.entries(headers).filter(([, value]) => String(value).includes(KEY));
		expect(holding).toEqual(header ? [[header, KEY]] : []);
		expect(query).toEqual(i === 0 ? wanted : { alt: 'sse', ...wanted });
	}
});

it.each(['/', '/v1', '/v1beta/'])('a base URL may end with %s', async (tail) => {
	await bodyOf({ parameters, credential: { baseUrl: ` ${stage.sandbox.url}${tail} ` } });
	expect(requests()[0].path).toBe('/v1beta/models/gemini-2.5-flash:generateContent');
});

describe.each(['header', 'query'])('the key in the %s shows nowhere', (keyLocation) => {
	it('whatever the service says of it', async () => {
		for (const apiKey of [KEY, 'secret/key+1']) {
			const message = `No key ${apiKey} here, nor ${encodeURIComponent(apiKey)}`;
			stage.sandbox.set({ outage: { status: 400, json: { error: { message } } } });
			const result = await ask({}, { ...CONTINUE, credential: { apiKey, keyLocation } });
			const seen = JSON.stringify([result.outputs(), result.logs, result.run, result.uiMessages]);
			expect(seen).toContain('[API key]');
			for (const form of [apiKey, encodeURIComponent(apiKey)]) expect(seen).not.toContain(form);
		}
	});

	it('whatever is streamed', async () => {
		const half = Math.ceil(KEY.length / 2);
		const quoted = [saying(`The key ${KEY.slice(0, half)}`), saying(`${KEY.slice(half)} is good`)];
		const error = { code: 500, message: `Bad ${KEY}` };
		const plans: Array<[Plan, string]> = [
			[events(...quoted, saying('.', 'STOP')), 'The key [API key] is good.'],
			[events(...quoted, { error }), 'The key [API key] is good'],
			[{ text: 'reset' }, ''],
		];
		for (const [plan, words] of plans) {
			const result = await listen(plan, { ...CONTINUE, credential: { keyLocation } });
			const seen = [result.outputs(), result.logs, result.run, result.uiMessages, result.chunks];
			expect(JSON.stringify(seen)).not.toContain(KEY);
			expect(wordsOf(result.chunks).trim()).toBe(words);
		}
	});
});
