/** How files begin that people mistake for an MP4, and what to call them. */
const KINDS: Array<[RegExp, string]> = [
	[/^$/, 'is empty'],
	[/^.E\xdf\xa3/s, 'is a WebM or Matroska file'],
	[/^RIFF.{4}AVI /s, 'is an AVI file'],
	[/^RIFF.{4}WAVE/s, 'is a sound file (WAV)'],
	[/^RIFF.{4}WEBP/s, 'is a picture (WebP)'],
	[/^\x89PNG/, 'is a picture (PNG)'],
	[/^\xff\xd8\xff/, 'is a picture (JPEG)'],
	[/^GIF8/, 'is a picture (GIF)'],
	[/^(ID3|\xff[\xe3\xf3\xfb])/, 'is a sound file (MP3)'],
	[/^OggS/, 'is an Ogg file'],
	[/^FLV/, 'is a Flash video'],
	[/^PK/, 'is a ZIP archive'],
	[/^.\x8b/s, 'is a GZIP archive'],
	[/^%PDF/, 'is a PDF'],
	[/^G.{187}G/s, 'is an MPEG transport stream'],
	[/^\s*<(!doctype html|html)/i, 'is a web page'],
	[/^\s*[{[]/, 'is JSON'],
	[/^[\t\n\r\x20-\x7e]*$/, 'is text'],
];

/** Returns what a file is by its first bytes, to complete "it ...". */
export function whatItIs(start: Buffer): string {
	const text = start.toString('latin1');
	return KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'begins as no video file does';
}
