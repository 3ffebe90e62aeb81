import { toPaidFailure } from '../../../../nodes/shared/text/textFailure';

it.each([
	['words', { text: 'x'.repeat(30_000_000) }],
	['calls', { functionCall: { name: 'look', args: { at: 'x'.repeat(30_000_000) } } }],
])('endless %s of an answer that broke off have their limit', (_what, part) => {
	const answer = { candidates: [{ content: { parts: [part] } }] };
	const { description, text = '' } = toPaidFailure('The stream broke', answer);
	expect(description!.length).toBeLessThan(11_000);
	expect(text.length).toBeLessThanOrEqual(1024 * 1024);
});
