import { sleep } from 'n8n-workflow';

import { giveWay } from '../../../../nodes/shared/lib/time';
import { writeFrame } from '../../../../nodes/VideoJoin/film/flac';
import { planFilm } from '../../../../nodes/VideoJoin/film/planFilm';
import { openClip } from '../../../../nodes/VideoJoin/film/readClip';
import { readSoundtrack } from '../../../../nodes/VideoJoin/film/soundtrack';
import { layOut } from '../../../../nodes/VideoJoin/film/writeFilm';
import { findBox } from '../../../../nodes/shared/mp4/boxes';
import { bytesOf, madeClip, openAndRead, toFile } from './support/madeClip';

jest.mock('../../../../nodes/shared/lib/time', () => {
	const time = jest.requireActual('../../../../nodes/shared/lib/time');
	return { ...time, giveWay: jest.fn(time.giveWay) };
});

// What is read of a file of sound. That players hear it in time is tested with ffmpeg and Chromium.

const text = (value: string) => Buffer.from(value, 'latin1');
const join = (...parts: Buffer[]) => Buffer.concat(parts);
const zeros = (bytes: number) => '00'.repeat(bytes);
const repeat = (count: number, part: Buffer) => join(...Array<Buffer>(count).fill(part));

/** A frame of MP3 whose header asks for so many bytes: 44.1 kHz mono, and 24 kHz stereo. */
const frame = (header: string, bytes: number, fill = 0) =>
	join(Buffer.from(header, 'hex'), Buffer.alloc(bytes - 4, fill));
const HIGH = frame('fffb90c0', 417);
const PADDED = frame('fffb92c0', 418);
const STEREO = frame('fffb9000', 417);
const LOW = frame('fff38400', 192);

/** The frame that LAME writes first, which tells of the file. */
const INFO = Buffer.from(HIGH);
INFO.write('Info', 21, 'latin1');

/** A picture in front, in whose bytes a frame seems to begin. */
const ID3 = join(text('ID3\x03\0\0\0\0\x02\x2c'), repeat(3, Buffer.from('fffb90c0', 'hex')));
const TAG = join(ID3, Buffer.alloc(300 - 12, 0xaa));
const TAG_BEHIND = join(text('TAG'), Buffer.alloc(125, 0xff));

const adts = (bytes: number, hasCrc = false) => {
	const length = bytes + (hasCrc ? 9 : 7);
	const head = Buffer.from(hasCrc ? 'fff0584000001c' : 'fff1584000001c', 'hex');
	head.writeUInt32BE(head.readUInt32BE(3) | (length << 13), 3);
	return join(head, Buffer.alloc(hasCrc ? 2 : 0, 0xcc), Buffer.alloc(bytes, 7));
};

interface Wav {
	format?: number;
	channels?: number;
	bits?: number;
	claimed?: number;
	rate?: number;
	data?: Buffer;
}
function wav(samples: number, shape: Wav = {}): Buffer {
	const { format = 1, channels = 1, bits = 16, rate = 24_000, claimed } = shape;
	const { data = Buffer.alloc(samples * channels * (bits / 8)) } = shape;
	const fmt = Buffer.alloc(format === 0xfffe ? 40 : 16);
	fmt.writeUInt16LE(format, 0);
	fmt.writeUInt16LE(channels, 2);
	fmt.writeUInt32LE(rate, 4);
	fmt.writeUInt16LE(bits, 14);
	if (format === 0xfffe) fmt.writeUInt16LE(1, 24);
	const chunk = (id: string, body: Buffer, bytes = body.length) => {
		const size = Buffer.alloc(4);
		size.writeUInt32LE(bytes);
		return join(text(id), size, body);
	};
	const odd = chunk('LIST', Buffer.from('abc\0'), 3);
	return join(text('RIFF....WAVE'), chunk('fmt ', fmt), odd, chunk('data', data, claimed));
}

const read = async (bytes: Buffer, seconds = 60) => {
	const file = { ...toFile(bytes), label: 'Sound (a)' };
	const opened = await openClip(file);
	expect(opened.kind).not.toBe('clip');
	const soundtrack = await readSoundtrack(file, opened, seconds);
	const frames: Uint8Array[] = [];
	for await (const { bytes: one } of soundtrack.frames()) frames.push(one);
	return { ...soundtrack, frames };
};

/** A tag behind the frames with a picture, in which frames of another rate seem to begin. */
const LOW_HEAD = join(Buffer.from('fff38400', 'hex'), Buffer.alloc(99));
const APE = join(text('APETAGEX'), repeat(20, LOW_HEAD));

/** The bytes of its frames, and where it begins. */
const TAKEN: Array<[string, Buffer, number[], number]> = [
	['MP3 with tags around it', join(TAG, HIGH, PADDED, APE, TAG_BEHIND), [417, 418], 1152],
	['two MP3 in a row', join(TAG, INFO, HIGH, TAG, HIGH), [417, 417], 1152],
	['MP3 with something between', join(HIGH, Buffer.alloc(65_000, 1), HIGH), [417, 417], 1152],
	['MP3 that is cut', join(HIGH, HIGH, HIGH.subarray(0, 200)), [417, 417], 1152],
	['AAC', join(adts(50), adts(60, true)), [50, 60], 1024],
];

