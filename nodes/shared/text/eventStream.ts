import type { IDataObject } from 'n8n-workflow';

import { parseJson, toObjects } from '../lib/json';
import { findObjects } from './jsonText';

const MAX_START_CHARS = 64 * 1024;

/**
 * Reads the body of an answer in any form that a deployment sends. Server-sent events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html) and lines of JSON are read line
 * by line. JSON that spans several lines, such as a list, is collected and read at the end. The
 * bytes may be cut anywhere.
 */
export function createStreamReader() {
	const decoder = new TextDecoder();
	let start = '';
	let line = '';
	let endedWithCr = false;
	/** Tells JSON (`true`) from events (`false`); `undefined` until the body begins. */
	let isJson: boolean | undefined;
	/** Lines that are not JSON by themselves, of one event or of the whole body. */
	let open: string[] = [];
	let count = 0;
	let isList = false;
	let isDone = false;
	let isBroken = false;
	let isCutOff = false;

	const take = (text: string): IDataObject[] => {
		const json = open.length > 0 ? undefined : parseJson(text);
		if (json !== undefined) return takeWhole(json);
		open.push(text);
		return [];
	};
	const takeWhole = (json: unknown): IDataObject[] => {
		isList ||= isJson === true && Array.isArray(json);
		const objects = toObjects([json].flat());
		count += objects.length;
		return objects;
	};
	const readOpen = (isEnd: boolean): IDataObject[] => {
		if (open.length === 0) return [];
		const text = open.join('\n');
		open = [];
		const json = parseJson(text);
		if (json !== undefined) return takeWhole(json);
		const found = findObjects(text);
		isBroken ||= found.isBroken || (found.isCutOff && !isEnd);
		isCutOff = found.isCutOff && isEnd;
		count += found.objects.length;
		return found.objects;
	};
	const readLine = (given: string): IDataObject[] => {
		const text = isJson === undefined ? given.trimStart() : given;
		isJson ??= text === '' ? undefined : /^[[{]/.test(text);
		if (isJson) return text.trim() === '' ? [] : take(text);
		// An empty line ends an event, so JSON that it leaves unfinished stays unfinished.
		if (text === '') return readOpen(false);
		// All other lines are comments, which keep the connection alive, or fields that are not needed.
		if (!text.startsWith('data:')) return [];
		const data = text.slice('data:'.length);
		if (data.trim() !== '[DONE]') return take(data);
		isDone = true;
		return readOpen(false);
	};
	const readText = (text: string): IDataObject[] => {
		if (start.length < MAX_START_CHARS) start += text.slice(0, MAX_START_CHARS - start.length);
		// A line ends with CR, LF or both; if both, the LF may come with the next bytes.
		const [first, ...rest] = (endedWithCr ? text.replace(/^\n/, '') : text).split(/\r\n|\r|\n/);
		if (text !== '') endedWithCr = text.endsWith('\r');
		line += first;
		return rest.flatMap((next) => {
			const whole = line;
			line = next;
			return readLine(whole);
		});
	};
	return {
		/** Returns the objects that these bytes complete. */
		read: (bytes: Uint8Array | string): IDataObject[] =>
			readText(typeof bytes === 'string' ? bytes : decoder.decode(bytes, { stream: true })),
		/** Returns the objects that only the end of the body completes. */
		end: (): IDataObject[] => [
			...readText(decoder.decode()),
			...(line === '' ? [] : readLine(line)),
			...readOpen(true),
		],
		/**
		 * Returns whether the body itself shows that it is complete: by the bracket of a list, the
		 * brace of a single object, or `[DONE]`. Nothing in HTTP tells that a proxy cut off lines or
		 * events.
		 */
		isClosed: () =>
			!isBroken && !isCutOff && (isDone || isList || (isJson === true && count === 1)),
		/** Returns whether a part in the middle of the body could not be read. */
		isBroken: () => isBroken,
		/** Returns whether the body ended in the middle of an object or a list. */
		isCutOff: () => isCutOff,
		/** Returns the beginning of the body as text, for a body that holds no object. */
		start: () => start,
	};
}
