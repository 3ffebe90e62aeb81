import type { IBinaryData } from 'n8n-workflow';

import { loadFiles, toMediaType } from '../../../nodes/GenerateContent/inputFiles';
import { read } from './support/textContext';

/** Reads an item with this file, and loads it as a part of the request. */
async function load(binary: IBinaryData, helpers: object = {}) {
	const setting = { parameters: { inputBinaryFields: 'data' }, binary: { data: binary }, helpers };
	const { job, context } = await read(setting);
	const { contents } = await loadFiles(context, 0, job.body);
	return contents[0].parts[0].inlineData as { mimeType: string; data: string };
}

it('a stored file of a gigabyte is refused by its size', async () => {
	const binary: IBinaryData = { id: 'filesystem:1', data: 'filesystem', mimeType: 'audio/aac' };
	const getBinaryDataBuffer = jest.fn();
	const helpers = { getBinaryMetadata: async () => ({ fileSize: 1e9 }), getBinaryDataBuffer };
	await expect(load(binary, helpers)).rejects.toThrow('The files are larger than 15 MB in total');
	expect(getBinaryDataBuffer).not.toHaveBeenCalled();
});

describe('a text', () => {
	const WORDS = 'Grüße, déjà vu';
	it.each([
		['UTF-8', Buffer.from(WORDS)],
		['UTF-8 with a mark', Buffer.from(`\uFEFF${WORDS}`)],
		['UTF-16', Buffer.from(`\uFEFF${WORDS}`, 'utf16le')],
		['Latin-1', Buffer.from(WORDS, 'latin1')],
	])('in %s goes as UTF-8', async (_what, bytes) => {
		const { data } = await load({ data: bytes.toString('base64'), mimeType: 'text/csv' });
		expect(Buffer.from(data, 'base64').toString().replace('\uFEFF', '')).toBe(WORDS);
	});

	it.each([
		...['text/csv', 'application/csv', 'application/x-csv', 'application/vnd.ms-excel'],
		...['application/rtf', 'application/toml', 'application/ld+json', 'text/x-python'],
	])('by the name %s goes as a text', async (mimeType) => {
		const data = Buffer.from('a,b').toString('base64');
		expect((await load({ data, mimeType, fileName: 'a.CSV' })).mimeType).toBe('text/plain');
	});
});

it.each([
	['https://www.youtube.com/watch?v=9hE5-98ZeCg', 'video/*'],
	['https://youtu.be/9hE5-98ZeCg', 'video/*'],
	['https://youtube.com.example.org/a.png', 'image/png'],
	['https://generativelanguage.googleapis.com/v1beta/files/abc-123', ''],
	['https://a.example/files/a.PDF?download=b.png#c.mp3', 'application/pdf'],
	['https://a.example/a.exe', undefined],
	['https://a.example/a.png/', undefined],
	['https://a.example/.constructor', undefined],
])('the type of %s is %j', (address, type) => {
	expect(toMediaType(new URL(address))).toBe(type);
});
