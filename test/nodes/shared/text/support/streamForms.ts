import type { IDataObject } from 'n8n-workflow';

const CR_LF = '\r\n';

/** One event, its data spread over lines. */
const manyLines = (chunk: IDataObject, end: string) =>
	[
		'id: 7',
		'event: message',
		...JSON.stringify(chunk, null, 2)
			.split('\n')
			.map((line) => `data: ${line}`),
		'',
		'',
	].join(end);

/** Valid forms of a stream of these chunks. */
export const FORMS: Record<string, (chunks: IDataObject[]) => string> = {
	events: (chunks) => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''),
	'events with CR LF': (chunks) =>
		chunks.map((chunk) => `data: ${JSON.stringify(chunk)}${CR_LF}${CR_LF}`).join(''),
	'events with CR': (chunks) => chunks.map((chunk) => `data:${JSON.stringify(chunk)}\r\r`).join(''),
	'events of many lines': (chunks) => chunks.map((chunk) => manyLines(chunk, '\n')).join(''),
	'events of many lines with CR LF': (chunks) =>
		chunks.map((chunk) => manyLines(chunk, CR_LF)).join(''),
	'events without empty lines': (chunks) =>
		chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n`).join(''),
	'events with keep-alives and [DONE]': (chunks) =>
		`:\n\n${chunks.map((chunk) => `: alive\r\n\r\n\ndata: ${JSON.stringify(chunk)}\n\n`).join(':\n')}data: [DONE]\n\n`,
	'events, the last without its end': (chunks) =>
		chunks.map((chunk) => `\n\ndata: ${JSON.stringify(chunk)}`).join(''),
	list: (chunks) => JSON.stringify(chunks),
	'list with space': (chunks) => `\uFEFF \r\n ${JSON.stringify(chunks, null, '\t')} \n`,
	'list with keep-alives': (chunks) =>
		`[${chunks.map((chunk) => `\n\n${JSON.stringify(chunk)}`).join('\r\n,')}\n]`,
	lines: (chunks) => chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join(''),
	'objects in a row': (chunks) => chunks.map((chunk) => JSON.stringify(chunk)).join(''),
	'events of lists': (chunks) =>
		chunks.map((chunk) => `data: [${JSON.stringify(chunk)}]\n\n`).join(''),
};
export const formNames = Object.keys(FORMS);
