import { type Box, box, boxesIn } from './boxes';

/** How the pictures of a clip are coded. */
export interface Picture {
	/** The type of the sample entry, such as `avc1`. */
	format: string;
	width: number;
	height: number;
	/** The chroma format and the bits of a colour; empty if the format does not tell. */
	colour: string;
	/** Everything a decoder has to know beforehand, as one text that can be compared. */
	settings: string;
	/** SPS and PPS (and VPS), each behind its length, as they may stand before a picture. */
	parameterSets: Buffer;
	/** Whether settings that stand before a picture reach the decoder. */
	takesParameterSets: boolean;
	/** The sample entry of the film, if this clip is its first. */
	entry: Buffer;
}

/** How the sound of a clip is coded. */
export interface Sound {
	/** What people call it, such as `Opus`. */
	format: string;
	rate: number;
	channels: number;
	/** The configuration for the decoder (AudioSpecificConfig). */
	config: Buffer;
	/** A frame of silence; absent if this package has none for the format. */
	silence?: Buffer;
}

const ENTRY_BYTES = 78;
/** What players need; bit rates, for example, are true of a single clip only. */
const KEPT_BOXES = ['avcC', 'hvcC', 'av1C', 'vpcC', 'esds', 'pasp', 'colr'];

export function readPicture(format: string, body: Buffer): Picture {
	const kept = boxesIn(body.subarray(ENTRY_BYTES)).filter(({ type }) => KEPT_BOXES.includes(type));
	const bodyOf = (type: string) => kept.find((box) => box.type === type)?.body;
	const [avcC, hvcC] = [bodyOf('avcC'), bodyOf('hvcC')];
	const coded = avcC ? readAvc(avcC) : hvcC ? readHevc(hvcC) : undefined;
	const sets = coded?.sets ?? [];
	const configs = kept.filter(({ type }) => type !== 'pasp' && type !== 'colr');
	return {
		format,
		width: body.readUInt16BE(24),
		height: body.readUInt16BE(26),
		colour: coded?.colour ?? '',
		settings: (coded ? sets : configs.map((box) => box.body))
			.map((part) => part.toString('hex'))
			.join(' '),
		parameterSets: Buffer.concat(sets.flatMap((set) => [toLength(set.length), set])),
		takesParameterSets: sets.length > 0 && coded?.lengthBytes === 4,
		entry: toEntry(body, kept),
	};
}

const toLength = (bytes: number) => Buffer.from([0, 0, bytes >> 8, bytes & 0xff]);

function toEntry(body: Buffer, kept: Box[]): Buffer {
	const head = Buffer.from(body.subarray(0, ENTRY_BYTES));
	// QuickTime has a vendor and qualities here, where an MP4 has zeros.
	head.fill(0, 0, 24).writeUInt16BE(1, 6);
	return Buffer.concat([head, ...kept.map((one) => box(one.type, one.body))]);
}

/** Reads an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 5.3.3). */
function readAvc(config: Buffer) {
	const sets: Buffer[] = [];
	let at = 5;
	for (const mask of [0x1f, 0xff]) {
		const count = config.readUInt8(at++) & mask;
		for (let i = 0; i < count; i++) at = readSet(config, at, sets);
	}
	return { sets, lengthBytes: (config[4] & 3) + 1, colour: sets[0] ? readColour(sets[0]) : '' };
}

/** Reads an HEVCDecoderConfigurationRecord (section 8.3.3). */
function readHevc(config: Buffer) {
	const sets: Buffer[] = [];
	const arrays = config.readUInt8(22);
	let at = 23;
	for (let array = 0; array < arrays; array++) {
		const type = config.readUInt8(at) & 0x3f;
		const count = config.readUInt16BE(at + 1);
		at += 3;
		const found: Buffer[] = [];
		for (let i = 0; i < count; i++) at = readSet(config, at, found);
		// The others are messages about the whole clip.
		if (type >= 32 && type <= 34) sets.push(...found);
	}
	const [chroma, luma, second] = [config[16] & 3, (config[17] & 7) + 8, (config[18] & 7) + 8];
	return { sets, lengthBytes: (config[21] & 3) + 1, colour: toColour(chroma, luma, second) };
}

function readSet(config: Buffer, at: number, sets: Buffer[]): number {
	const end = at + 2 + config.readUInt16BE(at);
	if (end > config.length) throw new RangeError('the settings of its pictures are cut');
	sets.push(config.subarray(at + 2, end));
	return end;
}

