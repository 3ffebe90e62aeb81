import { wordsFor } from '../../../../nodes/shared/item/words';
import { readAnswer, toTextFailure } from '../../../../nodes/shared/text/response';

it.each([
	['words', { text: 'x'.repeat(30_000_000) }],
	['calls', { functionCall: { name: 'look', args: { at: 'x'.repeat(30_000_000) } } }],
])('endless %s of an answer that broke off have their limit', (_what, part) => {
	const answer = { candidates: [{ content: { parts: [part] } }] };
	const message = 'The stream broke';
	const failure = toTextFailure(readAnswer(answer), { how: 'cut' }, { message });
	const { description } = wordsFor(failure);
	const { text = '' } = failure;
	expect(description!.length).toBeLessThan(11_000);
	expect(text.length).toBeLessThanOrEqual(1024 * 1024);
});
