import { isSet, type Reader, toPlainText } from '../shared/item/reader';

/** A list of texts, or a single one; empty ones are left out, and no default is taken. */
export function readTexts(read: Reader, name: string): string[] {
	if (!read.isSet(name)) return [];
	const value = read.value(name);
	const texts = (Array.isArray(value) ? value : [value]).filter(isSet).map(toPlainText);
	const isText = (text: string | undefined) => text !== undefined;
	if (texts.every(isText)) return texts;
	return read.refuse(`${read.label(name)} must be text`, 'Enter one text, or an array of texts.');
}

/** What was added to a fixed collection; the list is checked, what stands in it is not. */
export function readRows(read: Reader, name: string, group: string): unknown[] {
	const rows = read.object(name)[group] ?? [];
	if (Array.isArray(rows)) return rows;
	return read.refuse(`${read.label(name)} must be a list`, `Write it as { "${group}": [...] }.`);
}
