import type { IDataObject } from 'n8n-workflow';

import { isSet, type Reader, toPlainText } from './reader';

/**
 * Returns the text or number in the field of the incoming item that an option names; `undefined` if
 * the option is not set, or the item has no such field.
 */
export function findInputField({ input, isSet: isGiven, text }: Reader, name: string) {
	if (!isGiven(name)) return undefined;
	const value = valueAt(input.json, text(name));
	return isSet(value) ? toPlainText(value) : undefined;
}

/** Refuses an item without the field that an option names. */
export const refuseWithoutField = ({ label, refuse, text }: Reader, name: string): never =>
	refuse(
		`The item has no text or number in the field "${text(name)}"`,
		`${label(name)} takes the name of an input field, such as film. If a node before drops it, turn on Include Other Input Fields there.`,
	);

/** Returns the field of this name, or else what a path such as `shots[0].id` or `a['b c']` leads to. */
function valueAt(json: IDataObject, path: string): unknown {
	if (path in json) return json[path];
	const steps = [...path.matchAll(/\[['"]?(.*?)['"]?\]|[^.[]+/g)];
	return steps.reduce<unknown>(
		(value, [step, name = step]) => (value as IDataObject | undefined)?.[name],
		json,
	);
}
