import { shortReason } from '../../../nodes/shared/item/words';
import { isBase64 } from '../../../nodes/shared/lib/json';
import { readErrorObject } from '../../../nodes/shared/service/serviceWords';
import { createStreamReader } from '../../../nodes/shared/text/eventStream';
import { readReference } from '../../../nodes/shared/text/answerFiles';
import { readJsonText } from '../../../nodes/shared/text/jsonText';
import { toProtocolNames } from '../../../nodes/shared/text/names';

/** More than V8 has stack for in a pattern, at four bytes a character (test/support/wornPatterns.js). */
const LONG = 20 * 1024 ** 2;
const LETTERS = 'a'.repeat(LONG);
const wordsOf = (message: string) => readErrorObject({ message }).words;

describe('a text of 20 MB overflows no pattern', () => {
	it.each<[name: string, read: () => unknown, value: unknown]>([
		['base64', () => isBase64('A'.repeat(LONG)), true],
		['white space in an answer', () => wordsOf(`a${' '.repeat(LONG)}b`)?.slice(0, 2), 'a '],
		['zeros in an answer', () => wordsOf('\0'.repeat(LONG)), undefined],
		['white space in a reason', () => shortReason(`a${' '.repeat(LONG)}b`).slice(0, 2), 'a '],
		['white space in a stream', () => createStreamReader().read(' '.repeat(LONG)).length, 0],
		['a name in an answer', () => Object.keys(toProtocolNames({ [LETTERS]: 1 }))[0], LETTERS],
		[
			'a reference',
			() => readReference({ inlineData: { data: `[binary field ${LETTERS}` } }),
			undefined,
		],
		['letters in a fence', () => readJsonText(`\`\`\`${'a'.repeat(LONG)}\`\`\``), undefined],
	])('%s', (_name, read, value) => {
		expect(read() === value).toBe(true);
	});
});
