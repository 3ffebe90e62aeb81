import { ask, until } from './support/client';
import { useSandbox } from './support/stage';

// What the service promises of text.

const stage = useSandbox();

describe('generating text', () => {
	it('answers with candidates and usage', async () => {
		const { status, json } = await stage.client.generate(ask('Name a colour'));
		expect(status).toBe(200);
		expect(json.candidates).toHaveLength(1);
		expect(json.candidates[0]).toMatchObject({
			content: { role: 'model', parts: [{ text: expect.stringContaining('Name a colour') }] },
			finishReason: 'STOP',
		});
		expect(json.usageMetadata).toMatchObject({
			promptTokenCount: expect.any(Number),
			candidatesTokenCount: expect.any(Number),
		});
	});

	it('streams the same answer', async () => {
		const options = { action: 'streamGenerateContent', query: '?alt=sse' };
		const { status, headers, text } = await stage.client.generate(ask('Name a colour'), options);
		expect(status).toBe(200);
		expect(headers['content-type']).toMatch(/^text\/event-stream/);
		expect(text).toMatch(/^data: \{.*\}\r\n\r\n/);
		expect(text).not.toContain('[DONE]');
	});

	it('answers an unknown model with 503 and an unknown action with 404', async () => {
		const post = { method: 'POST', headers: { 'x-goog-api-key': 'sandbox-key' }, body: '{}' };
		const unknown = await stage.client.at('/v1beta/models/no-such-model:generateContent', post);
		expect([unknown.status, unknown.json.error.code]).toEqual([503, 'model_not_found']);
		const action = await stage.client.at('/v1beta/models/gemini-2.5-flash:dream', post);
		expect(action.status).toBe(404);
	});

	it.each([{}, { contents: [] }, { contents: 'Hello' }, { contents: [{ role: 'user' }] }])(
		'refuses %j',
		async (body) => {
			const { status, json } = await stage.client.generate(body);
			expect([status, json.error.code]).toEqual([500, 'invalid_request']);
		},
	);
});

it('leaves no request without an end', async () => {
	expect(await until(() => stage.sandbox.requests.every(({ status }) => status !== null))).toBe(
		true,
	);
});
