import type { IDataObject } from 'n8n-workflow';

import type { Reader } from './reader';

/** Of an expression in a refusal. */
const SHOWN_CHARS = 60;

/**
 * Refuses a prompt whose field is switched to Fixed although it holds an expression: it would be
 * sent, and billed, word by word. Braces that an expression has given are the person's own.
 *
 * @param words the parameters as the person wrote them
 */
export function checkWords(read: Reader, { prompt }: IDataObject): void {
	if (typeof prompt !== 'string' || prompt.startsWith('=')) return;
	const from = prompt.indexOf('{{');
	const to = prompt.lastIndexOf('}}');
	const expression = from < 0 || to < from ? '' : prompt.slice(from, to + 2);
	// All that n8n gives an expression begins so; other words in braces may be meant as they are.
	if (!/\$[\w(]/.test(expression)) return;
	read.refuse(
		`Prompt is an expression that n8n does not evaluate: ${expression.slice(0, SHOWN_CHARS)}`,
		'Switch the field from Fixed to Expression. Nothing was sent for this item.',
	);
}
