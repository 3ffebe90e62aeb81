import type { IDataObject } from 'n8n-workflow';

import {
	answerWith,
	asEvents,
	KEY,
	readStream,
	SILENCE,
	supplyModel,
} from './support/suppliedModel';

// Through n8n's own SDK: the same that an agent gets.

const human = (text: string) => [['human', text]];
const tool = {
	type: 'function',
	function: {
		name: 'look',
		description: 'Looks',
		parameters: { type: 'object', properties: { at: { type: 'number' } } },
	},
};
const signedCall = {
	functionCall: { name: 'look', args: { at: 1 } },
	thoughtSignature: 'signed',
};

describe('an answer that comes whole', () => {
	it('is its text without thoughts, with what it has used', async () => {
		const parts = [{ text: 'Hm', thought: true }, { text: 'Hello' }];
		const { model, sent } = await supplyModel({ answers: [answerWith(parts)] });
		const { text, usage_metadata } = await model.invoke(human('Hi'));
		expect(text).toBe('Hello');
		expect(usage_metadata).toMatchObject({ input_tokens: 3, output_tokens: 3, total_tokens: 6 });
		expect(sent.map(({ url }) => url)).toEqual([
			'https://api.example.com/v1beta/models/gemini-2.5-flash:generateContent',
		]);
		expect(sent[0].body).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] });
	});

	it('is asked for with what was set, and nothing else', async () => {
		const options = { temperature: 0, thinking: { level: 'low' } };
		const parameters = { model: 'models/other', options };
		const answers = [answerWith([{ text: 'A' }])];
		const { model, sent } = await supplyModel({ parameters, answers });
		await model.invoke(human('Hi'), { stop: ['END'] });
		expect(sent[0].url).toContain('/models/other:generateContent');
		expect(sent[0].body.generationConfig).toEqual({
			temperature: 0,
			thinkingConfig: { thinkingLevel: 'low' },
			stopSequences: ['END'],
		});
	});

	it('calls tools, and gets its signature back with the results', async () => {
		const second = { functionCall: { name: 'look', args: { at: 2 } } };
		const answers = [answerWith([signedCall, second]), answerWith([{ text: 'Done' }])];
		const stored = {};
		const [first, next] = await Promise.all(
			answers.map(async (answer) => await supplyModel({ answers: [answer], stored })),
		);
		const said = await first.model.bindTools([tool]).invoke(human('Look'));
		const calls = said.tool_calls!;
		expect(calls.map(({ name, args }) => [name, args])).toEqual([
			['look', { at: 1 }],
			['look', { at: 2 }],
		]);
		// As n8n's agent puts it: a message of its own for each call.
		const later = calls.flatMap((call) => [
			{ role: 'assistant', content: '', tool_calls: [{ ...call, type: 'tool_call' }] },
			{ role: 'tool', content: 'seen', tool_call_id: call.id },
		]);
		// n8n supplies the model anew, with what it has stored with the execution, perhaps in its database.
		expect(JSON.parse(JSON.stringify(stored))).toEqual(stored);
		const able = next.model.bindTools([tool]);
		expect((await able.invoke([...human('Look'), ...later])).text).toBe('Done');
		expect(first.sent[0].body.tools).toEqual([
			{
				functionDeclarations: [
					{ name: 'look', description: 'Looks', parameters: tool.function.parameters },
				],
			},
		]);
		const result = { functionResponse: { name: 'look', response: { result: 'seen' } } };
		expect(next.sent[0].body.contents).toEqual([
			{ role: 'user', parts: [{ text: 'Look' }] },
			{ role: 'model', parts: [signedCall, second] },
			{ role: 'user', parts: [result, result] },
		]);
	});

	const callWith = (args: unknown) =>
		answerWith([{ functionCall: { name: 'look', args } as unknown as IDataObject }]);

	it.each([
		['JSON text', '{"at":1}', { at: 1 }],
		['no text', '', {}],
		['null', null, {}],
		['nothing', undefined, {}],
	])('calls a tool with arguments that come as %s', async (_what, args, wanted) => {
		const { model } = await supplyModel({ answers: [callWith(args)] });
		const said = await model.bindTools([tool]).invoke(human('Look'));
		expect(said.tool_calls).toMatchObject([{ name: 'look', args: wanted }]);
	});

	it.each(['{"at":', '[1]', 5])('calls no tool with arguments %j', async (args) => {
		const { model } = await supplyModel({ answers: [callWith(args)] });
		await expect(model.bindTools([tool]).invoke(human('Look'))).rejects.toThrow(
			'The model called the tool "look" with arguments that are not a JSON object',
		);
	});

	it('advises nothing that only the node has', async () => {
		const { model } = await supplyModel({ answers: [answerWith([], { finishReason: 'SAFETY' })] });
		await expect(model.invoke(human('Hi'))).rejects.toMatchObject({
			description: expect.stringMatching(/Change the prompt\.$/),
		});
	});

	it('shows and stores no key, in words, names, arguments or signatures', async () => {
		const functionCall = { name: KEY, args: { at: `x ${KEY}`, to: 'hello world' } };
		const stored = {};
		const answers = [answerWith([{ text: KEY }, { functionCall, thoughtSignature: KEY }])];
		const { model } = await supplyModel({ answers, stored });
		const said = await model.bindTools([tool]).invoke(human('Hi'));
		expect(JSON.stringify([said.text, said.tool_calls, stored])).not.toContain(KEY);
		expect(said.tool_calls).toMatchObject([{ args: { to: 'hello world' } }]);
		expect(stored).not.toEqual({});
	});
});

