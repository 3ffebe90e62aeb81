import { readAnswer } from '../../../../nodes/shared/text/response';
import {
	toBrokenJsonFailure,
	toRequestFailure,
	toUnusedFailure,
} from '../../../../nodes/shared/text/textFailure';

const interrupted = (...parts: object[]) =>
	toRequestFailure({
		kind: 'unclear',
		trouble: { message: 'The stream broke', retryable: true },
		partial: { candidates: [{ content: { parts } }] },
	});

describe('an interrupted answer', () => {
	it('is told in the description', () => {
		const failure = interrupted({ text: 'Blue' });
		expect(failure.description).toContain('Text so far: "Blue"');
		expect(failure).not.toHaveProperty('text');
	});

	it('that is long is kept beside it', () => {
		const text = 'x'.repeat(30_000);
		const failure = interrupted({ text });
		expect(failure.description).toContain(
			'Start of the text so far (30,000 characters, more in the field text): "xxx',
		);
		expect(failure.description!.length).toBeLessThan(11_000);
		expect(failure.text).toBe(text);
	});

	it.each([
		['words', { text: 'x'.repeat(30_000_000) }],
		['calls', { functionCall: { name: 'look', args: { at: 'x'.repeat(30_000_000) } } }],
	])('of endless %s has its limit', (_what, part) => {
		const { description, text = '' } = interrupted(part);
		expect(description!.length).toBeLessThan(11_000);
		expect(text.length).toBeLessThanOrEqual(1024 * 1024);
	});
});

it('a long answer that could not be made into an item is kept beside its description', () => {
	const text = 'x'.repeat(30_000);
	const answer = { candidates: [{ content: { parts: [{ text }] } }], usageMetadata: { total: 1 } };
	const failure = toUnusedFailure(new Error('The disk is full'), answer);
	expect(failure).toMatchObject({ text, usage: { total: 1 }, next: 'checkUsage' });
});

it('endless JSON that breaks its schema has its limit', () => {
	const parts = [{ text: 'x'.repeat(2 * 1024 * 1024) }];
	const answer = readAnswer({ candidates: [{ content: { parts } }] });
	const failure = toBrokenJsonFailure(answer.candidates[0], answer, { path: '$', why: 'breaks' });
	expect(failure.text).toHaveLength(1024 * 1024);
	expect(failure.description).toContain('The beginning of the answer is in the field text.');
});
