import { FIELD_NAMES, OF_PEOPLE, spellFields } from '../../../../nodes/shared/text/fieldNames';
import { read } from '../../../package/support/files';

describe('spellFields', () => {
	it.each([
		['fields', { generation_config: { max_output_tokens: 1, top_k: 2 } }, undefined],
		['fields in lists', { tools: [{ google_search: {} }] }, { tools: [{ googleSearch: {} }] }],
		[
			'a field in both spellings',
			{ thinkingConfig: { thinkingBudget: 1 }, thinking_config: { thinking_budget: 2, x: 3 } },
			{ thinkingConfig: { thinkingBudget: 1, x: 3 } },
		],
		['names of a gateway', { extra_body: { top_p: 1 } }, { extra_body: { topP: 1 } }],
		['names of people', { labels: { top_p: 'a' } }, { labels: { top_p: 'a' } }],
		[
			'names in schemas',
			{ response_schema: { properties: { file_uri: {} } } },
			{ responseSchema: { properties: { file_uri: {} } } },
		],
		[
			'arguments',
			{ function_call: { name: 'a', args: { file_uri: 'x' } } },
			{ functionCall: { name: 'a', args: { file_uri: 'x' } } },
		],
	])('%s', (_what, given, spelled) => {
		const expected = spelled ?? { generationConfig: { maxOutputTokens: 1, topK: 2 } };
		expect(spellFields(given)).toEqual(expected);
	});

	it('leaves names that are no fields, and values that are no objects, as they are', () => {
		const given = JSON.parse('{"__proto__":{"top_k":1},"constructor":[null,1,"top_k"]}') as object;
		expect(JSON.stringify(spellFields(given))).toBe(
			'{"__proto__":{"topK":1},"constructor":[null,1,"top_k"]}',
		);
		const date = new Date(0);
		expect(spellFields({ date })).toEqual({ date });
	});

	it('bears what is nested deeply', () => {
		const json = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
		expect(() => spellFields(JSON.parse(json))).not.toThrow();
	});
});

it("every name is one of Google's own client", () => {
	const types = read('node_modules/@google/genai/dist/genai.d.ts');
	const others = ['includeServerSideToolInvocations', 'enableAffectiveDialog'];
	const unknown = [...FIELD_NAMES, ...OF_PEOPLE].filter(
		(name) => !new RegExp(`\\b${name}\\??:`).test(types),
	);
	expect(unknown.filter((name) => !others.includes(name))).toEqual([]);
});
