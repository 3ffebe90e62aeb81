import { box, boxesIn, u32 } from '../../shared/mp4/boxes';
import { refuseClip } from './clipFile';

/** How the pictures of a clip are coded. */
export interface CodedPicture {
	/** The type of the sample entry, such as `avc1`. */
	type: string;
	width: number;
	height: number;
	/** The chroma format and the bits of a colour. */
	colour: string;
	/** SPS and PPS (and VPS), each behind its length, as they may stand before a picture. */
	parameterSets: Buffer;
	/** The sample entry of the film, if this clip is its first. */
	entry: Buffer;
}

/** How the sound of a clip is coded. */
export interface Sound {
	rate: number;
	channels: number;
	/** The configuration for the decoder (AudioSpecificConfig). */
	config: Buffer;
	/** A frame of silence. */
	silence: Buffer;
}

const READERS: Record<string, typeof readAvc> = {
	avc1: readAvc,
	avc3: readAvc,
	hvc1: readHevc,
	hev1: readHevc,
};
export const isHevc = ({ type }: CodedPicture) => READERS[type] === readHevc;

const ENTRY_BYTES = 78;
/** What a film repeats of each clip; real ones take some hundred bytes. */
const MAX_ENTRY_BYTES = 64 * 1024;
/** They may be repeated before each key frame; real ones take some hundred bytes. */
const MAX_SETS_BYTES = 4096;
/** As many as fit, each behind its length; 64 kB have room for 32,000 without bytes (CVE-2017-9253). */
const MAX_SETS = MAX_SETS_BYTES / 4;

export function readCodedPicture(type: string, body: Buffer): CodedPicture {
	if (!(type in READERS)) {
		const advice = 'Only H.264 and H.265 without protection can be joined. Encode it anew.';
		refuseClip(`has pictures that cannot be joined: ${type}`, advice);
	}
	if (body.length > MAX_ENTRY_BYTES) {
		throw new RangeError('the description of its pictures is larger than 64 kB');
	}
	// Bit rates are true of a single clip only.
	const boxes = [...boxesIn(body.subarray(ENTRY_BYTES))].filter((one) => one.type !== 'btrt');
	const config = boxes.find((one) => one.type === 'avcC' || one.type === 'hvcC')?.body;
	if (!config) throw new RangeError('the settings of its pictures are missing');
	const { sets, lengthBytes, colour } = READERS[type](config);
	const parameterSets = Buffer.concat(sets.flatMap((set) => [u32(set.length), set]));
	if (parameterSets.length > MAX_SETS_BYTES) {
		throw new RangeError('its parameter sets are too large');
	}
	if (lengthBytes !== 4) {
		refuseClip(`has pictures with lengths of ${lengthBytes} bytes`, 'Encode it anew.');
	}
	const head = Buffer.from(body.subarray(0, ENTRY_BYTES));
	// QuickTime has a vendor and qualities here, where an MP4 has zeros.
	head.fill(0, 0, 24).writeUInt16BE(1, 6);
	return {
		type,
		width: body.readUInt16BE(24),
		height: body.readUInt16BE(26),
		colour,
		parameterSets,
		entry: Buffer.concat([head, ...boxes.map((one) => box(one.type, one.body))]),
	};
}

/** Reads an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 5.3.3). */
function readAvc(config: Buffer) {
	const sets: Buffer[] = [];
	let at = 5;
	for (const mask of [0x1f, 0xff]) {
		const count = config.readUInt8(at) & mask;
		at = readSets(config, at + 1, count, sets);
	}
	// Profiles without other formats do not tell theirs.
	const colour = toColour(at + 3 > config.length ? [1, 0, 0] : config.subarray(at));
	return { sets, lengthBytes: (config[4] & 3) + 1, colour };
}

