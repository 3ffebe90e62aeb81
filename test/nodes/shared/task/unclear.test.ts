import { toPaidTrouble } from '../../../../nodes/shared/service/paid';
import { createBatchReport } from '../../../../nodes/shared/task/batchReport';
import { toSubmitFailure } from '../../../../nodes/shared/task/taskResult';
import { makeRun } from '../../../support/makeRun';

/** What an answer to a submit, in which there is no id, leaves to a person. */
function left(status: number, body: string) {
	const warnings: string[] = [];
	const logger = { debug: () => {}, info: () => {}, warn: (line: string) => warnings.push(line) };
	const { kind: state, trouble } = toPaidTrouble({ status, headers: {}, body }, 'video');
	createBatchReport(makeRun({ more: { logger } }), 0).onOutcome({ state, trouble }, undefined);
	return { warnings, description: toSubmitFailure({ state, trouble }).description };
}

describe('of an answer that may have been a yes', () => {
	it('the log and the item hold what was sent, on one line', () => {
		const { warnings, description } = left(200, '{"code":0,\n "data":{"job":"j_17"}}');
		const sent = 'What the service sent: {"code":0, "data":{"job":"j_17"}}.';
		expect(description).toMatch(/^A task may exist and be billed, .* usage page of the service\. /);
		expect(description?.endsWith(sent)).toBe(true);
		expect(warnings).toEqual([
			expect.stringMatching(/^Node: task without a known ID: .*; what the service sent: \{.*\}$/),
		]);
	});

	it('the words of a page are shown once, and a long answer is cut', () => {
		const page = `<title>Oops</title><style>p { color: red }</style><p>Ray 8f3a ${'x'.repeat(900)}`;
		const { description, warnings } = left(503, page);
		expect(description?.match(/Oops/g)).toHaveLength(1);
		expect(description).toMatch(/What the service sent: Oops Ray 8f3a x+\.\.\.$/);
		expect(description).not.toContain('color');
		expect(warnings[0].length).toBeLessThan(700);
	});

	it('words that the cut has lost are kept', () => {
		const body = JSON.stringify({ code: 0, pad: 'x'.repeat(600), message: 'Your job is j_17' });
		expect(left(200, body).description).toMatch(/^Your job is j_17\. A task may exist/);
	});

	it('nothing is said of nothing', () => {
		const { description, warnings } = left(504, '');
		expect(description).not.toContain('sent:');
		expect(warnings).toEqual([expect.stringMatching(/\(HTTP 504\)$/)]);
	});
});

it('a refusal is told in its own words, and no warning', () => {
	const body = '{"code":"invalid_param","message":"The prompt is too long","data":null}';
	expect(left(400, body)).toEqual({ warnings: [], description: 'The prompt is too long.' });
});
