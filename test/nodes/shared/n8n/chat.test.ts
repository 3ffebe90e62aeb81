import { readFailed } from '../../../../nodes/shared/failure/failure';
import { createChatMessage, tellResults } from '../../../../nodes/shared/n8n/chat';
import { makeRun } from '../../../support/makeRun';

type Chunk = [type: string, itemIndex: number, content?: string];

/** A run that somebody listens to, and what was sent. */
function listened() {
	const sent: Chunk[] = [];
	const sendChunk = async (...chunk: Chunk) => void sent.push(chunk);
	const run = makeRun({ more: { isStreaming: () => true, sendChunk } });
	run.redaction.learn('secret-key-123');
	return { run, sent };
}

const FAILURE = readFailed({ message: 'No' });

it('is one message of lines, without the key and without control over the chat', async () => {
	const { run, sent } = listened();
	const message = createChatMessage(run)!;
	message.say('One with secret-key-123');
	message.say('Two\nlines');
	await message.end();
	expect(sent).toEqual([
		['begin', 0, undefined],
		['item', 0, 'One with [API key]\n\n'],
		['item', 0, 'Two\\u{a}lines\n\n'],
		['end', 0, undefined],
	]);
});

it('tells each result that has words', async () => {
	const { run, sent } = listened();
	const results = [undefined, FAILURE, { json: {} }, { json: {} }];
	await tellResults(run, results, (_result, i) => (i === 2 ? undefined : `Item ${i}`));
	const said = sent.filter(([type]) => type === 'item').map(([, , content]) => content?.trim());
	expect(said).toEqual(['No', 'Item 3']);
	expect(sent.at(-1)?.[0]).toBe('end');
});
