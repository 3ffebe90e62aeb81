import { box, fullBox, u32 } from '../../../../../nodes/shared/mp4/boxes';

/** Returns a clip whose index is behind its pictures, with some more boxes in it, and fragments behind. */
export function withFragments(clip: Buffer, fragments: Buffer[], ...more: Buffer[]): Buffer {
	const moov = clip.subarray(clip.indexOf('moov') + 4, clip.indexOf('mdat') - 4);
	const front = Buffer.from(clip);
	front.write('free', front.indexOf('moov'));
	const mvex = box('mvex', fullBox('trex', 0, u32(1, 1, 0, 0, 0x10000)));
	return Buffer.concat([front, box('moov', moov, mvex, ...more), ...fragments]);
}

/** Returns a clip that names so many more pictures without bytes, in a kB or two. */
export function withEmptyFrames(clip: Buffer, frames: number): Buffer {
	const tfhd = fullBox('tfhd', 0x20000, u32(1));
	return withFragments(clip, [box('moof', box('traf', tfhd, fullBox('trun', 0, u32(frames))))]);
}
