import type { IDataObject } from 'n8n-workflow';

import { isSet, type Reader, toPlainText } from '../shared/item/reader';
import { isObject, parseJson } from '../shared/lib/json';
import { spellFields } from '../shared/text/fieldNames';
import type { TextWish, Turn } from '../shared/text/request';
import { readRows } from './readLists';

const FORM = 'Write it as [{ "role": "user", "text": "..." }, { "role": "model", "text": "..." }].';

const TEXT_OR_PARTS =
	'A turn has either text or parts, such as { "role": "user", "parts": [{ "text": "..." }] }. Nothing was sent for this item.';

/**
 * Something must be asked: by the prompt, by files, or by a conversation that ends with the user.
 *
 * @param contents first turns, from Extra Fields
 */
export function readQuestion(
	read: Reader,
	contents: unknown,
	hasFiles: boolean,
): Pick<TextWish, 'prompt' | 'turns'> {
	const prompt = read.optionalText('prompt');
	const turns = [...readContents(read, contents), ...readConversation(read)];
	if (prompt !== '' || hasFiles || turns.at(-1)?.role === 'user') return { prompt, turns };
	return read.refuse(
		turns.length > 0
			? 'Prompt is empty and the conversation ends with a model turn'
			: 'Prompt is empty',
		'Fill in Prompt. If it is an expression, check that the incoming item has the field it refers to. Nothing was sent for this item.',
	);
}

/** As the protocol writes them; it takes a turn without a role as the user's. */
const readContents = (read: Reader, contents: unknown): Turn[] =>
	(Array.isArray(contents) ? (contents as unknown[]) : []).map((turn, i) => {
		const given = isObject(turn) && !isSet(turn.role) ? { ...turn, role: 'user' } : turn;
		return readTurn(read, given, `contents in Extra Fields (JSON), turn ${i + 1}`);
	});

/** Earlier turns in order: those of the JSON option, then those of the form. */
const readConversation = (read: Reader): Turn[] => [
	...readList(read).map((turn, i) => readTurn(read, turn, `Conversation (JSON), turn ${i + 1}`)),
	...readRows(read, 'conversation', 'turns').map((turn, i) =>
		readTurn(read, turn, `Conversation, turn ${i + 1}`),
	),
];

function readList({ options, refuse }: Reader): unknown[] {
	if (!options.isSet('conversationJson')) return [];
	const value = options.value('conversationJson');
	const list = typeof value === 'string' ? parseJson(value) : value;
	if (Array.isArray(list)) return list;
	// Such as the field content of an earlier item.
	if (isObject(list) && isSet(list.role)) return [list];
	return refuse('Conversation (JSON) must be a JSON array of turns', FORM);
}

/** A turn has a text, or parts as the protocol writes them. */
function readTurn({ refuse }: Reader, turn: unknown, place: string): Turn {
	const { role, text, parts } = isObject(turn) ? turn : ({} as IDataObject);
	if (role !== 'user' && role !== 'model') {
		return refuse(
			`${place} has the unknown role "${toPlainText(role) ?? ''}"`,
			'The role must be user or model. Put instructions for the model into System Instruction.',
		);
	}
	const words = toPlainText(text) ?? '';
	if (Array.isArray(parts) && parts.length > 0) {
		if (isSet(text)) refuse(`${place} has text beside its parts`, TEXT_OR_PARTS);
		if (!parts.every(isObject)) refuse(`${place} has a part that is no object`, TEXT_OR_PARTS);
		return { role, parts: spellFields(parts) as IDataObject[] };
	}
	if (words.trim() !== '') return { role, parts: [{ text: words }] };
	return refuse(`${place} has no text`, 'Fill in its text, or remove the turn.');
}
