/** What an MP4 or QuickTime file may begin with; older ones have no `ftyp` (ISO/IEC 14496-12, section 4.3). */
export const FIRST_BOXES = ['ftyp', 'moov', 'mdat'];

/** The extension of a file of each type that `sniffVideo` tells: those that services of video give. */
export const EXTENSIONS = {
	'video/mp4': 'mp4',
	'video/quicktime': 'mov',
	'video/webm': 'webm',
	'video/x-matroska': 'mkv',
} as const;
export type VideoType = keyof typeof EXTENSIONS;

/** Types of files that consist of boxes, as `createMp4Check` follows them. */
export const hasBoxes = (type: VideoType) => type === 'video/mp4' || type === 'video/quicktime';

/** WebM names its `DocType` within these bytes. */
const EBML_BYTES = 64;
/** An MP4 of sound alone. */
const SOUND_BRAND = /^(M4[ABP]|F4[AB]) $/;

/**
 * Returns the media type of a video by its first bytes, whatever its sender calls it. `more`: these are
 * too few to tell, and 64 are enough; a file that ends here is no video.
 */
export function sniffVideo(first: Buffer): VideoType | 'more' | undefined {
	if (first.length < 12) return 'more';
	const begin = first.toString('latin1', 0, EBML_BYTES);
	const [box, brand] = [begin.slice(4, 8), begin.slice(8, 12)];
	if (FIRST_BOXES.includes(box)) {
		if (SOUND_BRAND.test(brand)) return undefined;
		return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4';
	}
	if (!begin.startsWith('\x1aE\xdf\xa3')) return undefined;
	if (first.length < EBML_BYTES) return 'more';
	return begin.includes('webm') ? 'video/webm' : 'video/x-matroska';
}
