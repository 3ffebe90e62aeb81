import { beepDelays, decode, hasFfmpeg, makeClip, probe } from './support/clips';
import { makeSound, samplesOf } from './support/sounds';
import { itemOf, join, stage, useEngine } from './support/stage';

// The sound of a film, judged by ffmpeg.

useEngine();

async function filmOf(clip: Buffer, sound: Buffer): Promise<Buffer> {
	const { error, outputs } = await join([itemOf(clip), itemOf(sound, {}, 'voice')]);
	expect(error).toBeUndefined();
	return await stage.engine.readBinary(outputs()[0][0].binary!.data);
}

const withFfmpeg = hasFfmpeg ? describe : describe.skip;

withFfmpeg('with ffmpeg', () => {
	const FORMATS: Array<[string, Parameters<typeof makeSound>[0]]> = [
		['MP3', { ending: 'mp3' }],
		['MP3, stereo', { ending: 'mp3', rate: 48_000, channels: 2 }],
		['MP3 of a low rate', { ending: 'mp3', rate: 24_000 }],
		['MP3 without a word of its encoder', { ending: 'mp3', args: ['-write_xing', '0'] }],
		['AAC', { ending: 'aac', args: ['-f', 'adts'] }],
		['AAC, stereo', { ending: 'aac', rate: 24_000, channels: 2, args: ['-f', 'adts'] }],
		['M4A', { ending: 'm4a' }],
		['WAV', { ending: 'wav', rate: 24_000 }],
		['WAV, stereo', { ending: 'wav', rate: 48_000, channels: 2 }],
	];

	it.each(FORMATS)('plays %s in time', async (_what, options) => {
		const film = await filmOf(makeClip({ beep: true, args: ['-an'] }), makeSound(options));
		expect(decode(film).complaints).toBe('');
		const [delay, ...others] = beepDelays(film);
		expect(Math.abs(delay)).toBeLessThan(30);
		expect(others).toEqual([]);
		const [video, audio] = probe(film);
		expect(Number(video.duration)).toBe(1);
		expect(Math.abs(Number(audio.duration) - 0.9)).toBeLessThan(0.05);
	});

	it.each([1, 2])('loses nothing of a WAV with %i channels', async (channels) => {
		// More than 128 frames, whose numbers then take two bytes.
		const sound = makeSound({ ending: 'wav', rate: 24_000, channels, seconds: 24 });
		const film = await filmOf(makeClip({ seconds: 24, fps: '1' }), sound);
		expect(samplesOf(film, 'mp4').equals(samplesOf(sound, 'wav'))).toBe(true);
	});

	it('refuses an M4A of another codec', async () => {
		const alac = makeSound({ ending: 'm4a', args: ['-c:a', 'alac'] });
		const { error } = await join([itemOf(makeClip()), itemOf(alac, {}, 'voice')]);
		expect(error?.message).toBe('Sound (voice) has sound that cannot be taken: alac [item 1]');
	});
});
