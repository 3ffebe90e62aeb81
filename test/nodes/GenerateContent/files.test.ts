import type { IBinaryData } from 'n8n-workflow';

import { generateContentFields } from '../../../nodes/GenerateContent/fields';
import { loadFiles, readInputFiles, toMediaType } from '../../../nodes/GenerateContent/files';
import { createReader } from '../../../nodes/shared/item/reader';
import { openRun } from '../../../nodes/shared/item/run';
import { BYTES, makeStored } from './support/storedFile';
import { makeContext } from './support/textContext';

/** Reads the field of an item with this file, and loads it as a part of a turn. */
async function load(binary: IBinaryData, helpers: object = {}) {
	const { context } = makeContext({ parameters: { images: 'data' }, binary: { data: binary } });
	Object.assign(context.helpers, helpers);
	const run = openRun(context, 'nativeTextApi', generateContentFields);
	const files = await readInputFiles(createReader(run, 0), context);
	const [part] = await loadFiles(context, files);
	return part.inlineData as { mimeType: string; data: string };
}

describe('a stored file', () => {
	it.each([[[]], [[1]], [[2, 2]], [[3, 4, 5]], [[1, 1, 1, 1]], [[0, 99]], [[98]], [[50, 25]]])(
		'gives the same for chunks of %j bytes, and is closed after its start is read',
		async (lengths) => {
			const { binary, helpers, seen } = makeStored(lengths);
			expect((await load(binary, helpers)).data).toBe(BYTES.toString('base64'));
			expect(seen).toMatchObject({ opened: 2, closed: 2 });
			expect(seen.chunks[0]).toBeLessThanOrEqual(seen.chunks[1]);
		},
	);

	it('is given up where it has grown since it was checked', async () => {
		const { binary, helpers, seen } = makeStored([10, 10, 40], 15);
		await expect(load(binary, helpers)).rejects.toThrow(
			'"data" (Input Binary Fields) has grown since it was checked',
		);
		expect(seen.chunks[1]).toBe(2);
	});
});

it('a file inside the item is taken as it is', async () => {
	const data = BYTES.toString('base64');
	expect(await load({ data, mimeType: 'audio/aac' })).toEqual({ mimeType: 'audio/aac', data });
});

describe('a text', () => {
	const WORDS = 'Grüße, déjà vu';
	it.each([
		['UTF-8', Buffer.from(WORDS)],
		['UTF-8 with a mark', Buffer.from(`\uFEFF${WORDS}`)],
		['UTF-16, little end first', Buffer.from(`\uFEFF${WORDS}`, 'utf16le')],
		['UTF-16, big end first', Buffer.from(`\uFEFF${WORDS}`, 'utf16le').swap16()],
		['Latin-1', Buffer.from(WORDS, 'latin1')],
	])('in %s goes as UTF-8', async (_what, bytes) => {
		const { data } = await load({ data: bytes.toString('base64'), mimeType: 'text/csv' });
		expect(Buffer.from(data, 'base64').toString().replace('\uFEFF', '')).toBe(WORDS);
	});

	it.each([
		['application/csv', 'a.csv', 'text/csv'],
		['application/vnd.ms-excel', 'a.CSV', 'text/csv'],
		['application/rtf', 'a.rtf', 'text/rtf'],
		['application/toml', 'a.toml', 'text/plain'],
		['application/ld+json', undefined, 'text/plain'],
	])('by the name %s goes as what it is', async (mimeType, fileName, wanted) => {
		const data = Buffer.from('a,b').toString('base64');
		expect((await load({ data, mimeType, fileName })).mimeType).toBe(wanted);
	});

	it('is not what Excel writes', async () => {
		const binary = { data: 'AAAA', mimeType: 'application/vnd.ms-excel', fileName: 'a.xls' };
		await expect(load(binary)).rejects.toThrow('unsupported type application/vnd.ms-excel');
	});
});

it.each([
	['https://www.youtube.com/watch?v=9hE5-98ZeCg', 'video/*'],
	['https://youtu.be/9hE5-98ZeCg', 'video/*'],
	['https://m.youtube.com/shorts/a.b', 'video/*'],
	['https://youtube.com.example.org/a.png', 'image/png'],
	['https://generativelanguage.googleapis.com/v1beta/files/abc-123', ''],
	['https://a.example/files/a.PDF?download=b.png#c.mp3', 'application/pdf'],
	['gs://bucket/folder/a.b.jpeg', 'image/jpeg'],
	['https://a.example/a', undefined],
	['https://a.example/a.exe', undefined],
	['https://a.example/a.png/', undefined],
	['https://a.example/.constructor', undefined],
])('the type of %s is %j', (address, type) => {
	expect(toMediaType(new URL(address))).toBe(type);
});
