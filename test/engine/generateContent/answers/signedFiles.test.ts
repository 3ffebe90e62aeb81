import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { CONTINUE } from '../../../support/stage';
import { answerWith } from '../support/answers';
import { onlyFailure, onlyItem, useTextStage } from '../support/stage';

// Models edit an image only if the turn that made it comes back with its signatures.

const { run, ask, requests } = useTextStage();

const pngOf = (name: string) =>
	Buffer.from(`\x89PNG\r\n\x1a\n${name}`, 'latin1').toString('base64');
const image = (name: string, more: object = {}) => ({
	inlineData: { mimeType: 'image/png', data: pngOf(name) },
	...more,
});
const made = (parts: object[]) =>
	answerWith({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] });
/** Asks for a change of what an item holds, with the item itself as the incoming one. */
const change = async (item: INodeExecutionData) =>
	await run({
		...CONTINUE,
		items: [item],
		parameters: {
			prompt: 'Make it blue',
			options: {
				conversation: {
					turns: [
						{ role: 'user', text: 'Draw' },
						{ role: 'json', json: JSON.stringify(item.json.content) },
					],
				},
			},
		},
	});

const SIGNED = [
	{ text: 'Here', thoughtSignature: 'one' },
	image('a', { thoughtSignature: 'two' }),
	image('b'),
];

it('the turn on the item refers to the files of the item', async () => {
	const thought = image('draft', { thought: true });
	// Vertex refuses an empty text in the next turn; a signed one has to come back.
	const end = { text: '', thoughtSignature: 'three' };
	const parts = [thought, { text: '' }, ...SIGNED, { text: '', thought: true }, end];
	const { json, binary } = onlyItem(await ask(made(parts)));
	expect(Object.keys(binary ?? {})).toEqual(['data', 'data_1']);
	expect(json.content).toEqual({
		role: 'model',
		parts: [
			SIGNED[0],
			{
				inlineData: { mimeType: 'image/png', data: '[binary field data]' },
				thoughtSignature: 'two',
			},
			{ inlineData: { mimeType: 'image/png', data: '[binary field data_1]' } },
			end,
		],
	});
});

it('it goes back word for word', async () => {
	onlyItem(await change(onlyItem(await ask(made(SIGNED)))));
	const { contents } = requests().at(-1)?.body as { contents: IDataObject[] };
	expect(contents[1]).toEqual({ role: 'model', parts: SIGNED });
});

it('says which file is not there', async () => {
	const { json } = onlyItem(await ask(made(SIGNED)));
	const before = requests().length;
	expect(onlyFailure(await change({ json })).message).toBe(
		'The item has no binary field "data" (Conversation) [item 0]',
	);
	expect(requests()).toHaveLength(before);
});
