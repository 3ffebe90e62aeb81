import { spellFields } from '../../../../nodes/shared/text/fieldNames';
import { FIELD_NAMES, OF_PEOPLE } from '../../../../nodes/shared/text/protocolNames';
import { readProtocol } from './support/protocolTypes';

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
		[
			'names in tools',
			{ google_search: { exclude_domains: [], time_range_filter: { start_time: 'x' } } },
			{ googleSearch: { excludeDomains: [], timeRangeFilter: { startTime: 'x' } } },
		],
		[
			'functions, but not what they are made of',
			{
				function_declarations: [
					{ name: 'a', parameters_json_schema: { properties: { file_uri: {} } } },
					{ name: 'b', parameters: { properties: { top_k: {} } } },
				],
			},
			{
				functionDeclarations: [
					{ name: 'a', parametersJsonSchema: { properties: { file_uri: {} } } },
					{ name: 'b', parameters: { properties: { top_k: {} } } },
				],
			},
		],
		['names in metadata', { part_metadata: { top_k: 1 } }, { partMetadata: { top_k: 1 } }],
		['the answer of a function', { response: { file_uri: 1 } }, { response: { file_uri: 1 } }],
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

describe("the names are those of Google's own client", () => {
	const { fields, ofPeople } = readProtocol();

	it('of all fields, and no others', () => {
		// The client has what stands in it as its own options.
		expect([...FIELD_NAMES].sort()).toEqual([...fields, 'generationConfig'].sort());
	});

	it('of all fields in which any name may stand', () => {
		expect([...OF_PEOPLE].sort()).toEqual(ofPeople);
	});

	it('and all that is written with underscores is sent without', () => {
		const snake = fields.map((name) => name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`));
		const given = Object.fromEntries(snake.map((name) => [name, 1]));
		expect(Object.keys(spellFields(given) as object)).toEqual(fields);
	});
});
