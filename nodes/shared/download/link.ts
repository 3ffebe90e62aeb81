import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { DEFAULT_LINK_HOURS } from '../item/downloadWishes';
import type { Run } from '../item/run';
import { lowerFirst, sentences, toCode, toLink, toPlain } from '../lib/text';
import type { Connection } from '../service/connection';
import { toHttpUrl } from '../service/credential';
import type { VideoTask } from '../service/videoTask';
import { leadsInside } from './addressRule';

const HOUR_S = 3_600;

/** An address that opens without key or login, and words about it or why there is none. */
interface VideoLink {
	url?: string;
	expiresAtMs?: number;
	/** Markdown. */
	words: string;
}

/** Returns an item's fields of a link. Chats show `message` of an item that they get whole. */
export function toLinkFields(
	binary: IBinaryData,
	hours: number | undefined,
	run: Run,
): IDataObject {
	if (!hours) return {};
	const { url, expiresAtMs, words } = makeLink(binary, hours, run);
	return {
		...(url !== undefined && { link: url }),
		...(expiresAtMs !== undefined && { link_expires_at: new Date(expiresAtMs).toISOString() }),
		message: words,
	};
}

/** Words a file for a chat that hears of the run: there a link is what people wait for. */
export function toFilmWords(
	{ binary, message }: { binary: IBinaryData; message?: unknown },
	hours: number | undefined,
	run: Run,
): string {
	if (typeof message === 'string') return message;
	return hours === 0 ? IN_OUTPUT : makeLink(binary, hours ?? DEFAULT_LINK_HOURS, run).words;
}

/** Makes a link to a stored file. Never throws: the file is paid for, with or without one. */
function makeLink(binary: IBinaryData, hours: number, { context, clock }: Run): VideoLink {
	const { helpers } = context;
	if (!('createBinarySignedUrl' in helpers)) return none('this version of n8n cannot make one');
	// n8n keeps no ID of a file that is inside the item itself.
	if (binary.id === undefined) {
		return none(
			'n8n keeps files in memory here (N8N_DEFAULT_BINARY_DATA_MODE); it has links for files in filesystem, database or s3',
		);
	}
	const seconds = Math.max(1, Math.round(hours * HOUR_S));
	try {
		const signed = toHttpUrl(helpers.createBinarySignedUrl(binary, `${seconds}s`));
		if (!signed) return none('n8n gave no web address');
		const editorUrl = 'getInstanceBaseUrl' in context ? context.getInstanceBaseUrl() : undefined;
		const url = toPublic(signed, editorUrl);
		const expiresAtMs = clock.now() + seconds * 1000;
		const link = toLink(binary.fileName ?? 'video', url.href);
		const words = `${link} (a download, until ${toMinute(expiresAtMs)})`;
		return { url: url.href, expiresAtMs, words: sentences(words, whereTo(url)) ?? words };
	} catch (error) {
		return none(toPlain(lowerFirst(error instanceof Error ? error.message : String(error))));
	}
}

export const IN_OUTPUT = 'The file is stored with this n8n execution.';

const none = (reason: string): VideoLink => ({
	words: sentences(IN_OUTPUT, `There is no link to it: ${reason}`) ?? IN_OUTPUT,
});

/** `2026-11-21 00:22 UTC` */
const toMinute = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/**
 * Returns an address that others reach, where there is one. n8n signs for WEBHOOK_URL, and for itself
 * where that is not set; the editor's address, where it is another one, leads to the same.
 */
function toPublic(signed: URL, editorUrl: string | undefined): URL {
	const editor = toHttpUrl(editorUrl?.replace(/\/*$/, '/'));
	if (!LOOPBACK.test(signed.hostname) || !editor || LOOPBACK.test(editor.hostname)) return signed;
	const { pathname, search } = signed;
	const path = pathname.startsWith(editor.pathname)
		? pathname.slice(editor.pathname.length)
		: pathname.slice(1);
	// Nothing else of it: a name and password there are not for those who get the link.
	return new URL(`${editor.origin}${editor.pathname}${path}${search}`);
}

/** Says for whom it does not open. */
const whereTo = ({ hostname, origin }: URL) =>
	LOOPBACK.test(hostname)
		? `It opens only on n8n's own machine (${origin}): for others, set WEBHOOK_URL`
		: undefined;

/**
 * Returns a task's `result_url` where others can open it. Operators leave their settings' default in
 * it (`http://localhost:3000/...`): that is the service's own machine and means another one here,
 * unless the service is reached under such a name itself.
 */
export function usableResultUrl(
	result_url: string | undefined,
	{ baseUrl }: Pick<Connection, 'baseUrl'>,
): string | undefined {
	const url = toHttpUrl(result_url);
	return url && !leadsInside(url, baseUrl) ? url.href : undefined;
}

/** Words a rendered task for a chat: most links open only with the key. */
export function toResultWords(
	{ task_id, result_url }: VideoTask,
	connection: Pick<Connection, 'baseUrl'>,
): string {
	const url = usableResultUrl(result_url, connection);
	const isOwn = toHttpUrl(url)?.origin === toHttpUrl(connection.baseUrl)?.origin;
	return url === undefined || isOwn ? toCode(task_id) : toLink(task_id, url);
}
