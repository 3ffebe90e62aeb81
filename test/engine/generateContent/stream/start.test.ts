import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../../sandbox/service';
import type { RunResult } from '../../../support/engine';
import { CONTINUE, orderOf } from '../../../support/stage';
import { events, ANSWER } from '../support/answers';
import { onlyFailure, onlyItem, useTextStage } from '../support/stage';

const { stage, ask, requests, listen, actions } = useTextStage();

/** Nobody heard a word that would have to be taken back. */
function expectToHearOnly({ chunks }: RunResult, { message }: IDataObject) {
	expect(orderOf(chunks)).toBe('begin error');
	expect(chunks[1].content).toBe(message);
}

describe('before the first word', () => {
	it.each(['rateLimitedEmpty', 'json503'])('%s is tried again', async (fault) => {
		const result = await listen({ text: fault });
		expect(onlyItem(result).json.text).toBe(ANSWER);
		expect(actions()).toEqual(['streamGenerateContent', 'streamGenerateContent']);
		expect(orderOf(result.chunks)).toBe('begin item end');
	});

	it('a report of 429 inside the stream is tried again', async () => {
		const slow = events({ error: { code: 429, message: 'Slow down' } });
		expect(onlyItem(await listen(slow)).json.text).toBe(ANSWER);
		expect(requests()).toHaveLength(2);
	});

	const FAULTS: Array<Plan['text'] | Plan> = [
		...['unauthorized', 'modelNotFound', 'tooLargeHtml413', 'html200', 'codeFailWith200'],
		...['json500', 'html502', 'empty200', 'truncatedJson', 'wrongTypes', 'stringBody', 'reset'],
		{ redirect: 302, to: 'foreign' },
	];
	it.each(FAULTS)('%j is the same failing item as without streaming', async (fault) => {
		const plan = { text: { always: fault } } as Plan;
		const whole = onlyFailure(await ask(plan, CONTINUE));
		const result = await listen(plan, CONTINUE);
		expect(onlyFailure(result)).toEqual(whole);
		expect(requests()).toHaveLength(2);
		expectToHearOnly(result, whole);
		expect(stage.sandbox.count({ origin: 'foreign' })).toBe(0);
	});
});
