import { MAX_MODEL_CHARS } from '../lib/text';
import { NOTHING_SENT } from './checkPrompt';
import type { Reader } from './reader';
import { describeEntered } from './values';

/** Returns the name of a model; refuses one that is too long for any. */
export function checkModel({ refuse }: Reader, shown: string, model: string): string {
	if (model.length <= MAX_MODEL_CHARS) return model;
	const message = `${shown} must be a name of at most ${MAX_MODEL_CHARS} characters`;
	return refuse(message, `${describeEntered(model)} ${NOTHING_SENT}`);
}
