import { readFiles, readPcmFormat, toFile, toWav } from '../../../../nodes/shared/text/answerFiles';

describe('readPcmFormat', () => {
	it.each([
		['audio/L16;codec=pcm;rate=24000', 24_000, 1],
		['AUDIO/l16 ; RATE="8000" ; channels=2', 8_000, 2],
		['audio/pcm', 24_000, 1],
		['audio/x-pcm;rate=0;channels=100', 24_000, 1],
		['audio/pcm;bitrate=9;rate=abc', 24_000, 1],
	])('reads %s', (mimeType, rate, channels) => {
		expect(readPcmFormat(mimeType)).toEqual({ rate, channels });
	});

	it.each([
		'audio/wav',
		'audio/mpeg;rate=24000',
		'audio/L160',
		'audio/L24',
		'audio/pcmu',
		'image/L16',
		'',
	])('knows that %j has a header, or none that is known', (mimeType) =>
		expect(readPcmFormat(mimeType)).toBeUndefined(),
	);
});

describe('toWav', () => {
	const format = { rate: 8_000, channels: 2 };
	it('holds only whole samples', () => {
		const wav = toWav(Buffer.alloc(17, 7), format);
		expect([wav.length, wav.readUInt32LE(40)]).toEqual([60, 16]);
	});

	it('of a file that has its header is that file', () => {
		const wav = toWav(Buffer.alloc(8), format);
		expect(toWav(wav, format)).toBe(wav);
	});
});

describe('readFiles', () => {
	const part = (mimeType: string, data: string) => ({
		inlineData: { mimeType, data: Buffer.from(data).toString('base64') },
	});
	const PCM = 'audio/L16;rate=24000';

	it('joins sound without a header alone, also over other parts', () => {
		const files = readFiles([
			part(PCM, 'a'),
			{ text: '' },
			part(PCM, 'bcd'),
			part('audio/mpeg', 'x'),
			part('audio/mpeg', 'y'),
			part(PCM, 'ef'),
		]).map(toFile);
		const tails = files.map(({ bytes }) => bytes.toString('latin1').replace(/^RIFF[^]{40}/, ''));
		expect(tails).toEqual(['abcd', 'x', 'y', 'ef']);
	});
});
