import { createChunkReader } from '../../../nodes/GenerateContent/gemini/chunkReader';
import { takeOutPictures } from '../../../nodes/GenerateContent/gemini/files';
import { readJsonText } from '../../../nodes/GenerateContent/gemini/jsonText';
import { toFileName } from '../../../nodes/shared/download/storeFile';
import { quoteBody } from '../../../nodes/shared/failure/statement';
import { isBase64 } from '../../../nodes/shared/lib/json';
import { shortReason } from '../../../nodes/shared/lib/text';
import { toHttpUrl } from '../../../nodes/shared/lib/url';
import { toPlainName } from '../../../nodes/shared/models/names';
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

const nameOf = (wanted: string) => toFileName(wanted, 'task', 'video/mp4');
const hasHost = (host: string) => toHttpUrl(`https://${host}/b`) !== undefined;
const PICTURE = '![b](data:image/png;base64,AAAA)';

// Patterns that take square time read no more.
it.each<[name: string, read: () => unknown, value: unknown]>([
	['a file name', () => nameOf(`${'.'.repeat(999)}a`), 'a.mp4'],
	['a file name that is longer', () => nameOf(`${'.'.repeat(1_000)}a`), 'task.mp4'],
	['a host', () => hasHost('a'.repeat(253)), true],
	['a host that is longer', () => hasHost('a'.repeat(254)), false],
	// The parser drops the signs that no host has, so that only what was read before tells.
	['a host in other letters', () => hasHost(`${'\u00ad'.repeat(999)}a`), true],
	['a host in other letters that is longer', () => hasHost(`${'\u00ad'.repeat(1_000)}a`), false],
	['a model', () => toPlainName('a'.repeat(201)).length, 200],
	['a page with a script that never ends', () => quoteBody('<b>a</b><script>b<p>c'), 'a'],
	['a picture inside of brackets', () => takeOutPictures(`![a ${PICTURE}`).text, '![a '],
])('%s is read up to its bound', (_name, read, value) => {
	expect(read()).toBe(value);
});
