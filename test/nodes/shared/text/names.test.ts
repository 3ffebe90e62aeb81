import { toProtocolNames } from '../../../../nodes/shared/text/names';

describe('snake_case', () => {
	it.each<[string, object, object]>([
		[
			'is spelled as the protocol does, also in lists',
			{ usage_metadata: { prompt_token_count: 1 }, candidates: [{ finish_reason: 'S' }] },
			{ usageMetadata: { promptTokenCount: 1 }, candidates: [{ finishReason: 'S' }] },
		],
		[
			'gives way to the documented spelling',
			{ thinkingConfig: { thinkingBudget: 1 }, thinking_config: { thinking_budget: 2 } },
			{ thinkingConfig: { thinkingBudget: 1 } },
		],
		[
			'counts where the documented spelling says nothing',
			{ finish_reason: 'B', finishReason: null },
			{ finishReason: 'B' },
		],
		[
			'stays in schemas',
			{ response_schema: { properties: { file_uri: {} } } },
			{ responseSchema: { properties: { file_uri: {} } } },
		],
		[
			'stays in the parameters of functions',
			{ function_declarations: [{ name: 'b', parameters: { properties: { top_k: {} } } }] },
			{ functionDeclarations: [{ name: 'b', parameters: { properties: { top_k: {} } } }] },
		],
	])('%s', (_what, value, spelled) => {
		expect(toProtocolNames(value)).toEqual(spelled);
	});
});

it('what belongs to functions, and names that are no words, stay', () => {
	const answer = JSON.parse(
		'{"function_call":{"args":{"room_name":1}},"HARM_X":1,"_a":1,"a_":1,"__proto__":{"b_c":1}}',
	) as object;
	expect(JSON.stringify(toProtocolNames(answer))).toBe(
		'{"functionCall":{"args":{"room_name":1}},"HARM_X":1,"_a":1,"a_":1,"__proto__":{"bC":1}}',
	);
});

it('what is no plain object, or nested too deeply, stays', () => {
	const date = new Date(0);
	expect(toProtocolNames({ date })).toEqual({ date });
	const json = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
	expect(() => toProtocolNames(JSON.parse(json))).not.toThrow();
});
