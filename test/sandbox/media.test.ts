import { VIDEOS } from '../../sandbox/service/media';
import { ffprobe, hasFfprobe, readMedia } from './support/files';
import { boxesOf, chunkOffsets, find, pictureSize, sampleBytes, trackKinds } from './support/mp4';

// The videos are whole and playable: by a box walker of our own, and by ffprobe where there is one.

const canProbe = hasFfprobe();

const SIZES = {
	landscape: { width: 640, height: 360 },
	portrait: { width: 360, height: 640 },
	square: { width: 480, height: 480 },
};

it('has these videos', () => {
	expect([...VIDEOS].sort()).toEqual(Object.keys(SIZES).sort());
});

describe.each(Object.entries(SIZES))('%s', (name, size) => {
	const file = readMedia(name);

	it('is small, and starts with its index', () => {
		const types = boxesOf(file).map(({ type }) => type);
		expect(types[0]).toBe('ftyp');
		expect(types.indexOf('moov')).toBeLessThan(types.indexOf('mdat'));
		expect(file.length).toBeLessThan(60_000);
	});

	it('holds every sample that its index promises', () => {
		const [data] = find(file, 'mdat');
		const end = data.start + data.size;
		expect(sampleBytes(file)).toBe(end - data.body);
		const offsets = chunkOffsets(file);
		expect(offsets.length).toBeGreaterThan(0);
		expect(offsets.every((at: number) => at >= data.body && at < end)).toBe(true);
	});

	it('has the picture of its name', () => {
		expect(pictureSize(file)).toEqual(size);
		expect(file.includes('avc1')).toBe(true);
	});

	it('has a sound track if it is the landscape', () => {
		const sound = name === 'landscape' ? ['soun'] : [];
		expect(trackKinds(file)).toEqual(['vide', ...sound]);
	});

	(canProbe ? it : it.skip)('plays to its end, says ffprobe', () => {
		const { streams, format, complaints } = ffprobe(name);
		expect(complaints).toBe('');
		expect(streams[0]).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', ...size });
		expect(Number(streams[0].nb_read_frames)).toBeGreaterThanOrEqual(48);
		expect(Number(format.duration)).toBeGreaterThanOrEqual(2);
		expect(Number(format.duration)).toBeLessThanOrEqual(3);
	});
});