it.each(TAKEN)('takes %s', async (_what, bytes, sizes, from) => {
	const soundtrack = await read(bytes);
	expect(soundtrack).toMatchObject({ sizes, from, isCut: false });
	expect(soundtrack.frames.map(({ length }) => length)).toEqual(sizes);
	const { timescale, times, seconds } = soundtrack;
	expect(seconds).toBe((times[sizes.length] - from) / timescale);
});

it('names what the bytes are', async () => {
	const describe = async (bytes: Buffer) => {
		const { entry, timescale } = await read(bytes);
		const at = entry.indexOf('esds') + 8;
		// The type behind the heads of two descriptors; the configuration behind that of a third.
		return [entry.readUInt16BE(8 + 16), timescale, entry[at + 7], entry.toString('hex', at + 20)];
	};
	expect(await describe(repeat(3, HIGH))).toEqual([1, 44_100, 0x6b, '060102']);
	expect(await describe(repeat(3, LOW))).toEqual([2, 24_000, 0x69, '060102']);
	expect(await describe(repeat(3, adts(9)))).toEqual([1, 24_000, 0x40, '05021308060102']);
});

const WAVS: Array<[string, Wav, string]> = [
	['in mono, of an unknown length', { claimed: 2 ** 32 - 1 }, '05dc00f0'],
	['in mono, of no length', { claimed: 0 }, '05dc00f0'],
	['of floats with 32 bits', { format: 3, bits: 32 }, '05dc0170'],
	['of floats with 64 bits, in stereo', { format: 3, channels: 2, bits: 64 }, '05dc0370'],
	['in stereo, in the extensible form', { channels: 2, format: 0xfffe }, '05dc02f0'],
];
it.each(WAVS)('takes WAV as FLAC: %s', async (_what, shape, rateAndShape) => {
	const { entry, times, sizes, frames } = await read(wav(10_000, shape));
	expect(times).toEqual([0, 4096, 8192, 10_000]);
	expect(frames.map(({ length }) => length)).toEqual(sizes);
	const info = findBox(entry, 'fLaC')!.subarray(28 + 8 + 4 + 4);
	expect(info.toString('hex')).toBe(`10001000${zeros(6)}${rateAndShape}${zeros(20)}`);
});

it.each([
	[32, 4],
	[64, 8],
])('makes 24 bits of floats with %i, and cuts off what is too loud', async (bits, bytes) => {
	const values = [0, 0.5, -0.5, 1 - 2 ** -23, -1, 1, 1.5, -2, Infinity, NaN, 2 ** -23];
	const data = Buffer.alloc(values.length * bytes);
	values.forEach((value, i) =>
		bits === 32 ? data.writeFloatLE(value, 4 * i) : data.writeDoubleLE(value, 8 * i),
	);
	const { frames } = await read(wav(0, { format: 3, bits, data }));
	const pcm = '000000 400000 c00000 7fffff 800000 7fffff 7fffff 800000 7fffff 000000 000001';
	const head = 'fff8700c 00 000a';
	const written = Buffer.from(frames[0]).toString('hex');
	expect(written.slice(0, 14)).toBe(head.replaceAll(' ', ''));
	// Between them is a checksum, and behind them another.
	expect(written.slice(18, -4)).toBe(pcm.replaceAll(' ', ''));
});

it.each([
	// As ffmpeg takes them with crccheck: head, number, length, checksum, samples, checksum.
	['0100feff', 1, 0, 'fff87008 00 0001 1d 02 0001fffe 74f7'],
	['0100feff0300fcff', 2, 300, 'fff87018 c4ac 0001 33 02 00010003 02 fffefffc 0fb7'],
	['0100feff', 1, 70_000, 'fff87008 f09185b0 0001 4f 02 0001fffe e669'],
])('writes samples as a frame of FLAC: %s', (pcm, channels, number, frame) => {
	const written = writeFrame(Buffer.from(pcm, 'hex'), channels, number, 16);
	expect(written.toString('hex')).toBe(frame.replaceAll(' ', ''));
});

it.each([
	['WAV', wav(1_000_000)],
	['MP3', repeat(3_000, HIGH)],
])('lets n8n do other work while it reads %s', async (_what, bytes) => {
	const onTurn = jest.fn();
	void sleep(1).then(onTurn);
	await read(bytes);
	expect(onTurn).toHaveBeenCalled();
});

it('ends with its film at a frame, and tells whether it would go on', async () => {
	// A frame takes 26 ms, and the sound begins with the second one.
	const cut = await read(repeat(200, HIGH), 1);
	expect(cut).toMatchObject({ seconds: 1, isCut: true });
	expect(cut.sizes).toHaveLength(Math.ceil(44_100 / 1152) + 1);
	expect(await read(repeat(41, HIGH), 1)).toMatchObject({ seconds: 1, isCut: false });
});

