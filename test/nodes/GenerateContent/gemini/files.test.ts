import {
	readInlineFiles,
	readPcmFormat,
	takeOutPictures,
	toFile,
	withoutBytes,
} from '../../../../nodes/GenerateContent/gemini/files';

it.each([
	['audio/L16;codec=pcm;rate=24000', { rate: 24_000, channels: 1 }],
	['AUDIO/l16 ; RATE=8000; channels=2', { rate: 8_000, channels: 2 }],
	['audio/pcm', { rate: 24_000, channels: 1 }],
	['audio/wav', undefined],
])('%j is sound without a header: %j', (mimeType, format) => {
	expect(readPcmFormat(mimeType)).toEqual(format);
});

/** Of four bytes in mono: PCM, 24,000 samples and 48,000 bytes a second, 2 bytes and 16 bits a sample. */
const WAV_HEADER = [
	...['52494646', '28000000', '57415645', '666d7420', '10000000', '0100', '0100'],
	...['c05d0000', '80bb0000', '0200', '1000', '64617461', '04000000'],
];

it('consecutive sound without a header is one file, and no other', () => {
	const PCM = 'audio/L16;rate=24000';
	const part = (mimeType: string, text: string) => ({
		inlineData: { mimeType, data: Buffer.from(text).toString('base64') },
	});
	const sounds = [part(PCM, 'a'), { text: '' }, part(PCM, 'bcd')];
	const others = [part('audio/mpeg', 'x'), part('audio/mpeg', 'y'), part(PCM, 'ef')];
	const files = readInlineFiles([...sounds, ...others]).map(toFile);
	const tails = files.map(({ bytes }) => bytes.toString('latin1').replace(/^RIFF[^]{40}/, ''));
	expect(tails).toEqual(['abcd', 'x', 'y', 'ef']);
	expect(files[0].bytes.toString('hex', 0, 44)).toBe(WAV_HEADER.join(''));
});

const PICTURE = '![image](data:image/png;base64,iVBORw0KGgo=)';

describe('a picture in Markdown', () => {
	it.each([
		['alone', PICTURE, '', 1],
		['twice among words', `Here: ${PICTURE} and ${PICTURE}.`, 'Here:  and .', 2],
		['cut off', `Here: ${PICTURE.slice(0, -3)}`, 'Here: ', 0],
		['by its address', '![a](https://a.example/b.png)', '![a](https://a.example/b.png)', 0],
		['above the limit of 100', PICTURE.repeat(101), PICTURE, 100],
	])('%s', (_what, written, text, count) => {
		const file = { mimeType: 'image/png', pieces: ['iVBORw0KGgo='] };
		expect(takeOutPictures(written)).toEqual({ text, pictures: Array(count).fill(file) });
	});

	it('is one file, however many begin inside of it', () => {
		const written = PICTURE.slice(0, -13).repeat(1000) + PICTURE;
		const { text, pictures } = takeOutPictures(`${written}b`);
		const characters = pictures.flatMap(({ pieces }) => pieces).join('').length;
		expect([text, pictures.length, characters < written.length]).toEqual(['b', 1, true]);
	});

	it('is not in Raw Response, as are no other bytes', () => {
		const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };
		const json = JSON.stringify(withoutBytes({ parts: [{ text: PICTURE }, { inlineData }] }));
		expect(json).not.toContain('iVBOR');
	});
});
