/** What a file is, by its first bytes or else by its name. */
interface Format {
	/** As IANA has registered it, or else as browsers spell it (mimesniff.spec.whatwg.org, 2026-11). */
	type: string;
	/** What its files are named; the first is that of a new one. */
	extensions: readonly [string, ...string[]];
	/** Matches its first 64 bytes as Latin-1. Texts have none. */
	begins?: RegExp;
}

/** What an MP4 or QuickTime file may begin with; older ones have no `ftyp` (ISO/IEC 14496-12, section 4.3). */
export const FIRST_BOXES = ['ftyp', 'moov', 'mdat'];

/** Where bytes match several, the first counts: a brand tells more than a box. */
// prettier-ignore
const FORMATS = [
	{ type: 'image/png', extensions: ['png'], begins: /^\x89PNG/ },
	{ type: 'image/jpeg', extensions: ['jpg', 'jpeg'], begins: /^\xff\xd8\xff/ },
	{ type: 'image/gif', extensions: ['gif'], begins: /^GIF8[79]a/ },
	{ type: 'image/webp', extensions: ['webp'], begins: /^RIFF[^]{4}WEBP/ },
	{ type: 'image/avif', extensions: ['avif'], begins: /^[^]{4}ftypavi[fs]/ },
	{ type: 'image/heic', extensions: ['heic'], begins: /^[^]{4}ftyphe[iv][cx]/ },
	{ type: 'image/heif', extensions: ['heif'], begins: /^[^]{4}ftypm[is]f1/ },
	// An MP4 of sound alone.
	{ type: 'audio/mp4', extensions: ['m4a'], begins: /^[^]{4}ftyp(M4[ABP]|F4[AB]) / },
	{ type: 'video/quicktime', extensions: ['mov', 'qt'], begins: /^[^]{4}ftypqt {2}/ },
	{ type: 'video/mp4', extensions: ['mp4', 'm4v'], begins: new RegExp(`^[^]{4}(${FIRST_BOXES.join('|')})`) },
	// EBML (RFC 8794): 1A 45 DF A3, of which the linter wants no control character in a pattern.
	{ type: 'video/webm', extensions: ['webm'], begins: /^[^]E\xdf\xa3[^]*webm/ },
	{ type: 'video/x-matroska', extensions: ['mkv'], begins: /^[^]E\xdf\xa3/ },
	{ type: 'audio/wav', extensions: ['wav'], begins: /^RIFF[^]{4}WAVE/ },
	{ type: 'audio/aiff', extensions: ['aiff', 'aif'], begins: /^FORM[^]{4}AIF[FC]/ },
	{ type: 'audio/ogg', extensions: ['ogg', 'oga', 'opus'], begins: /^OggS/ },
	{ type: 'audio/flac', extensions: ['flac'], begins: /^fLaC/ },
	// A tag, or a frame of layer 3 (ISO/IEC 11172-3, section 2.4.1.3).
	{ type: 'audio/mpeg', extensions: ['mp3'], begins: /^(ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/ },
	// ADTS (ISO/IEC 14496-3, section 1.A.2).
	{ type: 'audio/aac', extensions: ['aac'], begins: /^\xff[\xf0\xf1\xf8\xf9]/ },
	{ type: 'image/svg+xml', extensions: ['svg'] },
	{ type: 'application/pdf', extensions: ['pdf'], begins: /^%PDF-/ },
	{ type: 'text/plain', extensions: ['txt', 'md', 'csv', 'tsv', 'json', 'xml', 'yaml', 'yml', 'html', 'srt', 'vtt'] },
] as const satisfies readonly Format[];

export type MediaType = (typeof FORMATS)[number]['type'];

/** So many bytes tell every format: WebM names its `DocType` within them. */
export const SIGNATURE_BYTES = 64;

/** Returns the type by the first bytes; `undefined` if they are of no known format. */
export function sniff(bytes: Uint8Array): MediaType | undefined {
	const start = String.fromCharCode(...bytes.subarray(0, SIGNATURE_BYTES));
	return FORMATS.find((format: Format) => format.begins?.test(start))?.type;
}

/** What people call a file that a service takes or has made. */
export type MediaKind = 'video' | 'image' | 'sound';

/** Returns the kind of a type; `undefined` of any other than these three. */
export const kindOf = (type = ''): MediaKind | undefined =>
	KINDS[/^(video|image|audio)\//i.exec(type)?.[1].toLowerCase() ?? ''];
const KINDS: Record<string, MediaKind> = { video: 'video', image: 'image', audio: 'sound' };

/** Returns the kind that the name of a field tells, such as `audio_file`. */
export const kindOfName = (name: string): MediaKind | undefined =>
	KINDS[/video|image|audio/i.exec(name)?.[0].toLowerCase() ?? ''];

/** What a model makes, as far as that is known before it has made it; a `task` is none of the others. */
export type Made = MediaKind | 'text' | 'task';

/** The last word of a service's kinds of models, such as `text-to-image` or "Text to Image" (fal, kie, WaveSpeed). */
const BY_WORD: Record<string, Made | undefined> = {
	...{ video: 'video', image: 'image', text: 'text' },
	...{ audio: 'sound', speech: 'sound', music: 'sound' },
};

/** Returns what models of a service's kind make; `undefined` if it does not say, as `upscaler` does not. */
export const madeByKind = (kind: string): Made | undefined =>
	BY_WORD[/[- ]to[- ](\w+)$/i.exec(kind.trim())?.[1].toLowerCase() ?? ''];

/** Formats of films that may hold a sound alone, and the other way round. */
const CONTAINERS = ['video/mp4', 'video/quicktime', 'video/webm', 'video/x-matroska', 'audio/ogg'];

/**
 * Returns the type of a file of a kind; `undefined` if its first bytes are of no such file.
 *
 * @param known as n8n has it: browsers record a voice as audio/webm, which begins as a film does
 */
export function typeOfKind(kind: MediaKind, first: Uint8Array, known = ''): string | undefined {
	const seen = sniff(first);
	if (seen === undefined) return undefined;
	if (kindOf(seen) === kind) return seen;
	// Anybody may send a webhook any type.
	const [named = ''] = /^[\w.+-]+\/[\w.+-]+(?=\s*(;|$))/.exec(known) ?? [];
	return CONTAINERS.includes(seen) && kindOf(named) === kind ? named : undefined;
}

/** Returns the extensions of files of a type, without dots; the first is that of a new one. */
export function extensionsOf(type: string): readonly [string, ...string[]] {
	const known = FORMATS.find((format: Format) => format.type === type)?.extensions;
	// "image/svg+xml" and "image/x-icon" have their names in them.
	return known ?? [/^\w+\/(?:x-)?(\w+)/.exec(type)?.[1] ?? 'bin'];
}

/** Returns the extension of a new file of a type, without its dot. */
export const extensionOf = (type: string): string => extensionsOf(type)[0];

/** Returns the type by the extension of a file's name. */
export function typeOfName(fileName = ''): MediaType | undefined {
	const [, extension = ''] = /\.(\w{1,10})$/.exec(fileName) ?? [];
	return FORMATS.find(({ extensions }: Format) => extensions.includes(extension.toLowerCase()))
		?.type;
}

/** What says no more than that it is a file; the second is the default of S3 (AWS, "System-defined object metadata"). */
const UNKNOWN = ['application/octet-stream', 'binary/octet-stream'];

/**
 * Returns the type of a file, without parameters: the one that n8n knows, or else what its bytes or its name
 * tell. n8n keeps the type that a server gives, whatever it is (`prepareBinaryData`, n8n-core 2.41).
 *
 * @param first at least its first 64 bytes
 */
export function typeOf(
	{ mimeType, fileName }: { mimeType: string; fileName?: string },
	first: Uint8Array,
): string {
	const known = mimeType.split(';')[0].trim().toLowerCase();
	if (!UNKNOWN.includes(known)) return known;
	const [seen, named] = [sniff(first), typeOfName(fileName)];
	// Some recorders brand an M4A as any MP4 (promptfoo, pull request 10172, 2026).
	if (seen === 'video/mp4' && named === 'audio/mp4') return named;
	return seen ?? named ?? known;
}
