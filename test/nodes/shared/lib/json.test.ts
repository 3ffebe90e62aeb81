import { withoutFiles } from '../../../../nodes/shared/lib/json';

it.each([
	['a file', { id: 'a', input: { image: 'A'.repeat(100_001) } }],
	['something nested deeply', JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown],
])('withoutFiles gives up no answer, whatever it holds: %s', (_name, answer) => {
	const kept = withoutFiles(answer);
	expect(kept === answer || JSON.stringify(kept).length < 100).toBe(true);
});
