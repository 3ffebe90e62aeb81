import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isSet, throwInput } from '../shared/item/parameters';
import { parseJson } from '../shared/lib/json';
import type { Turn } from '../shared/text/request';

const FORM = 'Write it as [{ "role": "user", "text": "..." }, { "role": "model", "text": "..." }].';

/** Earlier turns in order: those of the JSON option, then those of the form. */
export function readConversation(
	context: IExecuteFunctions,
	itemIndex: number,
	options: IDataObject,
): Turn[] {
	const form = context.getNodeParameter('conversation', itemIndex, {}) as { turns?: unknown[] };
	return [
		...readList(context, itemIndex, options.conversationJson).map((turn, i) =>
			readTurn(context, itemIndex, turn, `Conversation (JSON), turn ${i + 1}`),
		),
		...(form.turns ?? []).map((turn, i) =>
			readTurn(context, itemIndex, turn, `Conversation, turn ${i + 1}`),
		),
	];
}

function readList(context: IExecuteFunctions, itemIndex: number, value: unknown): unknown[] {
	if (!isSet(value)) return [];
	const list = typeof value === 'string' ? parseJson(value) : value;
	if (Array.isArray(list)) return list;
	return throwInput(context, itemIndex, 'Conversation (JSON) must be a JSON list of turns', FORM);
}

/** A turn has a text, or parts as the protocol writes them. */
function readTurn(
	context: IExecuteFunctions,
	itemIndex: number,
	turn: unknown,
	place: string,
): Turn {
	const { role, text, parts } = (turn ?? {}) as { role?: unknown; text?: unknown; parts?: unknown };
	if (role !== 'user' && role !== 'model') {
		throwInput(
			context,
			itemIndex,
			`${place} has the role "${String(role ?? '')}"`,
			'A role is user or model. Instructions to the model belong into System Instruction.',
		);
	}
	if (Array.isArray(parts) && parts.length > 0) return { role, parts: parts as IDataObject[] };
	const words = typeof text === 'number' ? String(text) : text;
	if (typeof words === 'string' && words.trim() !== '') return { role, parts: [{ text: words }] };
	return throwInput(context, itemIndex, `${place} has no text`, 'Fill in its text or remove it.');
}
