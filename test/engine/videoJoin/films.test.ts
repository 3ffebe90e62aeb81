import { until } from '../../support/clock';
import { CONTINUE } from '../../support/stage';
import {
	beepDelays,
	decode,
	hasFfmpeg,
	makeClip,
	probe,
	readWithMp4Box,
	remake,
} from './support/clips';
import { join, joining, joinToFilm, itemOf, stage, useEngine, videoJoin } from './support/stage';

// Films judged by others than our own code: ffmpeg, ffprobe and mp4box.js.

useEngine();

const flags = (name: string, ...args: string[]) => ({ args: ['-movflags', name, ...args] });
const x264 = (...args: string[]) => ({ args: ['-crf', '35', ...args] });
const SLOWER = "setpts='PTS+if(gt(N,10),N*0.01/TB,0)'";

const FRAGMENTS = 'frag_keyframe+empty_moov';

/** What is joined between two plain clips. */
const TAKEN: Array<[name: string, options: Record<string, unknown>]> = [
	['its index in front', flags('+faststart')],
	['fragments', flags(FRAGMENTS)],
	['fragments with a base', flags(`${FRAGMENTS}+default_base_moof`, '-g', '5')],
	['29.97 pictures a second', { fps: '30000/1001' }],
	['no sound', { args: ['-an'] }],
	['sound that begins late', { soundSeconds: 0.5, delaySeconds: 0.3 }],
	['delays below zero', flags('+negative_cts_offsets')],
	['a time code', { ending: 'mov', args: ['-timecode', '00:00:00:00'] }],
	['another quality', x264()],
	['delimiters', x264('-x264-params', 'aud=1')],
	['pictures that last longer and longer', { args: ['-vf', SLOWER, '-fps_mode', 'vfr'] }],
];

const HEVC = { codec: 'libx265', args: ['-x265-params', 'log-level=none', '-tag:v', 'hvc1'] };

/** All pictures are those of the clips, bit for bit, and all judges read the film. */
async function expectJoined(clips: Buffer[]) {
	const film = await joinToFilm(clips);
	const wanted = clips.flatMap((clip) => decode(clip).pictures);
	const { complaints, pictures } = decode(film);
	// Pictures at uneven times are no fault of the film, but of the place where ffmpeg puts them.
	expect(complaints.replace(/^.*non monotonically increasing dts to muxer.*\n/gm, '')).toBe('');
	expect(pictures).toEqual(wanted);
	const streams = probe(film);
	const { seconds, tracks } = await readWithMp4Box(film);
	expect(tracks.map(({ samples }) => samples)).toEqual(
		streams.map(({ nb_frames }) => Number(nb_frames)),
	);
	for (const { duration } of streams)
		expect(Math.abs(Number(duration) - seconds)).toBeLessThan(0.05);
	return streams;
}

/** Turns a clip by a quarter, as phones do: in the matrix of its track. */
function rotated(clip: Buffer): Buffer {
	const bytes = Buffer.from(clip);
	const matrixAt = bytes.indexOf('tkhd') + 44;
	[0, 65_536, 0, -65_536, 0].forEach((value, i) => bytes.writeInt32BE(value, matrixAt + 4 * i));
	return bytes;
}

const withFfmpeg = hasFfmpeg ? describe : describe.skip;

