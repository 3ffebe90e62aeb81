import type { IDataObject } from 'n8n-workflow';

import { answered, brokeOff, event, play, RESET, say, words, type Step } from './support/source';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('the end of an answer', () => {
	const WHOLE: Array<[string, Step[]]> = [
		['says so', [say('Blue', 'STOP')]],
		['says so before the connection is cut', [say('Bl'), say('ue', 'STOP'), RESET]],
		['says so alone before it', [say('Blue'), say('', 'STOP'), RESET]],
		[
			'says so with a usage record behind it',
			[say('Blue', 'STOP'), event({ usageMetadata: {} }), RESET],
		],
		['is said in each chunk', [say('Bl', 'STOP'), say('ue', 'STOP')]],
		['has a usage record behind it', [say('Blue', 'STOP'), event({ usageMetadata: {} })]],
		['says [DONE] and gives no reason', [say('Blue'), 'data: [DONE]\n\n']],
		['is the end of a list', [JSON.stringify([words('Bl'), words('ue')])]],
		['is that of a single object', [JSON.stringify(words('Blue'))]],
		['follows objects of no known shape', [event({ type: 'ping' }), say('Blue', 'STOP')]],
	];
	it.each(WHOLE)('that %s is the end', async (_what, steps) => {
		const { result, signal } = await play(steps);
		expect(result).toMatchObject(answered('Blue'));
		expect(signal.aborted).toBe(true);
	});

	const CUT: Array<[string, Step[], string]> = [
		['with the connection', [say('Bl'), RESET], 'The connection was cut before'],
		[
			'with it, where each chunk says STOP',
			[say('B', 'STOP'), say('l', 'STOP'), RESET],
			'The conn',
		],
		['with it, where the only chunk says STOP', [say('Bl', 'STOP'), RESET], 'The connection was'],
		[
			'with silence, where each chunk says STOP',
			[say('B', 'STOP'), say('l', 'STOP'), 30_000],
			'The service sent nothing more',
		],
		['in silence', [say('Bl')], 'The stream ended before the answer was complete'],
		[
			'in silence, one of two',
			[event(two('Bl'))],
			'The stream ended before the answer was complete',
		],
		['inside an event', [say('Bl'), 'data: {"candi'], 'A part of the answer cannot'],
		['inside a list', [`[${JSON.stringify(words('Bl'))},`], 'A part of the answer'],
		[
			'by an event that is broken',
			[say('Bl'), 'data: {"candidates":[}\n\n', say('', 'STOP')],
			'A part of the answer cannot be read',
		],
		['by trouble', [say('Bl'), event({ error: { code: 503 } })], 'The service is not available'],
		[
			'by trouble in words',
			[say('Bl'), event({ error: 'gone' })],
			'The service did not continue its answer',
		],
		[
			'by the other shape of trouble',
			[say('Bl'), event({ code: 'insufficient_user_quota', message: 'No' })],
			'The account is out of credit',
		],
	];
	it.each(CUT)('that comes %s is none: what came is kept', async (_what, steps, message) => {
		expect((await play(steps)).result).toMatchObject(brokeOff('Bl', message));
	});

	it('that is trouble ends the request', async () => {
		const { result, heard, signal } = await play([event({ error: { code: 500 } }), say('late')]);
		expect(result).toMatchObject({ kind: 'unclear', trouble: { httpCode: 500 } });
		expect([heard, signal.aborted]).toEqual([[], true]);
	});
});

function two(text: string): IDataObject {
	const [first] = words(text, 'STOP').candidates as IDataObject[];
	return { candidates: [first, { content: { parts: [{ text: 'x' }] }, index: 1 }] };
}
