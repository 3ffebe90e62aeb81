import { extensionOf, sniff, typeOf, typeOfKind } from '../../../../nodes/shared/lib/mediaType';

/** The first bytes of a file; what is behind a signature does not count. */
const file = (begin: string) => Buffer.from(begin.padEnd(64, '\x01'), 'latin1');
const inBox = (brand: string) => file(`\0\0\0\x1cftyp${brand}`);
const EBML = '\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82';

const FILES: Array<[what: string, bytes: Buffer, type?: string, extension?: string]> = [
	['PNG', file('\x89PNG\r\n'), 'image/png', 'png'],
	['JPEG', file('\xff\xd8\xff\xe0'), 'image/jpeg', 'jpg'],
	['GIF', file('GIF89a'), 'image/gif', 'gif'],
	['WebP', file('RIFF\xaa\xbb\xcc\xddWEBP'), 'image/webp', 'webp'],
	['AVIF', inBox('avif'), 'image/avif', 'avif'],
	['a photo of an iPhone', inBox('heic'), 'image/heic', 'heic'],
	['HEIC of 10 bits', inBox('heix'), 'image/heic', 'heic'],
	['a series of HEIC', inBox('hevc'), 'image/heic', 'heic'],
	['HEIF', inBox('mif1'), 'image/heif', 'heif'],
	['MP4', inBox('isom'), 'video/mp4', 'mp4'],
	['an old MP4', file('\0\0\0\x08moov'), 'video/mp4', 'mp4'],
	['QuickTime', inBox('qt  '), 'video/quicktime', 'mov'],
	['WebM', file(`${EBML}\x84webm`), 'video/webm', 'webm'],
	['Matroska', file(`${EBML}\x88matroska`), 'video/x-matroska', 'mkv'],
	['M4A', inBox('M4A '), 'audio/mp4', 'm4a'],
	['an MP3 with a tag', file('ID3\x04'), 'audio/mpeg', 'mp3'],
	['an MP3 of MPEG-1', file('\xff\xfb\x90\xc0'), 'audio/mpeg', 'mp3'],
	['an MP3 of MPEG-2', file('\xff\xf3\x44\xc4'), 'audio/mpeg', 'mp3'],
	['AAC in ADTS', file('\xff\xf1\x58\x40'), 'audio/aac', 'aac'],
	['WAV', file('RIFF\xaa\xbb\xcc\xddWAVE'), 'audio/wav', 'wav'],
	['AIFF', file('FORM\0\0\0\x2eAIFF'), 'audio/aiff', 'aiff'],
	['a voice message of Telegram', file('OggS\0\x02'), 'audio/ogg', 'ogg'],
	['FLAC', file('fLaC\0\0\0\x22'), 'audio/flac', 'flac'],
	['PDF', file('%PDF-1.7\n'), 'application/pdf', 'pdf'],
	['a text in UTF-16', file('\xff\xfeH\0i\0'), undefined, undefined],
	['a page', file('<!doctype html>'), undefined, undefined],
	['nothing', Buffer.alloc(0), undefined, undefined],
];

it.each(FILES)('%s', (_what, bytes, type, extension) => {
	const seen = sniff(bytes);
	expect(seen).toBe(type);
	expect(seen && extensionOf(seen)).toBe(extension);
});

const PDF = file('%PDF-1.7');
const LETTERS = file('Dear');
it.each([
	['application/octet-stream', 'a', PDF, 'application/pdf'],
	['binary/octet-stream', 'a.docx', PDF, 'application/pdf'],
	['Application/Octet-Stream; charset=binary', undefined, PDF, 'application/pdf'],
	['application/octet-stream', 'notes.MD', LETTERS, 'text/plain'],
	['binary/octet-stream', 'a.b.mp3', LETTERS, 'audio/mpeg'],
	['application/octet-stream', 'letter.doc', LETTERS, 'application/octet-stream'],
	['application/octet-stream', undefined, LETTERS, 'application/octet-stream'],
	['video/mp4', 'a.pdf', PDF, 'video/mp4'],
	['application/octet-stream', 'memo.m4a', inBox('mp42'), 'audio/mp4'],
	['application/octet-stream', 'clip.mp4', inBox('mp42'), 'video/mp4'],
])('%s, named %s', (mimeType, fileName, bytes, type) => {
	expect(typeOf({ mimeType, fileName }, bytes)).toBe(type);
});

it.each<[...Required<Parameters<typeof typeOfKind>>, type: string | undefined]>([
	['sound', file('ID3\x03'), 'audio/mp3', 'audio/mpeg'],
	['sound', inBox('M4A '), 'audio/x-m4a', 'audio/mp4'],
	['video', inBox('isom'), '', 'video/mp4'],
	['image', file('GIF89a'), 'video/mp4', 'image/gif'],
	// As browsers record a voice.
	['sound', file(`${EBML}webm`), 'audio/webm;codecs=opus', 'audio/webm'],
	['sound', inBox('isom'), 'audio/mp4', 'audio/mp4'],
	['sound', inBox('isom'), 'video/mp4', undefined],
	['sound', file('GIF89a'), 'audio/mpeg', undefined],
	['video', file('ID3\x03'), 'video/mp4', undefined],
	['sound', file(`${EBML}webm`), 'audio/a b', undefined],
	['video', file('<html>'), 'video/mp4', undefined],
])('as a %s: %o, %s', (kind, bytes, known, type) => {
	expect(typeOfKind(kind, bytes, known)).toBe(type);
});