withFfmpeg('with ffmpeg', () => {
	it.each(TAKEN)('joins a clip with %s', async (_name, options) => {
		const streams = await expectJoined([makeClip(), makeClip(options), makeClip()]);
		expect(streams.map(({ codec_type }) => codec_type)).toEqual(['video', 'audio']);
	});

	it('joins H.265, also with settings that differ', async () => {
		const other = [...HEVC.args, '-crf', '40', '-x265-params', 'log-level=none:aud=1:no-sao=1'];
		await expectJoined([makeClip(HEVC), makeClip({ ...HEVC, args: other }), makeClip(HEVC)]);
	});

	it('joins clips without sound to a film without sound', async () => {
		const silent = makeClip({ args: ['-an'] });
		const streams = await expectJoined([silent, silent]);
		expect(streams.map(({ codec_type }) => codec_type)).toEqual(['video']);
	});

	it('removes the sound, and then takes what it would refuse for it', async () => {
		const film = await joinToFilm([makeClip(), makeClip({ rate: 44_100 })], {
			options: { sound: 'remove' },
		});
		expect(probe(film).map(({ codec_type }) => codec_type)).toEqual(['video']);
	});

	it('holds 20 flashes and beeps together, whose sound is shorter or longer', async () => {
		const lengths = [0.7, 0.83, 0.97, 1.13, 1.27];
		const clips = Array.from({ length: 20 }, (_, i) =>
			makeClip({ beep: true, soundSeconds: lengths[i % lengths.length] }),
		);
		const delays = beepDelays(await joinToFilm(clips));
		expect(delays).toHaveLength(20);
		for (const delay of delays) expect(Math.abs(delay)).toBeLessThan(20);
	});

	const made = (options: Record<string, unknown>) => () => makeClip(options);
	const encoded = (...args: string[]) => made({ args });
	const COLOURS = 'the colour format 4:2:0, 8 bits';
	const protection = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', '0'.repeat(32)];
	const encrypted = () => remake(makeClip(), ...protection, '-encryption_kid', '0'.repeat(32));
	/** What does not fit behind a plain clip: what it has, and what the other has, if that matters. */
	const REFUSED: Array<[trait: string, clip: () => Buffer, its: string, other?: string]> = [
		['size', made({ size: '320x240' }), '320 x 240 pixels', '160 x 120 pixels'],
		['codec', made(HEVC), 'the video codec H.265 (hvc1)', 'the video codec H.264 (avc1)'],
		['colours', encoded('-pix_fmt', 'yuv422p'), 'the colour format 4:2:2, 8 bits', COLOURS],
		['rotation', () => rotated(makeClip()), 'a rotation of 90 degrees', 'a rotation of 0 degrees'],
		['shape', encoded('-aspect', '1:1'), 'a shown size of 120 x 120', 'a shown size of 160 x 120'],
		['sample rate', made({ rate: 44_100 }), 'sound with 44100 Hz', 'sound with 48000 Hz'],
		['channels', made({ channels: 1 }), 'mono sound', 'stereo sound'],
		['sound', encoded('-c:a', 'libopus'), 'sound that cannot be joined: Opus'],
		['protection', encrypted, 'pictures that cannot be joined: encv'],
		['base', made(flags(`${FRAGMENTS}+omit_tfhd_offset`)), 'fragments without a base'],
	];

	it.each(REFUSED)('refuses a clip with another %s', async (_trait, clip, its, ...[other]) => {
		const items = [itemOf(makeClip()), itemOf(clip(), {}, 'b.mp4')];
		const { error, outputs } = await join(items, videoJoin());
		const but = other === undefined ? '' : `, but clip 1 (a.mp4) has ${other}`;
		expect(error?.message).toBe(`Clip 2 (b.mp4) has ${its}${but} [item 1]`);
		expect(error?.description).toMatch(/\.$/);
		expect(outputs()).toEqual([]);
	});

	/** Clips of a second of noise, which take some megabytes each. */
	const noisy = () => {
		const args = ['-vf', 'geq=random(1)*255:128:128', '-crf', '1', '-preset', 'ultrafast'];
		return Array.from({ length: 20 }, () => itemOf(makeClip({ size: '640x480', args })));
	};

	it('leaves no half of a film when it is stopped', async () => {
		const items = noisy();
		const execution = stage.engine.start(joining(items));
		const wanted = stage.engine.storedSizes().length + items.length + 1;
		await until(() => stage.engine.storedSizes().length >= wanted);
		await execution.stop();
		const result = await execution.done;
		expect([result.status, result.outputs()[0] ?? []]).toEqual(['canceled', []]);
		expect(stage.engine.storedSizes(result)).toHaveLength(items.length);
		await stage.engine.forget(result);
	});

	it('has one failure and no half of a film if the storage fails half-way', async () => {
		const execution = stage.engine.start(joining(noisy(), videoJoin({}, CONTINUE)));
		// Larger than a clip, and not the whole film yet.
		await until(() => stage.engine.storedSizes().some((size) => size > 20e6));
		stage.engine.loseStorage();
		const result = await execution.done;
		const message = 'n8n could not store the film [item 0]';
		expect(result.outputs()[0]).toMatchObject([{ json: { error: { message } } }]);
		expect(stage.engine.storedSizes(result)).toEqual([]);
	});
});
