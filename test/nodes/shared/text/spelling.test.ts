import { toProtocolNames } from '../../../../nodes/shared/text/spelling';

describe('toProtocolNames', () => {
	it('writes names as the protocol does, as deep as they stand', () => {
		const answer = {
			usage_metadata: { prompt_token_count: 1 },
			candidates: [{ finish_reason: 'S' }],
		};
		expect(toProtocolNames(answer)).toEqual({
			usageMetadata: { promptTokenCount: 1 },
			candidates: [{ finishReason: 'S' }],
		});
	});

	it('leaves what belongs to functions, and names that are no words', () => {
		const answer = JSON.parse(
			'{"function_call":{"args":{"room_name":1}},"HARM_X":1,"_a":1,"a_":1,"__proto__":{"b_c":1}}',
		) as object;
		const read = toProtocolNames(answer);
		expect(JSON.stringify(read)).toBe(
			'{"HARM_X":1,"_a":1,"a_":1,"__proto__":{"bC":1},"functionCall":{"args":{"room_name":1}}}',
		);
		expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
	});

	it.each([
		['the documented name', { finishReason: 'A', finish_reason: 'B' }, 'A'],
		['the one that says something', { finish_reason: 'B', finishReason: null }, 'B'],
		['the one that says something, behind', { finishReason: '', finish_reason: 'B' }, 'B'],
	])('of two spellings takes %s', (_what, answer, finishReason) => {
		expect(toProtocolNames<object>(answer)).toEqual({ finishReason });
	});

	it('copies nothing where there is nothing to rename', () => {
		const answer = { candidates: [{ content: { parts: [{ text: 'a_b' }] } }] };
		expect(toProtocolNames(answer)).toBe(answer);
	});
});