describe('each form of an answer has one end, whole and streamed:', () => {
	const half = (more: object = {}) => answerWith([{ text: 'Half' }], more as IDataObject);
	const calling = (more: object = {}) => answerWith([signedCall], more as IDataObject);
	const twoCandidates = [...half({ finishReason: 'SAFETY' }).candidates, ...half().candidates];
	const BROKEN = [
		...['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'OTHER', 'SAFETY', 'RECITATION'],
		...['LANGUAGE', 'BLOCKLIST', 'SPII', 'NEW_WORD', 5],
	];

	it.each<[string, object, string | RegExp]>([
		['STOP', half(), 'Half'],
		['the token limit', half({ finishReason: 'MAX_TOKENS' }), 'Half'],
		['STOP as a number', half({ finishReason: 1 }), 'Half'],
		['a call', calling(), 'look'],
		["a call with other protocols' reason", calling({ finishReason: 'tool_calls' }), 'look'],
		['an empty error beside it', { ...half(), error: {} }, 'Half'],
		['a call inside a thought', answerWith([{ ...signedCall, thought: true }, { text: 'A' }]), 'A'],
		[
			'a call without a name',
			answerWith([signedCall, { functionCall: { args: {} } }]),
			/MALFORMED/,
		],
		['a filter, and a second candidate', { candidates: twoCandidates }, /finishReason SAFETY/],
		['a block', { promptFeedback: { blockReason: 'OTHER' } }, /blockReason OTHER/],
		['a file', answerWith([{ inlineData: { mimeType: 'image/png', data: 'AA' } }]), /with a file/],
		...BROKEN.flatMap((finishReason): Array<[string, object, RegExp]> => [
			[`${finishReason}`, half({ finishReason }), new RegExp(`finishReason ${finishReason}`)],
			[`a call, ${finishReason}`, calling({ finishReason }), /finishReason/],
		]),
	])('%s', async (_what, answer, end) => {
		const ask = async (body: unknown) =>
			(await supplyModel({ answers: [body] })).model.bindTools([tool]);
		const whole = async () => {
			const { text, tool_calls = [] } = await (await ask(answer)).invoke(human('Hi'));
			return [text, ...tool_calls.map(({ name }) => name)].join('');
		};
		const streamed = async () => {
			const { words, calls } = await readStream(
				await (await ask(asEvents(answer))).stream(human('Hi')),
			);
			return [...words, ...calls.map(({ name }) => name)].join('');
		};
		for (const get of [whole, streamed]) {
			if (typeof end === 'string') expect(await get()).toBe(end);
			else {
				const message = expect.stringMatching(end);
				await expect(get()).rejects.toMatchObject({ name: 'NodeApiError', message });
			}
		}
	});

	it.each([
		['the service said no', 'Hi', { name: 'NodeApiError', httpCode: '401' }],
		['there was nothing to ask', '', { name: 'NodeOperationError' }],
	])('an error tells whether %s', async (_what, words, error) => {
		const { model, sent } = await supplyModel({ answers: [401] });
		const seen = { functionality: 'configuration-node', ...error };
		await expect(model.invoke(human(words))).rejects.toMatchObject(seen);
		expect(sent).toHaveLength(words.length > 0 ? 1 : 0);
	});
});

describe('an answer that is streamed', () => {
	const stream = async (...answers: unknown[]) => {
		const { model, sent } = await supplyModel({ answers });
		return { chunks: await model.bindTools([tool]).stream(human('Hi')), sent };
	};

	it('comes in pieces, then its calls', async () => {
		const open = (parts: object[]) => ({ candidates: [{ content: { parts } }] });
		const events = asEvents(
			open([{ text: 'Hm', thought: true }]),
			open([{ text: 'One ' }]),
			answerWith([{ text: 'two' }, signedCall]),
		);
		const { chunks, sent } = await stream(events);
		const { words, calls } = await readStream(chunks);
		expect(words).toEqual(['One ', 'two']);
		expect(calls).toMatchObject([{ name: 'look', args: { at: 1 } }]);
		expect(sent[0].url).toMatch(/:streamGenerateContent\?alt=sse$/);
	});

	it('fails where it breaks off, behind what it has said', async () => {
		const { chunks } = await stream(
			asEvents({ candidates: [{ content: { parts: [{ text: 'One' }] } }] }),
		);
		const heard: string[] = [];
		const listen = async () => {
			for await (const { text } of chunks) heard.push(text);
		};
		await expect(listen()).rejects.toThrow('ended before the answer was complete');
		expect(heard).toEqual(['One']);
	});

	it('shows no key that is cut in two', async () => {
		const [first, second] = [KEY.slice(0, 8), KEY.slice(8)];
		const open = { candidates: [{ content: { parts: [{ text: `It is ${first}` }] } }] };
		const { chunks } = await stream(asEvents(open, answerWith([{ text: `${second}.` }])));
		expect((await readStream(chunks)).words.join('')).toBe('It is [API key]');
	});
});

describe('Stop', () => {
	const halting = async () => {
		const halt = new AbortController();
		return { halt, ...(await supplyModel({ answers: [SILENCE], halt })) };
	};

	it('ends a request whose answer comes whole', async () => {
		const { model, sent } = await halting();
		await expect(model.invoke(human('Hi'))).rejects.toThrow('the request was stopped');
		expect(sent).toHaveLength(1);
	});

	it('ends a stream', async () => {
		const { model, sent } = await halting();
		await expect(model.stream(human('Hi')).then(readStream)).rejects.toThrow('request was stopped');
		expect(sent).toHaveLength(1);
	});

	it.each(['signal', 'abortSignal', 'timeout'])('may come from whoever asks (%s)', async (name) => {
		const { model, sent } = await supplyModel({ answers: [SILENCE] });
		const end = name === 'timeout' ? 50 : AbortSignal.timeout(50);
		const asked = model.invoke(human('Hi'), { [name]: end });
		await expect(asked).rejects.toThrow();
		expect(sent[0].abortSignal?.aborted).toBe(true);
	});
});
