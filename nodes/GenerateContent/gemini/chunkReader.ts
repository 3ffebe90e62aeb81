import type { IDataObject } from 'n8n-workflow';

import { parseJson, toObjects } from '../../shared/lib/json';
import { findPieces } from './jsonText';

/** So much of a body is kept for the words of a failure. */
const MAX_KEPT_START_CHARS = 64 * 1024;

/**
 * Reads the body of an answer in pieces that end anywhere. Server-sent events are read by line, JSON at
 * its end: one answer, or the list of chunks that Gemini streams unless it is asked for `alt=sse`.
 */
export function createChunkReader() {
	const decoder = new TextDecoder();
	const body = {
		/** The beginning of the body. */
		start: '',
		/** Whether there was something in the middle that is no JSON. */
		isBroken: false,
	};
	/** The line that has not ended yet; if the body is JSON, all of it so far. */
	let unread = '';
	let isJson: boolean | undefined;

	const parse = (text: string): IDataObject[] => {
		const json = parseJson(text);
		body.isBroken ||= json === undefined;
		return toObjects([json].flat());
	};
	const readLine = (line: string): IDataObject[] => {
		const data = dataOf(line);
		return data === '' || data === '[DONE]' ? [] : parse(data);
	};
	const readText = (chars: string): IDataObject[] => {
		body.start += chars.slice(0, MAX_KEPT_START_CHARS - body.start.length);
		const text = isJson === undefined ? chars.trimStart() : chars;
		if (text === '') return [];
		isJson ??= /^[[{]/.test(text);
		const [first, ...lines] = isJson ? [text] : text.split(/[\r\n]/);
		unread += first;
		return lines.flatMap((next) => {
			const line = unread;
			unread = next;
			return readLine(line);
		});
	};
	const readRest = (): IDataObject[] => {
		// The last line may be cut off; whether the answer is whole is seen by its finishReason.
		if (!isJson) return parseJson(dataOf(unread)) === undefined ? [] : readLine(unread);
		const whole = parseJson(unread);
		if (whole !== undefined) return toObjects([whole].flat());
		// A list that was cut off, or objects in a row.
		return findPieces(unread, /\{/g).pieces.flatMap(parse);
	};
	return {
		body,
		/** Returns the objects that these bytes complete. */
		read: (bytes: Uint8Array): IDataObject[] => readText(decoder.decode(bytes, { stream: true })),
		/** Returns the objects that only the end of the body completes. */
		end: (): IDataObject[] => [...readText(decoder.decode()), ...readRest()],
	};
}

/** Returns '' for comments, which keep the connection alive, and for names of events. */
const dataOf = (line: string): string =>
	line.startsWith('data:') ? line.slice('data:'.length).trim() : '';
