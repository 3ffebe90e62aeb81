import type { IExecuteFunctions } from 'n8n-workflow';

import { throwInput } from '../shared/item/parameters';
import type { TextWish, Turn } from '../shared/text/request';
import type { InputFile } from './readFiles';

/** Something must be asked: by the prompt, by files, or by a conversation that ends with the user. */
export function readQuestion(
	context: IExecuteFunctions,
	itemIndex: number,
	files: InputFile[],
	turns: Turn[],
): Pick<TextWish, 'prompt' | 'turns'> {
	const prompt = readText(context, itemIndex, 'prompt', 'Prompt');
	if (prompt !== '' || files.length > 0 || turns.at(-1)?.role === 'user') return { prompt, turns };
	return throwInput(
		context,
		itemIndex,
		turns.length > 0
			? 'Prompt is empty and the conversation ends with a turn of the model'
			: 'Prompt is empty',
		'Fill in Prompt. If it is an expression, check that the incoming item has the field it names. Nothing was sent for this item.',
	);
}

/** A text as it was typed; empty for nothing but white space. */
export function readText(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
): string {
	const value = context.getNodeParameter(name, itemIndex, '') as unknown;
	if (typeof value === 'object' && value !== null) {
		throwInput(
			context,
			itemIndex,
			`${label} must be text`,
			'It is an object or a list. Write it as text with {{ JSON.stringify(...) }}.',
		);
	}
	const text = String(value ?? '');
	return text.trim() === '' ? '' : text;
}
