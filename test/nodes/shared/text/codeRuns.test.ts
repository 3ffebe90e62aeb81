import { lastOutput, readCodeRuns } from '../../../../nodes/shared/text/codeRuns';

const code = (text: string) => ({ executableCode: { language: 'PYTHON', code: text } });
const result = (output: string, outcome = 'OUTCOME_OK') => ({
	codeExecutionResult: { outcome, output },
});

describe('readCodeRuns', () => {
	it('puts each result to its code', () => {
		const parts = [{ text: 'a' }, code('1+1'), result('2'), { text: 'b' }, code('x'), result('E')];
		expect(readCodeRuns(parts)).toEqual([
			{ language: 'PYTHON', code: '1+1', outcome: 'OUTCOME_OK', output: '2' },
			{ language: 'PYTHON', code: 'x', outcome: 'OUTCOME_OK', output: 'E' },
		]);
	});

	it('keeps code without a result, and a result without code', () => {
		expect(readCodeRuns([code('1+1'), code('2+2')])).toHaveLength(2);
		expect(readCodeRuns([result('2'), result('3')])).toEqual([
			{ outcome: 'OUTCOME_OK', output: '2' },
			{ outcome: 'OUTCOME_OK', output: '3' },
		]);
	});

	it.each([[[]], [[{ executableCode: 'x' }]], [[{ codeExecutionResult: null }]]])(
		'finds none in %j',
		(parts) => expect(readCodeRuns(parts as never)).toEqual([]),
	);

	it('leaves out what is no text', () => {
		const odd = { executableCode: { language: 7, code: 'x' } };
		expect(readCodeRuns([odd])).toEqual([{ code: 'x' }]);
	});
});

it('the last output is that of the last run that has one', () => {
	expect(lastOutput(readCodeRuns([code('a'), result('1'), code('b')]))).toBe('1');
	expect(lastOutput(readCodeRuns([code('a')]))).toBeUndefined();
});
