'use strict';

// Sound as speech models give it: samples without a header, which no player plays.

const PCM = 'audio/L16;codec=pcm;rate=24000';
const RATE = 24_000;
const SECONDS = 0.5;
const TONE_HZ = 440;
const LOUDNESS = 8_000;

/** A tone, 16 bits a sample, lowest byte first. */
function tone() {
	const samples = Buffer.alloc(2 * RATE * SECONDS);
	for (let at = 0; at < samples.length; at += 2) {
		const phase = (2 * Math.PI * TONE_HZ * (at / 2)) / RATE;
		samples.writeInt16LE(Math.round(LOUDNESS * Math.sin(phase)), at);
	}
	return samples;
}

/** One part for each piece; a piece may end inside a sample. */
function audioParts({ audio }, pieces) {
	if (!audio) return [];
	const bytes = tone();
	const size = Math.ceil(bytes.length / pieces);
	return Array.from({ length: pieces }, (_, index) => ({
		inlineData: {
			mimeType: audio === true ? PCM : audio,
			data: bytes.subarray(index * size, (index + 1) * size).toString('base64'),
		},
	}));
}

module.exports = { audioParts, tone };
