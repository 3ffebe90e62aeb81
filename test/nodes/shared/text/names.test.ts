import {
	FIELD_NAMES,
	OF_PEOPLE,
	spellFields,
	toProtocolNames,
} from '../../../../nodes/shared/text/names';
import { readProtocol } from './support/protocolTypes';

describe('a request in snake_case', () => {
	it.each([
		[
			'fields, also in lists',
			{ generation_config: { top_k: 2 }, tools: [{ google_search: {} }] },
			{ generationConfig: { topK: 2 }, tools: [{ googleSearch: {} }] },
		],
		[
			'a field in both spellings',
			{ thinkingConfig: { thinkingBudget: 1 }, thinking_config: { thinking_budget: 2, x: 3 } },
			{ thinkingConfig: { thinkingBudget: 1, x: 3 } },
		],
		['names of a gateway', { extra_body: { top_p: 1 } }, { extra_body: { topP: 1 } }],
		[
			'names in schemas',
			{ response_schema: { properties: { file_uri: {} } } },
			{ responseSchema: { properties: { file_uri: {} } } },
		],
		[
			'functions, but not what they are made of',
			{ function_declarations: [{ name: 'b', parameters: { properties: { top_k: {} } } }] },
			{ functionDeclarations: [{ name: 'b', parameters: { properties: { top_k: {} } } }] },
		],
	])('%s', (_what, given, spelled) => {
		expect(spellFields(given)).toEqual(spelled);
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

describe('an answer in snake_case', () => {
	it('is spelled as the protocol does, as deep as names stand', () => {
		const answer = {
			usage_metadata: { prompt_token_count: 1 },
			candidates: [{ finish_reason: 'S' }],
		};
		expect(toProtocolNames(answer)).toEqual({
			usageMetadata: { promptTokenCount: 1 },
			candidates: [{ finishReason: 'S' }],
		});
	});

	it('keeps what belongs to functions, and names that are no words', () => {
		const answer = JSON.parse(
			'{"function_call":{"args":{"room_name":1}},"HARM_X":1,"_a":1,"a_":1,"__proto__":{"b_c":1}}',
		) as object;
		expect(JSON.stringify(toProtocolNames(answer))).toBe(
			'{"HARM_X":1,"_a":1,"a_":1,"__proto__":{"bC":1},"functionCall":{"args":{"room_name":1}}}',
		);
	});

	it.each([
		['the one that says something', { finish_reason: 'B', finishReason: null }, 'B'],
		['the one that says something, behind', { finishReason: '', finish_reason: 'B' }, 'B'],
	])('of two spellings has %s', (_what, answer, finishReason) => {
		expect(toProtocolNames<object>(answer)).toEqual({ finishReason });
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
});
