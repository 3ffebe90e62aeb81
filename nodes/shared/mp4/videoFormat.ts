/** The types of box that an MP4 (ISO/IEC 14496-12, section 4) or QuickTime file may begin with. */
export const FIRST_BOXES = ['ftyp', 'styp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot'];
/** Those that only QuickTime has. */
const QUICKTIME_BOXES = ['wide', 'pnot'];

/** The extension of a file of each type that `sniffVideo` tells. */
export const EXTENSIONS = {
	'video/mp4': 'mp4',
	'video/quicktime': 'mov',
	'video/webm': 'webm',
	'video/x-matroska': 'mkv',
	'video/x-msvideo': 'avi',
	'video/mp2t': 'ts',
	'video/mpeg': 'mpg',
	'video/ogg': 'ogv',
	'video/x-flv': 'flv',
	'video/x-ms-wmv': 'wmv',
} as const;
export type VideoType = keyof typeof EXTENSIONS;

/** Types of files that consist of boxes, as `createMp4Check` follows them. */
export const hasBoxes = (type: VideoType) => type === 'video/mp4' || type === 'video/quicktime';

const MAGIC_BYTES = 12;
/** WebM names its `DocType`, and Ogg its codec, within these bytes. */
const HEADER_BYTES = 64;
/** An MP4 of sound alone, and an Ogg file whose first stream is sound. */
const SOUND_BRAND = /^(M4[ABP]|F4[AB]) $/;
const SOUND_CODEC = /vorbis|OpusHead|Speex|FLAC/;
/** Packets of an MPEG transport stream, without and with a time before each (ITU-T H.222.0; BDAV). */
const TS_SYNCS = [
	[0, 188, 376],
	[4, 196, 388],
];
const TS_BYTES = 392;

/**
 * Returns the media type of a video by its first bytes, whatever its sender calls it. `more`: these are
 * too few to tell, and 392 are enough; a file that ends here is no video.
 */
export function sniffVideo(first: Buffer): VideoType | 'more' | undefined {
	if (first.length < MAGIC_BYTES) return 'more';
	const begin = first.toString('latin1', 0, TS_BYTES);
	const [box, brand] = [begin.slice(4, 8), begin.slice(8, 12)];
	if (FIRST_BOXES.includes(box)) {
		if (box === 'ftyp' && SOUND_BRAND.test(brand)) return undefined;
		const isQuickTime = box === 'ftyp' ? brand === 'qt  ' : QUICKTIME_BOXES.includes(box);
		return isQuickTime ? 'video/quicktime' : 'video/mp4';
	}
	const header = begin.slice(0, HEADER_BYTES);
	const isOgg = header.startsWith('OggS\0');
	if (isOgg || header.startsWith('\x1aE\xdf\xa3')) {
		if (first.length < HEADER_BYTES) return 'more';
		if (isOgg) return SOUND_CODEC.test(header) ? undefined : 'video/ogg';
		return header.includes('webm') ? 'video/webm' : 'video/x-matroska';
	}
	if (begin.startsWith('RIFF') && brand === 'AVI ') return 'video/x-msvideo';
	if (begin.startsWith('FLV\x01')) return 'video/x-flv';
	if (begin.startsWith('\0\0\x01\xba') || begin.startsWith('\0\0\x01\xb3')) return 'video/mpeg';
	if (begin.startsWith('0&\xb2u\x8ef\xcf\x11')) return 'video/x-ms-wmv';
	// One "G" alone begins many a text.
	const syncs = TS_SYNCS.find(([at]) => begin[at] === 'G');
	if (syncs && first.length < TS_BYTES) return 'more';
	return syncs?.every((at) => isPacket(first, at)) ? 'video/mp2t' : undefined;
}

/** Letters in place of its flags would make it an encrypted one. */
const isPacket = (bytes: Buffer, at: number) =>
	bytes[at] === 0x47 && (bytes[at + 3] & 0xc0) === 0 && (bytes[at + 3] & 0x30) !== 0;
