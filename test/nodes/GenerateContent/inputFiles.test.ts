import type { IBinaryData } from 'n8n-workflow';

import type { GenerateRequest } from '../../../nodes/GenerateContent/gemini/protocol';
import { loadBody } from '../../../nodes/GenerateContent/readTextJob';
import { read } from './support/textContext';

/** Reads an item with this file, and loads it as a part of the request. */
async function load(binary: IBinaryData, helpers: object = {}) {
	const setting = { parameters: { inputBinaryFields: 'data' }, binary: { data: binary }, helpers };
	const { job, helpers: given } = await read(setting);
	const { bytes } = await loadBody(given, job);
	const { contents } = JSON.parse(bytes.toString()) as GenerateRequest;
	return contents[0].parts[0].inlineData as { mimeType: string; data: string };
}

it('a stored file of a gigabyte is refused by its size', async () => {
	const binary: IBinaryData = { id: 'filesystem:1', data: 'filesystem', mimeType: 'audio/aac' };
	const getBinaryDataBuffer = jest.fn();
	const helpers = { getBinaryMetadata: async () => ({ fileSize: 1e9 }), getBinaryDataBuffer };
	await expect(load(binary, helpers)).rejects.toThrow('The files are larger than 15 MB in total');
	expect(getBinaryDataBuffer).not.toHaveBeenCalled();
});

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64');

it.each([
	['text/csv', 'YSxi', 'text/plain'],
	['application/ld+json; charset=utf-8', 'e30=', 'text/plain'],
	['application/octet-stream', PNG, 'image/png'],
	['binary/octet-stream', Buffer.from('%PDF-1.7').toString('base64'), 'application/pdf'],
	['audio/mpeg', PNG, 'audio/mpeg'],
])('a file of the type %s with the bytes %s is sent as %s', async (mimeType, data, sent) => {
	expect(await load({ data, mimeType })).toEqual({ mimeType: sent, data });
});

it('a file that neither n8n nor its bytes tell is sent as what its name says', async () => {
	const binary = { data: 'YSxi', mimeType: 'binary/octet-stream', fileName: 'list.csv' };
	expect(await load(binary)).toEqual({ mimeType: 'text/plain', data: 'YSxi' });
});
