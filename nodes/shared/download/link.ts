import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { DEFAULT_LINK_HOURS } from '../item/downloadOptions';
import type { Run } from '../item/run';
import { lowerFirst, sentences, toCode, toLink, toPlain } from '../lib/text';
import type { Connection } from '../service/connection';
import { toHttpUrl } from '../service/credential';
import type { VideoTask } from '../service/videoTask';
import { leadsInside } from './addressRule';

/**
 * Returns the fields of an item's link; none without `hours`. Its `message`, the only field that a
 * chat shows of an item, is Markdown and says why if there is no link. Never throws: the file is
 * paid for, with or without a link.
 */
export function toLinkFields(
	binary: IBinaryData,
	hours: number | undefined,
	{ context, clock }: Run,
): { link?: string; link_expires_at?: string; message?: string } {
	if (!hours) return {};
	const { helpers } = context;
	if (!('createBinarySignedUrl' in helpers)) return noLink('this version of n8n cannot make one');
	// A file that is inside the item itself has no ID.
	if (binary.id === undefined) return noLink(IN_MEMORY);
	const seconds = Math.max(1, Math.round(hours * 3_600));
	try {
		const signed = toHttpUrl(helpers.createBinarySignedUrl(binary, `${seconds}s`));
		if (!signed) return noLink('n8n gave no web address');
		const url = toPublic(signed, context);
		const end = new Date(clock.now() + seconds * 1000).toISOString();
		const until = `${end.slice(0, 16).replace('T', ' ')} UTC`;
		const message = sentences(
			`${toLink(binary.fileName ?? 'video', url.href)} (a download, until ${until})`,
			LOOPBACK.test(url.hostname)
				? `It opens only on n8n's own machine (${url.origin}): for others, set WEBHOOK_URL`
				: '',
		);
		return { link: url.href, link_expires_at: end, message };
	} catch (error) {
		return noLink(toPlain(lowerFirst(error instanceof Error ? error.message : String(error))));
	}
}

/** Words a file for a chat that follows the run; people there expect a link. */
export function toFilmWords(
	binary: IBinaryData,
	{ message }: IDataObject,
	hours: number | undefined,
	run: Run,
): string {
	if (typeof message === 'string') return message;
	return toLinkFields(binary, hours ?? DEFAULT_LINK_HOURS, run).message ?? IN_OUTPUT;
}

export const IN_OUTPUT = 'The file is stored with this n8n execution.';
const IN_MEMORY =
	'n8n keeps files in memory here (N8N_DEFAULT_BINARY_DATA_MODE); it has links for files in filesystem, database or s3';

const noLink = (why: string) => ({
	message: `${IN_OUTPUT} ${sentences(`There is no link to it: ${why}`)}`,
});

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/**
 * Returns an address that others can reach, if there is one. n8n signs for WEBHOOK_URL; if that is
 * not set, for its own machine. The editor's address, if it is another one, leads to the same
 * place.
 */
function toPublic(signed: URL, context: Run['context']): URL {
	const editorUrl = 'getInstanceBaseUrl' in context ? context.getInstanceBaseUrl() : '';
	const editor = toHttpUrl(editorUrl.replace(/\/*$/, '/'));
	if (!LOOPBACK.test(signed.hostname) || !editor || LOOPBACK.test(editor.hostname)) return signed;
	const { pathname, search } = signed;
	const from = pathname.startsWith(editor.pathname) ? editor.pathname.length : 1;
	// Takes nothing else from the editor's address: its name and password are not for others.
	return new URL(`${editor.origin}${editor.pathname}${pathname.slice(from)}${search}`);
}

/**
 * Returns a task's `result_url` if others can open it. Some operators leave the default of their
 * settings in it (`http://localhost:3000/...`). That means the service's own machine, but here it
 * would be another one, unless the base URL has the same host.
 */
export function usableResultUrl(
	result_url: string | undefined,
	{ baseUrl }: Pick<Connection, 'baseUrl'>,
): string | undefined {
	const url = toHttpUrl(result_url);
	return url && !leadsInside(url, baseUrl) ? url.href : undefined;
}

/** Words a rendered task for a chat: a link, or its task ID, as most links open only with the key. */
export function toResultWords(
	{ task_id, result_url }: VideoTask,
	{ baseUrl }: Pick<Connection, 'baseUrl'>,
): string {
	const url = usableResultUrl(result_url, { baseUrl });
	const isOwn = toHttpUrl(url)?.origin === new URL(baseUrl).origin;
	return url === undefined || isOwn ? toCode(task_id) : toLink(task_id, url);
}
