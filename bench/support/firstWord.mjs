import assert from 'node:assert/strict';

/** The words of one line of a stream; `''` for a line that has none. */
const ofEvent = (line) => {
	if (!line.startsWith('data: ')) return '';
	const { candidates } = JSON.parse(line.slice('data: '.length));
	return candidates[0].content.parts.map(({ text }) => text).join('');
};
const ofChunk = (line) => {
	if (line === '') return '';
	const { type, content } = JSON.parse(line);
	assert.notEqual(type, 'error', line);
	return type === 'item' ? content : '';
};

async function hear(open, wordsOf) {
	const from = performance.now();
	const since = () => performance.now() - from;
	const response = await open();
	const decoder = new TextDecoder();
	let [firstMs, pieces, words, unread] = [undefined, 0, '', ''];
	for await (const bytes of response.body) {
		const lines = (unread + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
		unread = lines.pop();
		for (const said of lines.map(wordsOf).filter(Boolean)) {
			firstMs ??= since();
			pieces++;
			words += said;
		}
	}
	const totalMs = since();
	assert.ok(response.ok, `The answer is ${response.status}: ${unread}`);
	return { firstMs, totalMs, pieces, words };
}

/** Server-sent events of the service: `{ firstMs, totalMs, pieces, words }`, from the call on. */
export const hearEvents = async (open) => await hear(open, ofEvent);

/** The same of a webhook of n8n that streams. */
export const hearChunks = async (open) => await hear(open, ofChunk);

/** The same of an answer that comes whole: its first word is its end. */
export async function hearWhole(open, wordsOf) {
	const from = performance.now();
	const response = await open();
	const body = await response.text();
	const totalMs = performance.now() - from;
	assert.ok(response.ok, `The answer is ${response.status}: ${body}`);
	return { firstMs: totalMs, totalMs, pieces: 1, words: wordsOf(JSON.parse(body)) };
}
