const MAX_NAME_CHARS = 150;

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
	['video/mp4', 'mp4'],
	['video/quicktime', 'mov'],
	['video/webm', 'webm'],
	['video/x-matroska', 'mkv'],
]);

/**
 * A plain file name: no path, no control characters, no name that a file system treats specially,
 * and with an extension that fits the MIME type.
 */
export function toFileName(
	wanted: string | undefined,
	task_id: string | undefined,
	mimeType: string,
): string {
	const extension = EXTENSIONS.get(mimeType) ?? 'mp4';
	const base = clean(wanted ?? '') || clean(task_id ?? '') || 'video';
	const named = /\.[a-z0-9]{2,4}$/i.test(base) && wanted ? base : `${base}.${extension}`;
	if (named.length <= MAX_NAME_CHARS) return named;
	const dot = named.lastIndexOf('.');
	const short = named.slice(0, MAX_NAME_CHARS - (named.length - dot));
	// Half a character at the end has no encoding, and n8n's own header for the file would throw.
	return short.replace(/\p{Surrogate}$/u, '') + named.slice(dot);
}

function clean(name: string): string {
	const plain = name.replace(/[\p{Cc}\p{Cf}\p{Surrogate}<>:"/\\|?*]{1,1000}/gu, '_');
	let from = 0;
	let to = plain.length;
	while (from < to && isEdge(plain[from])) from++;
	while (to > from && isEdge(plain[to - 1])) to--;
	return plain.slice(from, to);
}

/** What file systems hide or cut off at the edges of a name. */
const isEdge = (sign: string) => sign === '.' || sign.trim() === '';
