import { sniffVideo } from '../../../../nodes/shared/mp4/videoFormat';

const at = (length: number, marks: Record<number, string>) => {
	const bytes = Buffer.alloc(length, 1);
	for (const [index, mark] of Object.entries(marks)) bytes.write(mark, Number(index), 'latin1');
	return bytes;
};
const EBML = '\x1aE\xdf\xa3';

describe('sniffVideo', () => {
	it.each<[string, Buffer, ReturnType<typeof sniffVideo>]>([
		['an MP4', at(12, { 4: 'ftypisom' }), 'video/mp4'],
		['an old MP4', at(12, { 4: 'moov' }), 'video/mp4'],
		['QuickTime', at(12, { 4: 'ftypqt  ' }), 'video/quicktime'],
		['WebM', at(64, { 0: EBML, 31: '\x42\x82\x84webm' }), 'video/webm'],
		['Matroska', at(64, { 0: EBML, 31: '\x42\x82\x88matroska' }), 'video/x-matroska'],
		['eleven bytes', at(11, { 4: 'ftyp' }), 'more'],
		['a cut WebM', at(63, { 0: EBML }), 'more'],
		['a page', Buffer.from('<!doctype html><html>'), undefined],
		['an MP4 of sound', at(12, { 4: 'ftypM4A ' }), undefined],
	])('%s', (_what, bytes, type) => {
		expect(sniffVideo(bytes)).toBe(type);
	});
});
