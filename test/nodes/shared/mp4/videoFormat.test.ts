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
		['an MP4 in pieces', at(12, { 4: 'styp' }), 'video/mp4'],
		['an MP4 without a brand', at(12, { 4: 'moov' }), 'video/mp4'],
		['QuickTime', at(12, { 4: 'ftypqt  ' }), 'video/quicktime'],
		['old QuickTime', at(12, { 4: 'wide' }), 'video/quicktime'],
		['a preview of QuickTime', at(12, { 4: 'pnot' }), 'video/quicktime'],
		['WebM', at(64, { 0: EBML, 31: '\x42\x82\x84webm' }), 'video/webm'],
		['Matroska', at(64, { 0: EBML, 31: '\x42\x82\x88matroska' }), 'video/x-matroska'],
		['an AVI', at(12, { 0: 'RIFF', 8: 'AVI ' }), 'video/x-msvideo'],
		['MPEG-TS', at(392, { 0: 'G..\x10', 188: 'G..\x10', 376: 'G..\x30' }), 'video/mp2t'],
		['MPEG-TS of a disc', at(392, { 4: 'G..\x10', 196: 'G..\x10', 388: 'G..\x30' }), 'video/mp2t'],
		['MPEG', at(12, { 0: '\0\0\x01\xba' }), 'video/mpeg'],
		['Ogg', at(64, { 0: 'OggS\0', 28: '\x80theora' }), 'video/ogg'],
		['FLV', at(12, { 0: 'FLV\x01' }), 'video/x-flv'],
		['Windows Media', at(12, { 0: '0&\xb2u\x8ef\xcf\x11' }), 'video/x-ms-wmv'],
		['eleven bytes', at(11, { 4: 'ftyp' }), 'more'],
		['a cut WebM', at(63, { 0: EBML }), 'more'],
		['a cut MPEG-TS', at(391, { 0: 'G' }), 'more'],
		['a text with a "G"', Buffer.from('Gateway error. '.repeat(40)), undefined],
		['a text of nothing but "G"', Buffer.from('G'.repeat(800)), undefined],
		['a page', Buffer.from('<!doctype html><html>'), undefined],
		['JSON', Buffer.from('{"error":{"message":"no"}}'), undefined],
		['a cut Ogg', at(63, { 0: 'OggS\0' }), 'more'],
		['an MP4 of sound', at(12, { 4: 'ftypM4A ' }), undefined],
		['an audio book', at(12, { 4: 'ftypM4B ' }), undefined],
		['an Ogg of sound', at(64, { 0: 'OggS\0', 28: 'OpusHead' }), undefined],
		['a sound', at(64, { 0: 'RIFF', 8: 'WAVE' }), undefined],
		['a picture', at(64, { 0: '\x89PNG' }), undefined],
	])('%s', (_what, bytes, type) => {
		expect(sniffVideo(bytes)).toBe(type);
	});
});
