import { wordsFor } from '../../../../nodes/shared/item/words';
import { readAnswer, toTextFailure } from '../../../../nodes/shared/text/response';

it('endless words of an answer that broke off have their limit', () => {
	const answer = { candidates: [{ content: { parts: [{ text: 'x'.repeat(30_000_000) }] } }] };
	const message = 'The stream broke';
	const failure = toTextFailure(readAnswer(answer), { how: 'cut' }, { message });
	expect(wordsFor(failure).description!.length).toBeLessThan(11_000);
	expect(failure.text!.length).toBeLessThanOrEqual(1024 * 1024);
});
