import { allPictures, beepDelays, decode, hasFfmpeg, makeClip, probe, trim } from './support/clips';
import { itemOf, join, stage, useEngine } from './support/stage';

// Clips that were trimmed without encoding (`ffmpeg -ss -c copy`), judged by ffmpeg.

useEngine();

const AUDIO_FRAME_MS = (1024 / 48_000) * 1000;
/** A key frame, a flash and a beep in each of three seconds. */
const KEYS = ['-g', '25', '-keyint_min', '25', '-sc_threshold', '0'];
const SOURCE = { beep: true, seconds: 3, args: KEYS };
const NO_B_FRAMES = { ...SOURCE, args: [...KEYS, '-bf', '0'] };
/** Its key frames but the first have pictures behind them that are shown before them. */
const X265 = 'log-level=none:keyint=25:min-keyint=25:scenecut=0';
const HEVC = { ...SOURCE, codec: 'libx265', args: ['-x265-params', X265, '-tag:v', 'hvc1'] };

interface Cut {
	/** Where it is cut, in seconds. */
	at: number;
	/** Further arguments of ffmpeg. */
	args?: string[];
	/** How many pictures lie in front of the key frame with which it begins. */
	dropped?: number;
	/** How many seconds early that is. */
	early?: number;
	/** How many seconds of it are shown, with those, if ffprobe does not say so. */
	seconds?: number;
	source?: Record<string, unknown>;
}

const CUTS: Array<[how: string, cut: Cut]> = [
	['on a key frame', { at: 1 }],
	['just behind a key frame', { at: 1.04, early: 0.04 }],
	['in the middle', { at: 1.5, early: 0.5 }],
	['just before a key frame', { at: 1.96, early: 0.96 }],
	['in the picture before a key frame', { at: 1.97, dropped: 25, seconds: 1 }],
	['before its second key frame', { at: 0.5, early: 0.5, seconds: 3 }],
	['at both ends', { at: 1.5, early: 0.5, args: ['-t', '1.3'] }],
	['without its sound', { at: 1.5, early: 0.5, args: ['-an'] }],
	['as a MOV', { at: 1.5, early: 0.5, args: ['-f', 'mov'] }],
	[
		'as fragments',
		{ at: 1.5, early: 0.5, seconds: 2, args: ['-movflags', 'frag_keyframe+delay_moov'] },
	],
	['without B-frames', { at: 1.5, early: 0.5, source: NO_B_FRAMES }],
	['as H.265, on a key frame', { at: 1, source: HEVC }],
	['as H.265, in the middle', { at: 1.5, early: 0.5, source: HEVC }],
	['as H.265, before a key frame', { at: 1.97, seconds: 1, source: HEVC }],
];

const withFfmpeg = hasFfmpeg ? describe : describe.skip;

withFfmpeg('with ffmpeg', () => {
	it.each(CUTS)('joins a clip trimmed %s', async (_where, cut) => {
		const { at, args = [], dropped = 0, early = 0, source = SOURCE } = cut;
		const plain = makeClip({ ...source, seconds: 1 });
		const trimmed = trim(makeClip(source), at, ...args);
		// As the first, as one in the middle, and as the last.
		const clips = [trimmed, plain, trimmed, plain, trimmed];
		const result = await join(clips.map((clip) => itemOf(clip)));
		expect(result.error).toBeUndefined();
		const [{ binary, json }] = result.outputs()[0];
		const film = await stage.engine.readBinary(binary!.data);

		const { complaints, pictures } = decode(film);
		expect(complaints).toBe('');
		const shown = allPictures(trimmed).slice(dropped);
		const whole = decode(plain).pictures;
		expect(pictures).toEqual([shown, whole, shown, whole, shown].flat());

		const lengths = [json.duration_seconds, ...probe(film).map(({ duration }) => duration)];
		const seconds = cut.seconds ?? Number(probe(trimmed)[0].duration) + early;
		for (const length of lengths) expect(Number(length)).toBeCloseTo(2 + 3 * seconds, 2);
		const delays = beepDelays(film);
		expect(delays).toHaveLength(2 + (probe(trimmed).length > 1 ? 3 * Math.round(seconds) : 0));
		for (const delay of delays) expect(Math.abs(delay)).toBeLessThan(AUDIO_FRAME_MS);
		const words = [1, 3, 5].map((clip) => `clip ${clip} (a.mp4) begins ${early} s early`);
		const hint = `A clip that was trimmed without encoding begins at the key frame before its cut: ${words.join(', ')}.`;
		expect(result.hints().map(({ message }) => message)).toEqual(early > 0 ? [hint] : []);
	});
});
