import type { IDataObject } from 'n8n-workflow';

import { parseJson, toObjects } from '../lib/json';
import { findPieces } from './jsonText';

const MAX_START_CHARS = 64 * 1024;

/**
 * Reads the body of an answer in any form that a deployment sends, in pieces that end anywhere: events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html) by line, JSON at the end.
 */
export function createStreamReader() {
	const decoder = new TextDecoder();
	const body = {
		start: '',
		/** Whether the body shows that it is complete: it is one JSON value, or has the event `[DONE]`. */
		hasEnd: false,
		/** Whether a part in the middle could not be read. */
		isBroken: false,
		/** Whether the body ended in the middle of an object or a list. */
		isCutOff: false,
	};
	/** The line that has not ended yet; if the body is JSON, all of it so far. */
	let unread = '';
	let endedWithCr = false;
	/** Tells JSON (`true`) from events (`false`); `undefined` until the body begins. */
	let isJson: boolean | undefined;
	/** The lines of an event, from the first that is not JSON by itself. */
	let data: string[] = [];

	const readJson = (text: string, isEnd: boolean): IDataObject[] => {
		const json = parseJson(text);
		if (json !== undefined) {
			body.hasEnd ||= isJson === true;
			return toObjects([json].flat());
		}
		// The text is objects one after the other, or a list without its end.
		const { pieces, rest } = findPieces(text, /\{/g);
		const objects = pieces.map(parseJson);
		const endsEarly = rest !== undefined || text.startsWith('[');
		body.isBroken ||= objects.includes(undefined) || (endsEarly && !isEnd);
		body.isCutOff = endsEarly && isEnd;
		return toObjects(objects);
	};
	const readEvent = (isEnd = false): IDataObject[] => {
		const text = data.join('\n').trim();
		data = [];
		return text === '' ? [] : readJson(text, isEnd);
	};
	const readLine = (line: string): IDataObject[] => {
		// An empty line ends an event, so JSON that is not finished here is broken.
		if (line === '') return readEvent();
		// Lines without `data:` are comments, which keep the connection alive, or unneeded fields.
		if (!line.startsWith('data:')) return [];
		const text = line.slice('data:'.length);
		if (text.trim() === '[DONE]') {
			body.hasEnd = true;
			return readEvent();
		}
		const json = data.length > 0 ? undefined : parseJson(text);
		if (json === undefined) data.push(text);
		return toObjects([json].flat());
	};
	const readText = (chars: string): IDataObject[] => {
		body.start += chars.slice(0, MAX_START_CHARS - body.start.length);
		const text = isJson === undefined ? chars.trimStart() : chars;
		if (text === '') return [];
		isJson ??= /^[[{]/.test(text);
		if (isJson) {
			unread += text;
			return [];
		}
		// A line ends with CR, LF or both; if both, the LF may come with the next bytes.
		const [first, ...rest] = (endedWithCr ? text.replace(/^\n/, '') : text).split(/\r\n|\r|\n/);
		endedWithCr = text.endsWith('\r');
		unread += first;
		return rest.flatMap((next) => {
			const line = unread;
			unread = next;
			return readLine(line);
		});
	};
	const readRest = (): IDataObject[] => {
		if (isJson) return readJson(unread, true);
		return [...(unread === '' ? [] : readLine(unread)), ...readEvent(true)];
	};
	return {
		body,
		/** Returns the objects that these bytes complete. */
		read: (bytes: Uint8Array | string): IDataObject[] =>
			readText(typeof bytes === 'string' ? bytes : decoder.decode(bytes, { stream: true })),
		/** Returns the objects that only the end of the body completes. */
		end: (): IDataObject[] => [...readText(decoder.decode()), ...readRest()],
	};
}
