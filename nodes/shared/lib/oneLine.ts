/** Signs that end a line, move the cursor or turn the writing around. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text that stays on its line, so that what comes from outside cannot write lines of its own. */
export const oneLine = (text: string): string =>
	text.replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
