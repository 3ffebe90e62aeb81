import { planFilm } from '../../../../nodes/VideoJoin/film/planFilm';
import { layOut } from '../../../../nodes/VideoJoin/film/writeFilm';
import { bytesOf, madeClip } from './support/madeClip';
import { rewriteIndex } from './support/mp4Box';

const NEW = { creation_time: 0, modification_time: 0 };
const MATRIX = { ...[65_536, 0, 0, 0, 65_536, 0, 0, 0, 2 ** 30] };
const ENABLED = { ...NEW, flags: 3, matrix: MATRIX, layer: 0, alternate_group: 0 };
const WHOLE = { elst: { flags: 0, entries: [{ media_rate_integer: 1, media_rate_fraction: 0 }] } };
const MDHD = { ...NEW, languageString: 'und' };
const CHUNKS = { first_chunk: [1], samples_per_chunk: [1], sample_description_index: [1] };
const MP4A = { data_reference_index: 1, version: 0, samplesize: 16, samplerate: 48_000 };
/** The box `esds` (ISO 14496-14): AAC, a stream of sound, with no buffer and no rate of bits told. */
const ESDS = ['00000000', '0319000000', '04114015000000', '0000000000000000', '05021190', '060102'];

const SHAPE = {
	timescale: 600,
	pictures: [0, 1, 2, 1, 0].map((delay, i) => ({
		...{ duration: 25, delay, bytes: 50, isKey: i === 0 },
	})),
	sound: { from: 0, frames: 12, timescale: 48_000, gapAt: 12, gapSeconds: 0 },
	quality: 0,
};

it('writes an index with the fixed values of the standards, as mp4box.js does', async () => {
	const clip = madeClip(SHAPE);
	const { own, anew, moov } = rewriteIndex(await bytesOf(layOut(planFilm([clip, clip]))));
	// It reads nothing of what is reserved, and writes zeros there.
	expect(own.toString('hex')).toBe(anew.toString('hex'));
	expect(own.toString('hex')).toContain(Buffer.from('esds').toString('hex') + ESDS.join(''));
	expect(moov).toMatchObject({
		mvhd: { ...NEW, matrix: MATRIX, rate: 65_536, volume: 1, next_track_id: 3 },
		traks: [
			{
				...{ tkhd: { ...ENABLED, track_id: 1, volume: 0 }, edts: WHOLE },
				mdia: {
					mdhd: MDHD,
					minf: {
						vmhd: { flags: 1, graphicsmode: 0, opcolor: { 0: 0, 1: 0, 2: 0 } },
						stbl: { stsc: CHUNKS, stss: { sample_numbers: [1, 6] } },
					},
				},
			},
			{
				...{ tkhd: { ...ENABLED, track_id: 2, volume: 1, width: 0, height: 0 }, edts: WHOLE },
				mdia: {
					mdhd: MDHD,
					minf: {
						smhd: { flags: 0, balance: 0 },
						stbl: { stsc: CHUNKS, stsd: { entries: [MP4A] } },
					},
				},
			},
		],
	});
});
