import { readFiles, readPcmFormat, toFile, toWav } from '../../../../nodes/shared/text/files';

describe('readPcmFormat', () => {
	it.each([
		['audio/L16;codec=pcm;rate=24000', 24_000, 1, 16],
		['AUDIO/l16 ; RATE="8000" ; channels=2', 8_000, 2, 16],
		['audio/L24;rate=48000', 48_000, 1, 24],
		['audio/L8', 24_000, 1, 8],
		['audio/pcm', 24_000, 1, 16],
		['audio/x-pcm;rate=0;channels=100', 24_000, 1, 16],
		['audio/pcm;bitrate=9;rate=abc', 24_000, 1, 16],
	])('reads %s', (mimeType, rate, channels, bits) => {
		expect(readPcmFormat(mimeType)).toEqual({ rate, channels, bits });
	});

	it.each(['audio/wav', 'audio/mpeg;rate=24000', 'audio/L160', 'audio/pcmu', 'image/L16', ''])(
		'knows that %j has a header, or none that is known',
		(mimeType) => expect(readPcmFormat(mimeType)).toBeUndefined(),
	);
});

describe('toWav', () => {
	const format = { rate: 8_000, channels: 2, bits: 24 };
	const factsOf = (wav: Buffer) => ({
		riff: wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 16),
		size: wav.readUInt32LE(4),
		format: [16, 20, 22, 32, 34].map((at) => wav.readUInt16LE(at)),
		rates: [wav.readUInt32LE(24), wav.readUInt32LE(28)],
		data: wav.toString('latin1', 36, 40),
		bytes: wav.readUInt32LE(40),
	});

	it.each([
		[0, 0, 44],
		[5, 0, 44],
		[6, 6, 50],
		[17, 12, 56],
	])('of %i bytes holds the %i of whole samples', (given, bytes, length) => {
		const wav = toWav(Buffer.alloc(given, 7), format);
		expect(wav).toHaveLength(length);
		expect(factsOf(wav)).toEqual({
			riff: 'RIFFWAVEfmt ',
			size: length - 8,
			format: [16, 1, 2, 6, 24],
			rates: [8_000, 48_000],
			data: 'data',
			bytes,
		});
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
