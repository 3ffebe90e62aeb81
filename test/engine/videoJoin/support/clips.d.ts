/** What a clip is made of by ffmpeg; without anything, one second of H.264 and stereo sound. */
export interface ClipOptions {
	/** A source of ffmpeg's, such as `testsrc2`. */
	picture?: string;
	size?: string;
	fps?: string;
	codec?: string;
	rate?: number;
	channels?: number;
	seconds?: number;
	soundSeconds?: number;
	/** How much later than the picture its sound begins. */
	delaySeconds?: number;
	ending?: 'mp4' | 'mov';
	/** More for ffmpeg. */
	args?: string[];
	/** A flash and a beep at the same time, in place of all else. */
	beep?: boolean;
}

export const hasFfmpeg: boolean;
/** Makes a clip, once for the same options. */
export function makeClip(options?: ClipOptions): Buffer;
/** Puts a clip into another file without encoding it. */
export function remake(clip: Buffer, ...args: string[]): Buffer;
/** Decodes everything; `complaints` is empty if ffmpeg has none, `pictures` has a hash of each. */
export function decode(bytes: Buffer): { complaints: string; pictures: string[] };
export function probe(
	bytes: Buffer,
): Array<{ codec_type: string; duration: string; nb_frames: string }>;
/** How many milliseconds each beep is later than its flash. */
export function beepDelays(bytes: Buffer): number[];
export function readWithMp4Box(bytes: Buffer): Promise<{
	seconds: number;
	pictureSeconds: number;
	tracks: Array<{ codec: string; samples: number }>;
}>;
