import { createChunkReader } from '../../../nodes/GenerateContent/gemini/chunkReader';
import { takeOutPictures } from '../../../nodes/GenerateContent/gemini/files';
import { readJsonText } from '../../../nodes/GenerateContent/gemini/jsonText';
import { isBase64 } from '../../../nodes/shared/lib/json';
import { shortReason } from '../../../nodes/shared/lib/text';
import { stopOptimizing } from './support/unoptimized';

stopOptimizing();

/** More than V8 has stack for in a pattern, at four bytes a character. */
const LONG = 20 * 1024 ** 2;

describe('a text of 20 MB overflows no pattern', () => {
	it.each<[name: string, read: () => unknown, value: unknown]>([
		['base64', () => isBase64('A'.repeat(LONG)), true],
		['white space in a reason', () => shortReason(`a${' '.repeat(LONG)}b`).slice(0, 2), 'a '],
		['white space in a stream', () => createChunkReader().read(Buffer.alloc(LONG, ' ')).length, 0],
		[
			'a picture in a text',
			() => takeOutPictures(`![a](data:image/png;base64,${'A'.repeat(LONG)})`).text,
			'',
		],
		['letters in a fence', () => readJsonText(`\`\`\`${'a'.repeat(LONG)}\`\`\``), undefined],
	])('%s', (_name, read, value) => {
		expect(read() === value).toBe(true);
	});
});
