import type { IDataObject } from 'n8n-workflow';

import { answerWith } from '../support/answers';
import { onlyItem, useTextStage } from '../support/stage';

// Models go on with a turn of theirs only if its signatures come back.

const { run, ask, requests } = useTextStage();

const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };
const SIGNED = [
	{ text: 'Here', thoughtSignature: 'one' },
	// Vertex refuses an empty text in the next turn; a signed one has to come back.
	{ text: '', thoughtSignature: 'two' },
];

it('the turn on the item has all but its files, which are on the item', async () => {
	const parts = [{ text: '' }, ...SIGNED, { inlineData, thoughtSignature: 'three' }];
	const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP' }];
	const { json, binary } = onlyItem(await ask(answerWith({ candidates })));
	expect(Object.keys(binary ?? {})).toEqual(['data']);
	expect(json.content).toEqual({ role: 'model', parts: SIGNED });
});

it('a turn goes back word for word, also with a file in it', async () => {
	const turn = { role: 'model', parts: [...SIGNED, { inlineData, thoughtSignature: 'three' }] };
	const turns = [
		{ role: 'user', text: 'Draw' },
		{ role: 'json', json: JSON.stringify(turn) },
	];
	const parameters = { prompt: 'Make it blue', options: { conversation: { turns } } };
	onlyItem(await run({ parameters }));
	const { contents } = requests()[0].body as { contents: IDataObject[] };
	expect(contents[1]).toEqual(turn);
});
