import { planFilm } from '../../../../nodes/VideoJoin/film/planFilm';
import { beginAtCut, secondsBeforeCut } from '../../../../nodes/VideoJoin/film/trim';
import { madeClip } from './support/madeClip';

// Where a clip begins whose edit list hides its first pictures. Files of ffmpeg are in the engine's tests.

/** A picture for each time, in the order of decoding, 25 units each; `K` is behind a key frame's time. */
function cutAt(cut: number | undefined, order: string, duration = 25) {
	const shown = order.split(' ');
	const pictures = shown.map((one, i) => ({
		...{ duration, delay: parseInt(one) - duration * i, bytes: 10, isKey: one.endsWith('K') },
	}));
	const clip = madeClip({ timescale: 1000, pictures, quality: 0 });
	const track = beginAtCut({ ...clip.video, cut });
	const { samples } = track;
	const [film, early] = [planFilm([{ ...clip, video: track }]), secondsBeforeCut(track)];
	return {
		shown: samples.delays.map((delay, i) => samples.times[i] + delay).join(' '),
		seconds: film.starts[1] / 90_000,
		early,
	};
}

const TWO_GROUPS = '0K 50 25 75K 125 100';

it.each<[what: string, cut: number | undefined, order: string, shown: string, early: number]>([
	['has no edit list', undefined, TWO_GROUPS, '0 50 25 75 125 100', 0],
	['hides nothing', 0, TWO_GROUPS, '0 50 25 75 125 100', 0],
	['is cut where it begins, but for rounding', 1, '0K 25K 50K', '0 25 50', 0],
	['is cut in its first group', 50, TWO_GROUPS, '0 50 25 75 125 100', 0.05],
	['is cut at a key frame', 75, TWO_GROUPS, '75 125 100', 0],
	['is cut in the picture before a key frame', 60, TWO_GROUPS, '75 125 100', 0],
	['is cut in its last group', 125, TWO_GROUPS, '75 125 100', 0.05],
	['hides all pictures', 900, TWO_GROUPS, '75 125 100', 0.825],
	['shows pictures behind a key frame before it', 75, '75K 25 50 100 125', '75 100 125', 0],
	['has no key frame before its cut', 26, '75K 25 50', '75 25 50', 0],
])('begins a clip that %s', (_what, cut, order, shown, early) => {
	const track = cutAt(cut, order);
	expect([track.shown, track.early]).toEqual([shown, early || expect.closeTo(0)]);
	expect(track.seconds).toBeCloseTo((shown.split(' ').length * 25) / 1000);
});

it('shows a slide again rather than leave out most of it', () => {
	expect(cutAt(1500, '0K 1000 2000K', 1000)).toMatchObject({ shown: '0 1000 2000', early: 1.5 });
	expect(cutAt(1970, '0K 1000 2000K', 1000)).toMatchObject({ shown: '2000', early: 0 });
});