const REFUSED: Array<[string, Buffer, string]> = [
	['WAV of 8 bits', wav(10, { bits: 8 }), 'is a WAV file that cannot be taken: PCM with 8 bits'],
	['WAV in mu-law', wav(10, { format: 7, bits: 8 }), 'that cannot be taken: mu-law$'],
	['WAV in A-law', wav(10, { format: 6, bits: 8 }), 'that cannot be taken: A-law$'],
	['WAV of another coding', wav(10, { format: 17, bits: 8 }), 'that cannot be taken: coding 17$'],
	[
		'a WAV of more than FLAC can say',
		wav(10, { rate: 2 ** 20 }),
		'cannot be taken: PCM with 16 bits, 1 channels, 1048576 Hz',
	],
	[
		'a WAV of many parts',
		join(wav(0).subarray(0, 12), Buffer.alloc(8008)),
		'more than 1000 chunks',
	],
	['a WAV without sound', wav(0), 'is incomplete or damaged: it has no sound'],
	[
		'a WAV that ends early',
		wav(10).subarray(0, 40),
		'is incomplete or damaged: its file ends after',
	],
	['tags alone', TAG, 'is incomplete or damaged: it has no frames of MP3 or AAC'],
	['a frame of another rate', join(HIGH, LOW), 'changes its format on the way'],
	['a part with other channels', join(HIGH, TAG, STEREO), 'changes its format on the way'],
];
it.each(REFUSED)('refuses %s', async (_what, bytes, message) => {
	const words = new RegExp(`^Sound \\(a\\) .*${message}`);
	await expect(read(bytes)).rejects.toMatchObject({
		message: expect.stringMatching(words),
		description: expect.stringMatching(/\.$/),
	});
});

it.each([
	['fLaC\0\0\0\x22', 'its format is FLAC'],
	['\xff\xe1\x58\x40\x07\xff\x1c', 'it begins with'],
])('refuses a file that begins with %j', async (begin, message) => {
	const file = toFile(join(text(begin), Buffer.alloc(40, 1)));
	await expect(openClip(file)).rejects.toThrow(message);
});

describe('in a film', () => {
	const picture = { duration: 1, delay: 0, bytes: 60, isKey: true };
	const clip = madeClip({ timescale: 25, pictures: Array(25).fill(picture), quality: 0 });
	let film: Buffer;
	beforeAll(async () => {
		const soundtrack = await readSoundtrack(toFile(repeat(30, adts(50))), { kind: 'mpeg' }, 1);
		film = await bytesOf(layOut(planFilm([clip]), soundtrack));
	});

	it('lies beside the pictures with which it is heard', async () => {
		const { video, audio } = await openAndRead(toFile(film));
		expect(audio!.samples.offsets).toHaveLength(25);
		audio!.samples.offsets.forEach((offset, i) => {
			const before = video.samples.offsets.filter((at) => at < offset).length;
			const heard = ((i - 1) * 1024) / 24_000;
			expect(Math.abs(before - Math.max(0, heard * 25))).toBeLessThan(1);
		});
	});

	/** Makes an MP4 without pictures. */
	const toM4a = (bytes: Buffer) => {
		const m4a = Buffer.from(bytes);
		m4a.write('meta', m4a.indexOf('vide'));
		return m4a;
	};

	it('lets n8n do other work while it reads an MP4 without pictures', async () => {
		const sound = await readSoundtrack(toFile(repeat(15_000, adts(9))), { kind: 'mpeg' }, 700);
		const m4a = toM4a(await bytesOf(layOut(planFilm([clip]), sound)));
		jest.mocked(giveWay).mockClear();
		expect((await read(m4a, 700)).sizes).toHaveLength(15_000);
		// Twice: to measure its frames, and to write them.
		expect(giveWay).toHaveBeenCalledTimes(30);
	});

	const MOST = 2 ** 32 - 1;
	it.each<[string, Array<[type: string, at: number, value: number]>]>([
		[
			'its times are too large',
			[
				['mdhd', 16, MOST],
				['stts', 16, MOST],
			],
		],
		['it has no sound', Array.from({ length: 25 }, (_, i) => ['stsz', 16 + 4 * i, 0])],
		['its AAC configuration is cut or too large', [['esds', 28, 0x0501_1308]]],
	])('is refused: %s', async (message, changes) => {
		const m4a = toM4a(film);
		for (const [type, at, value] of changes) m4a.writeUInt32BE(value, m4a.lastIndexOf(type) + at);
		const words = `Sound (a) is incomplete or damaged: ${message}`;
		await expect(read(m4a, 20)).rejects.toThrow(words);
	});

	it('is taken from an MP4 without pictures', async () => {
		const m4a = toM4a(film);
		const sizes = Array(25).fill(50);
		expect(await read(m4a)).toMatchObject({ timescale: 24_000, from: 1024, sizes });
	});
});
