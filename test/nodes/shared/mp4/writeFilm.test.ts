import { planFilm } from '../../../../nodes/shared/mp4/planFilm';
import { layOut } from '../../../../nodes/shared/mp4/writeFilm';
import { bytesOf, madeClip, toSource } from './support/madeClip';

it.each([
	['H.264', [0, 0, 0, 2, 0x09, 0x10]],
	['H.265', [0, 0, 0, 3, 0x46, 0x01, 0x10]],
])(
	'puts the settings of a clip behind the delimiter of %s, which has to be first',
	async (_name, delimiter) => {
		const pictures = [{ duration: 1, delay: 0, bytes: 20, isKey: true }];
		const [first, second] = [0, 1].map((quality) => {
			const clip = madeClip({ timescale: 25, pictures, quality });
			const bytes = Buffer.alloc(60, 0xdd);
			Buffer.from(delimiter).copy(bytes, clip.video.samples.offsets[0]);
			return { ...clip, source: toSource(bytes) };
		});
		const film = await bytesOf(layOut(planFilm([first, second])));
		const expected = [first, second].flatMap(({ video: { format } }) => [
			...[Buffer.from(delimiter), format.parameterSets],
			Buffer.alloc(20 - delimiter.length, 0xdd),
		]);
		expect(film.subarray(film.indexOf('mdat') + 4).toString('hex')).toBe(
			Buffer.concat(expected).toString('hex'),
		);
	},
);
