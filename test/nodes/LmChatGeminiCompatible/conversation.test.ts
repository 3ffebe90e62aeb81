import { toConversation, toTools } from '../../../nodes/LmChatGeminiCompatible/conversation';
import { createCallIds } from '../../../nodes/LmChatGeminiCompatible/reply';
import type {
	FunctionTool,
	Message,
	MessageContent,
	Sdk,
} from '../../../nodes/LmChatGeminiCompatible/sdk';

const toContents = (talk: Message[], signed: Record<string, string> = {}) =>
	toConversation(talk, { of: (id) => signed[id] });

const text = (words: string): MessageContent => ({ type: 'text', text: words });
const say = (role: Message['role'], ...content: MessageContent[]): Message => ({ role, content });
const call = (toolCallId: string, toolName = 'look', input = '{"at":1}') =>
	say('assistant', { type: 'tool-call', toolCallId, toolName, input });
const told = (toolCallId: string, result: unknown = 'seen', isError?: boolean) =>
	say('tool', { type: 'tool-result', toolCallId, result, isError });

const partsOfCall = { functionCall: { name: 'look', args: { at: 1 } } };
const partsOfResult = { functionResponse: { name: 'look', response: { result: 'seen' } } };

it('keeps the order of turns, and gathers what the system says', () => {
	const talk = [
		say('system', text('Be brief')),
		say('user', text('Hello')),
		say('assistant', text('Hi')),
		say('user', text('And?')),
	];
	expect(toContents(talk)).toEqual({
		systemInstruction: { parts: [{ text: 'Be brief' }] },
		contents: [
			{ role: 'user', parts: [{ text: 'Hello' }] },
			{ role: 'model', parts: [{ text: 'Hi' }] },
			{ role: 'user', parts: [{ text: 'And?' }] },
		],
	});
});

it('leaves out what is empty or no text of the protocol', () => {
	const talk = [
		say('assistant', text(''), { type: 'reasoning', text: 'Hm' }),
		say('user', text(''), text('Hi')),
	];
	expect(toContents(talk)).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] });
});

it.each([
	['as it is named', { mediaType: 'image/png', data: 'iVBO' }, 'image/png', 'iVBO'],
	['as bytes', { mediaType: 'image/png', data: new Uint8Array([1]) }, 'image/png', 'AQ=='],
	['as a PDF without a name', { data: 'JVBERi0x' }, 'application/pdf', 'JVBERi0x'],
])('sends a file %s', (_how, file, mimeType, data) => {
	const { contents } = toContents([say('user', { type: 'file', ...file })]);
	expect(contents[0].parts).toEqual([{ inlineData: { mimeType, data } }]);
});

it.each<[string, Message[], string]>([
	['only empty texts', [say('user', text(''))], 'The conversation is empty'],
	[
		'a file that is only an address',
		[say('user', { type: 'file', mediaType: 'image/png' } as unknown as MessageContent)],
		'A file in the conversation has no bytes',
	],
])('says in words what is wrong with %s', (_what, talk, words) => {
	expect(() => toContents(talk)).toThrow(words);
});

describe('calls', () => {
	it('go back with their signatures, and results with the name of their call', () => {
		const id = createCallIds()(0);
		expect(toContents([call(id), told(id)], { [id]: 'signed' }).contents).toEqual([
			{ role: 'model', parts: [{ ...partsOfCall, thoughtSignature: 'signed' }] },
			{ role: 'user', parts: [partsOfResult] },
		]);
	});

	it.each([
		['is left out', 'a', {}],
		['stays where it is an argument', 'b', { id: 'b' }],
	])("the id that n8n's agent adds %s", (_what, id, args) => {
		const { contents } = toContents([call('a', 'look', JSON.stringify({ id }))]);
		expect(contents[0].parts).toEqual([{ functionCall: { name: 'look', args } }]);
	});

	it('of one answer go back in one turn, though they come one by one', () => {
		const idOf = createCallIds();
		const [first, second] = [idOf(0), idOf(1)];
		expect(toContents([call(first), told(first), call(second), told(second)]).contents).toEqual([
			{ role: 'model', parts: [partsOfCall, partsOfCall] },
			{ role: 'user', parts: [partsOfResult, partsOfResult] },
		]);
	});

	it('of one tool get their results in their order, whichever came first', () => {
		const both = say('assistant', ...call('a').content, ...call('b').content);
		const { contents } = toContents([both, told('b', 'second'), told('a', 'first')]);
		expect(contents[1].parts.map(({ functionResponse }) => functionResponse)).toEqual(
			['first', 'second'].map((result) => ({ name: 'look', response: { result } })),
		);
	});

	it('of two answers stay apart', () => {
		const [first, second] = [createCallIds()(0), createCallIds()(0)];
		expect(first.length).toBeLessThanOrEqual(40);
		const { contents } = toContents([call(first), told(first), call(second), told(second)]);
		expect(contents.map(({ role }) => role)).toEqual(['model', 'user', 'model', 'user']);
	});

	it('with a result that is no text, or a failure, or arguments that are no JSON', () => {
		const { contents } = toContents([
			call('a', 'look', '{'),
			told('a', { deep: 1 }),
			told('b', 'no', true),
		]);
		expect(contents[0].parts).toEqual([{ functionCall: { name: 'look', args: {} } }]);
		expect(contents[1].parts.map(({ functionResponse }) => functionResponse)).toEqual([
			{ name: 'tool', response: { error: 'no' } },
			{ name: 'look', response: { result: '{"deep":1}' } },
		]);
	});
});

