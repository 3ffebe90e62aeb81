import { sniffImage, toBase64 } from '../../../../nodes/shared/lib/image';

describe('images', () => {
	it.each([
		['89504e470d0a1a0a', 'image/png'],
		['ffd8ffe000104a464946', 'image/jpeg'],
		['474946383961', 'image/gif'],
		['52494646aabbccdd57454250', 'image/webp'],
		['0000001c6674797061766966', 'image/avif'],
		['255044462d312e37', undefined],
		['', undefined],
	])('knows %s as %p', (hex, mimeType) => {
		expect(sniffImage(Buffer.from(hex, 'hex'))).toBe(mimeType);
	});

	it.each([
		['data:image/png;base64,AAAA', 'AAAA'],
		['AA\nAA', 'AAAA'],
		['_-+/AA==', '_-+/AA=='],
		['AA=A', undefined],
		['data:image/svg+xml,%3Csvg%3E', undefined],
		['', undefined],
	])('takes the base64 of a text, row %#', (text, base64) => {
		expect(toBase64(text)).toBe(base64);
	});
});
