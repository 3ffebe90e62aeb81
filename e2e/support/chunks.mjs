/**
 * The chunks of a streaming answer of n8n, one JSON object a line, each as soon as it has come. Ends
 * with the answer; a line that is no JSON throws.
 */
export async function* readChunks(response) {
	const decoder = new TextDecoder();
	let unread = '';
	for await (const bytes of response.body) {
		unread += decoder.decode(bytes, { stream: true });
		const lines = unread.split('\n');
		unread = lines.pop();
		for (const line of lines.filter(Boolean)) yield JSON.parse(line);
	}
	if (unread !== '') yield JSON.parse(unread);
}

/** Reads a whole answer; `onWords` is called with the words so far. */
export async function listen(response, onWords = () => {}) {
	const chunks = [];
	for await (const chunk of readChunks(response)) {
		chunks.push(chunk);
		if (chunk.type === 'item') onWords(wordsOf(chunks));
	}
	return chunks;
}

export const wordsOf = (chunks) =>
	chunks
		.filter(({ type }) => type === 'item')
		.map(({ content }) => content)
		.join('');
