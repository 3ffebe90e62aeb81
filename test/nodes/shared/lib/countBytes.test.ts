import { countBytes } from '../../../../nodes/shared/lib/json';

it.each<[string, unknown]>([
	['a text', 'ä'.repeat(10_000)],
	['a file in an item', { json: {}, binary: { data: { data: 'A'.repeat(10_000) } } }],
	['a list of numbers', Array.from({ length: 5_000 }, () => 1_234_567)],
	['names', Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`name ${i}`, null]))],
])('counts about as much as JSON has: %s', (_what, value) => {
	const inJson = Buffer.byteLength(JSON.stringify(value));
	expect(countBytes(value) / inJson).toBeGreaterThan(0.8);
	expect(countBytes(value) / inJson).toBeLessThan(1.5);
});

it('counts what is nested too deeply for JSON', () => {
	let deep: unknown = 'x';
	for (let i = 0; i < 100_000; i++) deep = [deep];
	expect(countBytes(deep)).toBeGreaterThan(100_000);
});