const tool: FunctionTool = {
	type: 'function',
	name: 'look',
	description: 'Looks',
	inputSchema: {},
};
const sdkWith = (schema: unknown) => ({ getParametersJsonSchema: () => schema }) as unknown as Sdk;
const declare = (schema: unknown) => toTools([tool], sdkWith(schema));

it('a schema that is none is refused in words', () => {
	expect(() => declare({ type: 'object', anyOf: {} })).toThrow(
		'The parameters of the tool "look" are not a valid JSON Schema: "anyOf" of the schema must be an array',
	);
});

it('nothing is declared where there are no functions', () => {
	expect(toTools([{ type: 'provider', name: 'search' }], sdkWith({}))).toEqual({});
});

const TEXT = { type: 'string' };

it.each([
	[
		"n8n's own words are left out, a property of their name is not",
		{
			$schema: 'http://json-schema.org/draft-07/schema#',
			type: 'object',
			properties: {
				$schema: TEXT,
				list: { type: 'array', items: { ...TEXT, additionalProperties: false } },
				either: { anyOf: [{ ...TEXT, additionalProperties: false }, { type: 'number' }] },
			},
			additionalProperties: false,
		},
		{
			parameters: {
				type: 'object',
				properties: {
					$schema: TEXT,
					list: { type: 'array', items: TEXT },
					either: { anyOf: [TEXT, { type: 'number' }] },
				},
			},
		},
	],
	[
		'an empty text among the values is left out, and so are values that are nothing else',
		{
			type: 'object',
			properties: { kind: { ...TEXT, enum: ['', 'a'] }, none: { ...TEXT, enum: [''] } },
		},
		{ parameters: { type: 'object', properties: { kind: { ...TEXT, enum: ['a'] }, none: TEXT } } },
	],
	[
		'a root without a type gets one',
		{ properties: { a: TEXT } },
		{ parameters: { type: 'object', properties: { a: TEXT } } },
	],
	[
		'what only JSON Schema says goes where it is read',
		{ type: 'object', properties: { kind: { const: 'a' } } },
		{ parametersJsonSchema: { type: 'object', properties: { kind: { const: 'a' } } } },
	],
	...[{ type: 'string' }, true].map((additionalProperties) => {
		const map = { type: 'object', additionalProperties };
		const schema = { type: 'object', properties: { map, other: TEXT } };
		const says = JSON.stringify(additionalProperties);
		return [`what a map holds: ${says}`, schema, { parametersJsonSchema: schema }];
	}),
	[
		'a tool that only has choices has parameters',
		{ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
		{
			parametersJsonSchema: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
		},
	],
	[
		'more beside what is named says nothing',
		{ type: 'object', properties: { a: TEXT }, additionalProperties: {} },
		{ parameters: { type: 'object', properties: { a: TEXT } } },
	],
	['an object without properties is none', { type: 'object', properties: {} }, {}],
] as Array<[string, unknown, object]>)('parameters: %s', (_what, schema, wanted) => {
	expect(declare(schema)).toEqual({
		tools: [{ functionDeclarations: [{ name: 'look', description: 'Looks', ...wanted }] }],
	});
});
