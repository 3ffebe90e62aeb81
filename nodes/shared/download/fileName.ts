const MAX_NAME_CHARS = 150;

const EXTENSIONS: Record<string, string> = {
	'video/mp4': 'mp4',
	'video/quicktime': 'mov',
	'video/webm': 'webm',
	'video/x-matroska': 'mkv',
};

/**
 * A plain file name: no path, no control characters, no name that a file system treats specially,
 * and with an extension that fits the MIME type.
 */
export function toFileName(
	wanted: string | undefined,
	task_id: string | undefined,
	mimeType: string,
): string {
	const extension = EXTENSIONS[mimeType] ?? 'mp4';
	const base = clean(wanted ?? '') || clean(task_id ?? '') || 'video';
	const named = /\.[a-z0-9]{2,4}$/i.test(base) && wanted ? base : `${base}.${extension}`;
	if (named.length <= MAX_NAME_CHARS) return named;
	const dot = named.lastIndexOf('.');
	return named.slice(0, MAX_NAME_CHARS - (named.length - dot)) + named.slice(dot);
}

function clean(name: string): string {
	return name.replace(/[\p{Cc}<>:"/\\|?*]+/gu, '_').replace(/^[.\s]+|[.\s]+$/g, '');
}
