import { type MediaType, sniff, SIGNATURE_BYTES } from '../lib/mediaType';

/** Those that services of video give. */
export type VideoType = Extract<MediaType, `video/${string}`>;

/** Types of files that consist of boxes, as `createMp4Check` follows them. */
export const hasBoxes = (type: VideoType) => type === 'video/mp4' || type === 'video/quicktime';

/**
 * Returns the media type of a video by its first bytes, whatever its sender calls it. `more`: these are
 * too few to tell, and 64 are enough; a file that ends here is no video.
 */
export function sniffVideo(first: Buffer): VideoType | 'more' | undefined {
	// The longest brand ends here.
	if (first.length < 12) return 'more';
	const type = sniff(first);
	// The name of a WebM may follow.
	if (type === 'video/x-matroska' && first.length < SIGNATURE_BYTES) return 'more';
	return type?.startsWith('video/') ? (type as VideoType) : undefined;
}
