import { answerWith, oneCandidate } from '../support/answers';
import { CONTINUE, onlyFailure, onlyItem, useTextStage } from '../support/stage';

const { ask } = useTextStage();

const SCHEMA = {
	type: 'object',
	properties: { items: { type: 'array', items: { properties: { price: { type: 'number' } } } } },
	required: ['items'],
};
const parameters = { jsonOutput: true, jsonSchema: JSON.stringify(SCHEMA) };
const BROKEN = JSON.stringify({ items: [{ price: 1 }, {}, { price: '5 euros' }] });

describe('the JSON of an answer', () => {
	it.each([
		['in prose', 'Here it is: {"items":[{"price":1}]} Anything else?'],
		['among other JSON', 'Not {"price":1}, which is wrong, but {"items":[{"price":1}]}'],
		['in a fence', '```json\n{"items":[{"price":1}]}\n```'],
	])('is found %s', async (_where, text) => {
		const { json } = onlyItem(await ask(oneCandidate(text), { parameters }));
		expect(json).toMatchObject({ text, json: { items: [{ price: 1 }] } });
	});

	it('that breaks its schema is a failing item that says where, and keeps all of the text', async () => {
		const text = `${BROKEN}${' '.repeat(400)}`;
		const error = onlyFailure(await ask(oneCandidate(text), { parameters, ...CONTINUE }));
		expect(error).toEqual({
			message:
				'The JSON in the answer breaks JSON Schema: $.items[2].price must be number, and is string [item 0]',
			description:
				'Usage: 3 prompt, 5 answer, 7 thinking tokens. The whole answer is in the field text. Run it again, or describe in the prompt or in JSON Schema what the model should do instead.',
			fail_reason: 'STOP',
			text,
			retryable: false,
			next: 'changeRequest',
		});
	});

	it('that breaks it stops the node by default, and the error keeps the text', async () => {
		const { error } = await ask(oneCandidate(BROKEN), { parameters });
		expect(error).toMatchObject({ name: 'NodeApiError', context: { text: BROKEN } });
	});

	it.each([
		['breaks the schema', BROKEN],
		['is none', 'Sorry.'],
	])('is that of a further candidate, where that of the first %s', async (_how, text) => {
		const good = '{"items":[{"price":1}]}';
		const candidates = [text, good].map((one) => ({
			content: { role: 'model', parts: [{ text: one }] },
			finishReason: 'STOP',
		}));
		const { json } = onlyItem(await ask(answerWith({ candidates }), { parameters }));
		expect(json).toMatchObject({ text: good, json: { items: [{ price: 1 }] } });
		expect(json.candidates).toMatchObject([{ text }, { text: good }]);
	});

	it('is not checked where no schema was set, or no JSON asked for', async () => {
		const free = await ask(oneCandidate(BROKEN), { parameters: { jsonOutput: true } });
		expect(onlyItem(free).json.json).toEqual(JSON.parse(BROKEN));
	});
});
