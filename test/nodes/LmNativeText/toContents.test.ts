import { createCallIds, keepSignature } from '../../../nodes/LmNativeText/callIds';
import type { Content, Message } from '../../../nodes/LmNativeText/protocol';
import { toContents } from '../../../nodes/LmNativeText/toContents';

const text = (words: string): Content => ({ type: 'text', text: words });
const say = (role: Message['role'], ...content: Content[]): Message => ({ role, content });
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
		say('user', text('Hello')),
		say('assistant', text(''), { type: 'reasoning' }),
		say('user', text(''), text('Go on')),
	];
	expect(toContents(talk)).toEqual({
		contents: [
			{ role: 'user', parts: [{ text: 'Hello' }] },
			{ role: 'user', parts: [{ text: 'Go on' }] },
		],
	});
});

it.each([
	['as it is named', { mediaType: 'image/png', data: 'iVBO' }, 'image/png', 'iVBO'],
	['as bytes', { mediaType: 'image/png', data: new Uint8Array([1]) }, 'image/png', 'AQ=='],
	['as a PDF without a name', { data: 'JVBERi0x' }, 'application/pdf', 'JVBERi0x'],
	['as anything', { data: 'AAAA' }, 'application/octet-stream', 'AAAA'],
])('sends a file %s', (_how, file, mimeType, data) => {
	const { contents } = toContents([say('user', { type: 'file', ...file })]);
	expect(contents[0].parts).toEqual([{ inlineData: { mimeType, data } }]);
});

describe('calls', () => {
	it('go back with their signatures, and results with the name of their call', () => {
		const id = createCallIds()(0);
		keepSignature(id, 'signed');
		expect(toContents([call(id), told(id)]).contents).toEqual([
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

	it.each([
		['two answers', [createCallIds()(0), createCallIds()(0)]],
		['another model', ['call_a', 'call_b']],
	])('of %s stay apart', (_what, [first, second]) => {
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
			{ name: 'look', response: { result: '{"deep":1}' } },
			{ name: 'tool', response: { error: 'no' } },
		]);
	});
});

it('ids are short enough for vendors that go on with the conversation', () => {
	const idOf = createCallIds();
	expect(idOf(99).length).toBeLessThanOrEqual(40);
});
