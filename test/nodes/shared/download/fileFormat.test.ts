import { createWholeCheck, sniffFile } from '../../../../nodes/shared/download/fileFormat';

const at = (length: number, marks: Record<number, string>) => {
	const bytes = Buffer.alloc(length, 1);
	for (const [index, mark] of Object.entries(marks)) bytes.write(mark, Number(index), 'latin1');
	return bytes;
};
const EBML = '\x1aE\xdf\xa3';

describe('sniffFile', () => {
	it.each<[string, Buffer, ReturnType<typeof sniffFile>]>([
		['an MP4', at(12, { 4: 'ftypisom' }), 'video/mp4'],
		['an old MP4', at(12, { 4: 'moov' }), 'video/mp4'],
		['QuickTime', at(12, { 4: 'ftypqt  ' }), 'video/quicktime'],
		['WebM', at(64, { 0: EBML, 31: '\x42\x82\x84webm' }), 'video/webm'],
		['Matroska', at(64, { 0: EBML, 31: '\x42\x82\x88matroska' }), 'video/x-matroska'],
		['eleven bytes', at(11, { 4: 'ftyp' }), 'more'],
		['a cut WebM', at(63, { 0: EBML }), 'more'],
		['a page', Buffer.from('<!doctype html><html>'), undefined],
		['an MP4 of sound', at(12, { 4: 'ftypM4A ' }), 'audio/mp4'],
		['a PNG', at(12, { 0: '\x89PNG' }), 'image/png'],
		['a PDF', at(12, { 0: '%PDF-1.7' }), undefined],
	])('%s', (_what, bytes, type) => {
		expect(sniffFile(bytes)).toBe(type);
	});
});

describe('createWholeCheck', () => {
	const latin = (text: string) => Buffer.from(text, 'latin1');
	const box = (type: string, body = 8) => {
		const bytes = Buffer.alloc(8 + body, 1);
		bytes.writeUInt32BE(bytes.length);
		bytes.write(type, 4, 'latin1');
		return bytes;
	};
	/** A file of chunks with its length in front, least or most significant byte first. */
	const chunks = (name: string, form: string, isBigEndian: boolean) => {
		const bytes = Buffer.alloc(200, 1);
		bytes.write(name, 0, 'latin1');
		if (isBigEndian) bytes.writeUInt32BE(192, 4);
		else bytes.writeUInt32LE(192, 4);
		bytes.write(form, 8, 'latin1');
		return bytes;
	};
	const PNG = latin(`\x89PNG${'x'.repeat(3000)}\0\0\0\0IEND\xaeB\`\x82`);

	it.each<[string, Buffer]>([
		['image/png', PNG],
		['image/jpeg', latin(`\xff\xd8\xff\xe0${'x'.repeat(3000)}\xff\xd9`)],
		['image/gif', latin(`GIF89a${'x'.repeat(50)}\0;`)],
		['image/webp', chunks('RIFF', 'WEBP', false)],
		['image/svg+xml', latin('<svg xmlns="http://www.w3.org/2000/svg"><path/></svg>')],
		['image/avif', Buffer.concat([box('ftyp'), box('meta'), box('mdat', 100)])],
		['audio/wav', chunks('RIFF', 'WAVE', false)],
		['audio/aiff', chunks('FORM', 'AIFF', true)],
		['audio/mp4', Buffer.concat([box('ftyp'), box('moov'), box('mdat', 100)])],
	])('tells of %s whether its end is there', (type, bytes) => {
		const check = (size: number, step = 7) => {
			const one = createWholeCheck(type);
			for (let at = 0; at < size; at += step)
				one.feed(bytes.subarray(at, Math.min(size, at + step)));
			return one.isWhole();
		};
		expect([check(bytes.length), check(bytes.length, 5000)]).toEqual([true, true]);
		for (const cut of [1, 2, 9, 40]) {
			// Of a JPEG, only its last two bytes tell.
			expect([type, cut, check(bytes.length - cut)]).toEqual([type, cut, false]);
		}
	});

	it('leaves a few bytes behind the end of a picture alone', () => {
		const check = createWholeCheck('image/png');
		check.feed(Buffer.concat([PNG, Buffer.alloc(16)]));
		expect(check.isWhole()).toBe(true);
	});

	it.each([0, 0xffffffff, 0x7fffffff])('takes a WAV that was written as a stream: %d', (told) => {
		const bytes = chunks('RIFF', 'WAVE', false);
		bytes.writeUInt32LE(told, 4);
		const check = createWholeCheck('audio/wav');
		check.feed(bytes);
		expect(check.isWhole()).toBe(true);
	});
});
