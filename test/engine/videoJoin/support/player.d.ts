export const hasChromium: boolean;
/** Plays a film in Chromium to its end, then seeks to 90, 10 and 50 percent; rejects on any trouble. */
export function play(bytes: Buffer): Promise<{
	videoWidth: number;
	videoHeight: number;
	duration: number;
	endedAt: number;
	seeks: number[];
}>;
