import type { INodeExecutionData } from 'n8n-workflow';

import { itCostsNothing, type BadInput } from '../support/badInput';
import { useTextStage } from '../support/stage';

const textStage = useTextStage();

const file = (bytes: number, mimeType: string): INodeExecutionData['binary'] => ({
	data: { data: Buffer.alloc(bytes, 'a').toString('base64'), mimeType },
});

describe('bad input costs nothing and says what to do', () => {
	const rows: BadInput[] = [
		[
			'a binary field that is not there',
			{
				parameters: { prompt: 'Hi', images: 'data, photo' },
				items: [{ json: {}, binary: file(9, 'text/plain') }],
			},
			/^The item has no binary field "photo" \(Input Binary Fields\)/,
			/correct the name/,
		],
		[
			'a binary field on an item without any',
			{ parameters: { prompt: 'Hi', images: 'data' } },
			/^The item has no binary field "data"/,
			/^Add a node that loads the file before this one, or correct the name\./,
		],
		[
			'a file that the protocol does not take',
			{ parameters: { images: 'data' }, items: [{ json: {}, binary: file(9, 'application/zip') }] },
			/^The binary field "data" \(Input Binary Fields\) has the unsupported type application\/zip/,
			/accepts images, audio, video, PDF and text/,
		],
		[
			'a file of no known type',
			{ parameters: { images: 'data' }, items: [{ json: {}, binary: file(9, '') }] },
			/does not say what type of file it contains/,
			/accepts images, audio, video, PDF and text/,
		],
		[
			'an image that is none',
			{ parameters: { images: 'data' }, items: [{ json: {}, binary: file(9, 'image/png') }] },
			/^The binary field "data" \(Input Binary Fields\) does not contain an image/,
			/accepts images, audio, video, PDF and text/,
		],
		[
			'an empty file',
			{ parameters: { images: 'data' }, items: [{ json: {}, binary: file(0, 'text/plain') }] },
			/^The binary field "data" \(Input Binary Fields\) is empty/,
			/accepts images, audio, video, PDF and text/,
		],
		[
			'files of more than 15 MB',
			{
				parameters: { images: 'data,data' },
				items: [{ json: {}, binary: file(8_000_000, 'audio/mpeg') }],
			},
			/^The files are larger than 15 MB in total/,
			/Make them smaller/,
		],
	];

	itCostsNothing(textStage, rows);
});
