/** What the protocol takes as a file, by the end of its address. */
const BY_EXTENSION: Record<string, string> = {
	'3gp': 'video/3gpp',
	aac: 'audio/aac',
	aif: 'audio/aiff',
	aiff: 'audio/aiff',
	avi: 'video/avi',
	bmp: 'image/bmp',
	css: 'text/css',
	csv: 'text/csv',
	flac: 'audio/flac',
	flv: 'video/x-flv',
	gif: 'image/gif',
	heic: 'image/heic',
	heif: 'image/heif',
	htm: 'text/html',
	html: 'text/html',
	jpeg: 'image/jpeg',
	jpg: 'image/jpeg',
	js: 'text/javascript',
	json: 'application/json',
	m4a: 'audio/mp4',
	md: 'text/md',
	mov: 'video/quicktime',
	mp3: 'audio/mp3',
	mp4: 'video/mp4',
	mpeg: 'video/mpeg',
	mpg: 'video/mpg',
	ogg: 'audio/ogg',
	pdf: 'application/pdf',
	png: 'image/png',
	rtf: 'text/rtf',
	txt: 'text/plain',
	wav: 'audio/wav',
	webm: 'video/webm',
	webp: 'image/webp',
	wmv: 'video/wmv',
	xml: 'text/xml',
};

const YOUTUBE = /^((www|m|music)\.)?(youtube\.com|youtube-nocookie\.com|youtu\.be)$/;
/** The vendor's own store of files, which knows their types. */
const STORED = /^\/v1(beta)?\/files\/[^/]+$/;

/**
 * The media type of a file at an address; `''` where the protocol needs none, `undefined` where the
 * address does not tell.
 */
export function toMediaType({ hostname, pathname }: URL): string | undefined {
	if (YOUTUBE.test(hostname)) return 'video/*';
	if (hostname === 'generativelanguage.googleapis.com' && STORED.test(pathname)) return '';
	const extension = /\.([a-z\d]{1,5})$/i.exec(pathname)?.[1].toLowerCase() ?? '';
	return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
}