/** Reads an HEVCDecoderConfigurationRecord (section 8.3.3). */
function readHevc(config: Buffer) {
	const sets: Buffer[] = [];
	const arrays = config.readUInt8(22);
	for (let array = 0, at = 23; array < arrays; array++) {
		const type = config.readUInt8(at) & 0x3f;
		// Other types are messages about the whole clip.
		const isKept = type >= 32 && type <= 34;
		at = readSets(config, at + 3, config.readUInt16BE(at + 1), isKept ? sets : []);
	}
	return { sets, lengthBytes: (config[21] & 3) + 1, colour: toColour(config.subarray(16)) };
}

/** Returns where the sets end. */
function readSets(config: Buffer, at: number, count: number, sets: Buffer[]): number {
	for (let i = 0; i < count; i++) {
		const begin = at + 2;
		at = begin + config.readUInt16BE(at);
		if (at > config.length) throw new RangeError('the settings of its pictures are cut');
		if (sets.push(config.subarray(begin, at)) > MAX_SETS)
			throw new RangeError(`it has more than ${MAX_SETS} parameter sets`);
	}
	return at;
}

const CHROMA = ['4:0:0', '4:2:0', '4:2:2', '4:4:4'];
function toColour(record: ArrayLike<number>): string {
	const [luma, second] = [(record[1] & 7) + 8, (record[2] & 7) + 8];
	return `${CHROMA[record[0] & 3]}, ${luma === second ? luma : `${luma}/${second}`} bits`;
}

const LOW_COMPLEXITY = 2;
/** By their index in the configuration. */
export const AAC_RATES = [
	96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
];
/** By the number of channels. */
const SILENCE: Record<number, Buffer | undefined> = {
	1: Buffer.from('01182007', 'hex'),
	2: Buffer.from('211004608c1c', 'hex'),
};

/** Reads AAC-LC in mono or stereo (AudioSpecificConfig, ISO/IEC 14496-3, section 1.6.2.1). */
export function readSound(type: string, body: Buffer): Sound {
	const config = type === 'mp4a' ? findAacConfig(body) : undefined;
	if (!config) return refuseSound(type === 'mp4a' ? 'mp4a other than AAC' : type);
	const bits = config.readUInt16BE(0);
	const kind = bits >> 11;
	const rate = AAC_RATES[(bits >> 7) & 15];
	const channels = (bits >> 3) & 15;
	const rest = bits & 7;
	if (kind !== LOW_COMPLEXITY || rest > 0 || !rate) refuseSound('a kind of AAC other than LC');
	const silence = SILENCE[channels] ?? refuseSound(`AAC with ${channels} channels`);
	// What follows tells of extensions, which players find by themselves.
	return { rate, channels, config: Buffer.from(config.subarray(0, 2)), silence };
}

export const REMOVE_SOUND = 'Set the option Sound to Remove to join the clips without their sound.';

function refuseSound(kind: string): never {
	const advice = `Only AAC-LC in mono or stereo can be kept in step. ${REMOVE_SOUND}`;
	refuseClip(`has sound that cannot be joined: ${kind}`, advice);
}

/** The type of AAC in descriptors (ISO/IEC 14496-1, section 7.2.6.6). */
export const AAC = 0x40;

/** Finds the configuration of AAC inside of descriptors (ISO/IEC 14496-1, section 7.2.6). */
export function findAacConfig(entry: Buffer): Buffer | undefined {
	// QuickTime puts the box at another place, and into other boxes.
	const box = entry.indexOf('esds');
	for (let at = box + 8; box > 0 && at < entry.length;) {
		const tag = entry.readUInt8(at++);
		let length = 0;
		for (let part = 0x80; part & 0x80;) {
			part = entry.readUInt8(at++);
			length = (length * 128 + (part & 0x7f)) % 2 ** 28;
		}
		if (tag === 5) return entry.subarray(at, at + length);
		if (tag === 3) at += 3;
		else if (tag === 4 && entry[at] === AAC) at += 13;
		else return undefined;
	}
	return undefined;
}