const CHROMA = ['4:0:0', '4:2:0', '4:2:2', '4:4:4'];
const toColour = (chroma: number, luma: number, second: number) =>
	`${CHROMA[chroma]}, ${luma === second ? luma : `${luma}/${second}`} bits`;

/** The profiles of H.264 that tell their colour format; all others have 4:2:0 with 8 bits. */
const HIGH_PROFILES = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];

/** Reads the colour format at the beginning of an SPS (ITU-T H.264, section 7.3.2.1.1). */
function readColour(sps: Buffer): string {
	if (!HIGH_PROFILES.includes(sps[1])) return toColour(1, 8, 8);
	const bits = readBits(sps.subarray(4));
	bits.golomb();
	const chroma = bits.golomb() & 3;
	if (chroma === 3) bits.take(1);
	return toColour(chroma, bits.golomb() + 8, bits.golomb() + 8);
}

function readBits(bytes: Buffer) {
	let at = 0;
	const take = (count: number): number => {
		let value = 0;
		for (let i = 0; i < count; i++, at++) {
			value = value * 2 + ((bytes.readUInt8(at >> 3) >> (7 - (at & 7))) & 1);
		}
		return value;
	};
	/** Reads a number in Exp-Golomb code. */
	const golomb = (): number => {
		let zeros = 0;
		while (take(1) === 0) zeros++;
		return 2 ** zeros - 1 + take(zeros);
	};
	return { take, golomb };
}

const SOUNDS: Record<string, string> = {
	'.mp3': 'MP3',
	'ac-3': 'AC-3',
	'ec-3': 'E-AC-3',
	alac: 'ALAC',
	fLaC: 'FLAC',
	Opus: 'Opus',
};
/** Bytes before the boxes of a sound entry, by its version; 1 and 2 are QuickTime's. */
const SOUND_ENTRY_BYTES = [28, 44, 64];

export function readSound(format: string, body: Buffer): Sound {
	const [channels, rate] = [body.readUInt16BE(16), body.readUInt16BE(24)];
	const known = { format: SOUNDS[format] ?? format, rate, channels, config: Buffer.alloc(0) };
	if (format !== 'mp4a') return known;
	const inner = boxesIn(body.subarray(SOUND_ENTRY_BYTES[body.readUInt16BE(8)] ?? body.length));
	const wave = inner.find(({ type }) => type === 'wave');
	const esds = [...inner, ...(wave ? boxesIn(wave.body) : [])].find(({ type }) => type === 'esds');
	const config = esds && readConfig(esds.body);
	return config ? readAac(config) : { ...known, format: 'mp4a' };
}

/** Returns the configuration of AAC inside of descriptors (ISO/IEC 14496-1, section 7.2.6). */
function readConfig(esds: Buffer): Buffer | undefined {
	let at = 4;
	while (at < esds.length) {
		const tag = esds.readUInt8(at++);
		let length = 0;
		for (let part = 0x80; part & 0x80;) {
			part = esds.readUInt8(at++);
			length = (length * 128 + (part & 0x7f)) % 2 ** 28;
		}
		if (tag === 5) return esds.subarray(at, at + length);
		if (tag === 3) at += 3;
		else if (tag === 4 && esds[at] === AAC) at += 13;
		else return undefined;
	}
	return undefined;
}

const AAC = 0x40;
const RATES = [
	96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
];
const LOW_COMPLEXITY = 2;
const SILENCE = new Map([
	[1, [0x01, 0x18, 0x20, 0x07]],
	[2, [0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c]],
]);

/** Reads an AudioSpecificConfig (ISO/IEC 14496-3, section 1.6.2.1). */
function readAac(config: Buffer): Sound {
	const bits = readBits(config);
	const kind = bits.take(5);
	const index = bits.take(4);
	const rate = index === 15 ? bits.take(24) : (RATES[index] ?? 0);
	const channels = bits.take(4);
	const isPlain = kind === LOW_COMPLEXITY && bits.take(1) === 0;
	const silence = isPlain && rate > 0 ? SILENCE.get(channels) : undefined;
	return {
		format: isPlain ? `AAC with ${channels} channels` : 'a kind of AAC other than LC',
		rate,
		channels,
		// What follows tells of extensions, which players find by themselves.
		config: config.subarray(0, index === 15 ? 5 : 2),
		silence: silence && Buffer.from(silence),
	};
}
