import { meet } from './support/meet';
import { ask, prompt } from './support/client';
import { useSandbox } from './support/stage';

// A plan can name several faults for one place, or give an answer of its own.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());

describe('a list of answers', () => {
	const statusesOf = async (poll: unknown, count: number) => {
		const { json: task } = await stage.client.submit(prompt('Listed', { poll }));
		const statuses = [];
		for (let n = 0; n < count; n++) statuses.push((await stage.client.poll(task.id)).status);
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
		expect((await stage.client.submit(asked)).status).toBe(500);
		const [one, other] = [await stage.client.submit(asked), await stage.client.submit(asked)];
		expect((await stage.client.poll(one.json.id)).status).toBe(502);
		expect((await stage.client.poll(other.json.id)).status).toBe(502);
		expect((await stage.client.submit(`${asked} again`)).status).toBe(500);
		const answers = [
			await stage.client.generate(ask(asked)),
			await stage.client.generate(ask(asked)),
		];
		expect(answers.map(({ status }) => status)).toEqual([503, 200]);
	});
});

describe('a literal answer', () => {
	it('has status, headers and body as they were given', async () => {
		const headers = { 'Content-Type': 'application/problem+json', 'x-note': 'hello' };
		const reply = await meet(stage, { status: 422, headers, json: { no: 'way' } }, 'poll');
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
		const reply = await meet(stage, literal, 'poll');
		expect([reply.text, reply.headers['content-type']]).toEqual([text, type]);
		expect(reply.status).toBe('status' in literal ? literal.status : 200);
	});

	it('only delays where that is all it says', async () => {
		const reply = await meet(stage, { delayMs: 20 }, 'poll');
		expect(reply.json.data.status).toBe('SUCCESS');
		const slow = await meet(stage, { fault: 'slow', delayMs: 20 }, 'poll');
		expect(slow.json.data.status).toBe('SUCCESS');
	});
});
