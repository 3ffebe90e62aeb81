import type { Plan } from '../../sandbox/service';
import { prompt } from './support/client';
import { useSandbox } from './support/stage';

// What a prompt can ask of its own task.

const stage = useSandbox({ renderMs: 0 });

const submit = async (plan: Plan) => (await stage.client.submit(prompt('Planned', plan))).json;
const pollOnce = async (plan: Plan) => (await stage.client.poll((await submit(plan)).id)).json;

describe('reading a plan', () => {
	const refusalOf = async (text: string) => {
		const { status, json } = await stage.client.submit(text);
		expect([status, json.code, json.data]).toEqual([400, 'sandbox_plan', null]);
		return json.message as string;
	};

	it.each([
		['sandbox:{"renderMs":1', 'do not balance'],
		['sandbox:{renderMs:1}', 'not valid JSON'],
		['sandbox:{"rendrMs":1}', 'no plan key "rendrMs"'],
		['sandbox:{"renderMs":"1"}', '"renderMs": is a number'],
		['sandbox:{"renderMs":-1}', '"renderMs": is a number'],
		['sandbox:{"sizeBytes":10}', '"sizeBytes": is a whole number'],
		['sandbox:{"outcome":"DONE"}', '"outcome": is one of'],
		['sandbox:{"shape":["flat","round"]}', '"shape": is one of'],
		['sandbox:{"words":{"DONE":"x"}}', 'never says'],
		['sandbox:{"poll":["html999"]}', 'no fault "html999"'],
		['sandbox:{"poll":[{"always":"html999"}]}', 'no fault "html999"'],
		['sandbox:{"poll":[{"fault":"html999"}]}', 'no fault "html999"'],
		['sandbox:{"poll":[]}', 'is empty'],
		['sandbox:{"poll":[{"stauts":400}]}', 'no key "stauts"'],
		['sandbox:{"poll":[{"status":"400"}]}', 'status is a number'],
		['sandbox:{"poll":[{"headers":"x"}]}', 'headers is an object'],
		['sandbox:{"content":[{"redirect":200}]}', 'redirect is one of'],
		['sandbox:{"poll":[7]}', 'name or an object'],
		['sandbox:{"video":"oval"}', '"video": is one of'],
		['sandbox:{"range":"yes"}', 'is true or false'],
		['sandbox:{"resultUrl":null}', 'is a text'],
	])('refuses %s and says: %s', async (text, message) => {
		expect(await refusalOf(`A red bicycle ${text}`)).toContain(message);
	});

	it('leaves prompts alone that only use the word', async () => {
		for (const text of ['A sandbox: children play', 'sandbox:', 'my-sandbox:none {"a":1}']) {
			expect((await stage.client.submit(text)).status).toBe(200);
		}
	});

	it('takes brackets and quotes inside texts for what they are', async () => {
		const failReason = 'a } and a "{" and a \\';
		const { data } = await pollOnce({ outcome: 'FAILURE', failReason });
		expect(data.fail_reason).toBe(failReason);
	});

	it('takes white space before the object and text behind it', async () => {
		const { json } = await stage.client.submit('A bicycle sandbox:\n {"outcome":"FAILURE"} please');
		expect((await stage.client.poll(json.id)).json.data.status).toBe('FAILURE');
	});
});

describe('time and outcome', () => {
	it('queues and renders as long as it was told', async () => {
		const start = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
		const { id } = await submit({ renderMs: 10_000, queuedMs: 8_000 });
		const seen = [];
		for (const passed of [7_999, 8_000, 9_999, 10_000]) {
			clock.mockReturnValue(start + passed);
			seen.push((await stage.client.poll(id)).json.data.status);
		}
		clock.mockRestore();
		expect(seen).toEqual(['queued', 'IN_PROGRESS', 'IN_PROGRESS', 'SUCCESS']);
	});

	it('never ends where it was told so', async () => {
		const start = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
		const { id } = await submit({ outcome: 'never', renderMs: 1000 });
		clock.mockReturnValue(start + 86_400_000);
		const { data } = (await stage.client.poll(id)).json;
		clock.mockRestore();
		expect([data.status, data.progress]).toEqual(['IN_PROGRESS', '95%']);
	});

	it('says task_not_exist for a while after the submit', async () => {
		const start = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
		const { id } = await submit({ notExistMs: 500 });
		const early = await stage.client.poll(id);
		clock.mockReturnValue(start + 500);
		const later = await stage.client.poll(id);
		clock.mockRestore();
		expect([early.status, early.json.code]).toEqual([400, 'task_not_exist']);
		expect(later.json.data.status).toBe('SUCCESS');
	});

	it('refuses the download for a while after the poll has said SUCCESS', async () => {
		const start = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
		const { id } = await submit({ notCompletedMs: 2_000 });
		clock.mockReturnValue(start + 60_000);
		expect((await stage.client.poll(id)).json.data.status).toBe('SUCCESS');
		const early = await stage.client.download(id);
		clock.mockReturnValue(start + 62_000);
		const later = await stage.client.download(id);
		clock.mockRestore();
		expect([early.status, later.status]).toEqual([400, 200]);
		expect(early.json.error.message).toContain('not completed yet');
	});

	it('ends a filtered prompt as SUCCESS without a video, charged', async () => {
		const { data } = await pollOnce({ outcome: 'filtered' });
		expect([data.status, data.progress]).toEqual(['SUCCESS', '100%']);
		expect(data).not.toHaveProperty('result_url');
		expect((await stage.client.download(data.task_id)).status).toBe(502);
		expect(stage.sandbox.tasks().some(({ task_id: id }) => id === data.task_id)).toBe(true);
	});

	it('leaves the reason away where it is null, and has one where it is not told', async () => {
		const absent = await pollOnce({ outcome: 'FAILURE', failReason: null });
		expect(absent.data).not.toHaveProperty('fail_reason');
		const usual = await pollOnce({ outcome: 'FAILURE' });
		expect(usual.data.fail_reason).toMatch(/\w/);
	});
});
