import { beepDelays, decode, hasFfmpeg, makeClip, probe } from './support/clips';
import { makeSound, samplesOf } from './support/sounds';
import { itemOf, join, stage, useEngine } from './support/stage';

// The sound of a film, judged by ffmpeg.

useEngine();

async function filmOf(clip: Buffer, sound: Buffer): Promise<Buffer> {
	// Servers that write WAV call it MP3.
	const { error, outputs } = await join([itemOf(clip), itemOf(sound, {}, 'voice.mp3')]);
	expect(error).toBeUndefined();
	return await stage.engine.readBinary(outputs()[0][0].binary!.data);
}

const withFfmpeg = hasFfmpeg ? describe : describe.skip;

withFfmpeg('with ffmpeg', () => {
	const floats = (bits: number) => ['-c:a', `pcm_f${bits}le`];
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
		['WAV of floats', { ending: 'wav', rate: 24_000, args: floats(32) }],
		['WAV of long floats', { ending: 'wav', rate: 24_000, args: floats(64) }],
		['WAV of an unknown length', { ending: 'wav', rate: 24_000, isPiped: true }],
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

	it.each([
		[32, 1],
		[64, 2],
	])('takes WAV of floats with %i bits and %i channels to 24 bits', async (bits, channels) => {
		const sound = makeSound({ ending: 'wav', rate: 24_000, channels, args: floats(bits) });
		const film = await filmOf(makeClip(), sound);
		const [made, wanted] = [samplesOf(film, 'mp4', 24), samplesOf(sound, 'wav', 24)];
		expect([made.length, made.length]).toEqual([wanted.length, 0.9 * 24_000 * channels * 3]);
		for (let at = 0; at < made.length; at += 3) {
			const off = made.readIntLE(at, 3) - wanted.readIntLE(at, 3);
			// ffmpeg rounds down.
			if (off !== 0 && off !== 1) throw new Error(`Sample ${at / 3} is off by ${off}`);
		}
	});

	it('plays a WAV to its end that tells no length', async () => {
		const sound = makeSound({ ending: 'wav', rate: 24_000 });
		const streamed = Buffer.from(sound);
		streamed.writeUInt32LE(0, 4);
		streamed.writeUInt32LE(0, streamed.indexOf('data') + 4);
		const film = await filmOf(makeClip(), streamed);
		expect(samplesOf(film, 'mp4').equals(samplesOf(sound, 'wav'))).toBe(true);
	});

	it.each([24_000, 44_100])('plays both of two MP3s with %i Hz in one file', async (rate) => {
		const args = ['-metadata', 'title=Part', '-write_id3v1', '1'];
		const part = makeSound({ ending: 'mp3', rate, args });
		expect([part.toString('latin1', 0, 3), part.includes('Info')]).toEqual(['ID3', true]);
		const clip = makeClip({ beep: true, seconds: 2, args: ['-an'] });
		const film = await filmOf(clip, Buffer.concat([part, part]));
		expect(decode(film).complaints).toBe('');
		const [first, second, ...others] = beepDelays(film);
		expect(Math.abs(first)).toBeLessThan(30);
		// The first part is 0.9 s long, and the encoder has put up to two frames of silence around it.
		expect(second + 100).toBeGreaterThan(0);
		expect(second + 100).toBeLessThan(100);
		expect(others).toEqual([]);
	});

	it('refuses an M4A of another codec', async () => {
		const alac = makeSound({ ending: 'm4a', args: ['-c:a', 'alac'] });
		const { error } = await join([itemOf(makeClip()), itemOf(alac, {}, 'voice')]);
		expect(error?.message).toBe('Sound (voice) has sound that cannot be taken: alac [item 1]');
	});
});
