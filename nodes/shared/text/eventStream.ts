import type { IDataObject } from 'n8n-workflow';

import { createObjectScanner, type Lacking, type ObjectScanner } from './jsonObjects';

/**
 * Reads the body of a streamed answer in whatever form a deployment gives it: server-sent events, a
 * JSON list, one object after the other (lines or not), or a single one. Bytes may be cut anywhere.
 */
export interface StreamReader {
	/** The objects that have become whole with these bytes. */
	read: (bytes: Uint8Array | string) => IDataObject[];
	/** What only the end of the body makes whole. */
	end: () => IDataObject[];
	/**
	 * Whether the body says itself that it is at its end. Nothing in HTTP tells where a proxy cut it
	 * off; events and lines have no end of their own, unless they say `[DONE]`.
	 */
	isClosed: () => boolean;
	/** Whether a part of the body could not be read, so that something of the answer is missing. */
	isBroken: () => boolean;
	/** What the body had begun when it ended, where nothing else of it is missing. */
	lacks: () => Lacking;
	/** The beginning of the body as text, for a body that holds no object. */
	start: () => string;
}

const MAX_START_CHARS = 64 * 1024;

type Form = {
	read: (text: string) => IDataObject[];
	end: () => IDataObject[];
	isOver: () => boolean;
};

export function createStreamReader(): StreamReader {
	const decoder = new TextDecoder();
	const scanner = createObjectScanner();
	let form: Form | undefined;
	let start = '';
	let unread = '';
	let lacks: Lacking;

	const readText = (text: string): IDataObject[] => {
		if (start.length < MAX_START_CHARS) start += text.slice(0, MAX_START_CHARS - start.length);
		if (form) return form.read(text);
		unread = (unread + text).trimStart();
		if (unread === '') return [];
		form = /^[[{]/.test(unread) ? asJson(scanner) : asEvents(scanner);
		return form.read(unread);
	};
	return {
		read: (bytes) =>
			readText(typeof bytes === 'string' ? bytes : decoder.decode(bytes, { stream: true })),
		end: () => {
			const last = [...readText(decoder.decode()), ...(form?.end() ?? [])];
			lacks = scanner.lacks();
			scanner.reset();
			return last;
		},
		isClosed: () => form?.isOver() === true && !scanner.isBroken(),
		isBroken: scanner.isBroken,
		lacks: () => lacks,
		start: () => start,
	};
}

/** A list ends with its bracket, a single object with its brace; more objects have no end. */
function asJson(scanner: ObjectScanner): Form {
	let isList: boolean | undefined;
	let count = 0;
	const read = (text: string) => {
		isList ??= text.startsWith('[');
		const objects = scanner.scan(text);
		count += objects.length;
		return objects;
	};
	return { read, end: () => [], isOver: () => isList === true || count === 1 };
}

/** Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
function asEvents(scanner: ObjectScanner): Form {
	let line = '';
	let endedWithCr = false;
	let isDone = false;

	const readLine = (): IDataObject[] => {
		const whole = line;
		line = '';
		// An empty line ends an event, so what it did not finish stays unfinished.
		if (whole === '') scanner.reset();
		const data = whole.startsWith('data:') ? whole.slice('data:'.length) : undefined;
		// All other lines are comments, which keep the connection alive, or fields of no use here.
		if (data === undefined) return [];
		if (data.trim() === '[DONE]' && !scanner.isInside()) {
			isDone = true;
			return [];
		}
		return scanner.scan(`${data}\n`);
	};
	const read = (text: string): IDataObject[] => {
		const objects: IDataObject[][] = [];
		// A line ends with CR, LF or both; the second half of both may come later.
		const [first, ...rest] = (endedWithCr ? text.replace(/^\n/, '') : text).split(/\r\n|\r|\n/);
		if (text !== '') endedWithCr = text.endsWith('\r');
		line += first;
		for (const next of rest) {
			objects.push(readLine());
			line = next;
		}
		return objects.flat();
	};
	return { read, end: () => (line === '' ? [] : readLine()), isOver: () => isDone };
}
