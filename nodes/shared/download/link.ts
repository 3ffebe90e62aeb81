import type { IBinaryData } from 'n8n-workflow';

import { lowerFirst, sentences, toCode, toLink, toPlain } from '../lib/text';
import { toHttpUrl } from '../lib/url';
import type { Run } from '../n8n/run';
import type { Connection } from '../services/connection';
import type { VideoTask } from '../services/videoTask';
import { leadsInside } from './addressRule';
import { DEFAULT_LINK_HOURS } from './downloadOptions';

/**
 * Returns the fields of an item's link; none if `hours` is 0 or absent. `message` is Markdown, and says
 * why if there is no link. Never throws: the file is paid for.
 */
export function toLinkFields(
	binary: IBinaryData,
	hours: number | undefined,
	{ context, clock }: Run,
): { link?: string; link_expires_at?: string; message?: string } {
	if (!hours) return {};
	// A file that is inside the item itself has no ID.
	if (binary.id === undefined) return noLink(IN_MEMORY);
	const seconds = Math.max(1, Math.round(hours * 3_600));
	try {
		const signed = context.helpers.createBinarySignedUrl(binary, `${seconds}s`);
		const { href, hostname, origin } = toPublic(new URL(signed), context.getInstanceBaseUrl());
		const end = new Date(clock.now() + seconds * 1000).toISOString();
		const until = `${end.slice(0, 16).replace('T', ' ')} UTC`;
		const message = sentences(
			`${toLink(binary.fileName ?? 'video', href)} (a download, until ${until})`,
			LOOPBACK.test(hostname)
				? `It opens only on n8n's own machine (${origin}): for others, set WEBHOOK_URL`
				: '',
		);
		return { link: href, link_expires_at: end, message };
	} catch (error) {
		return noLink(toPlain(lowerFirst(error instanceof Error ? error.message : String(error))));
	}
}

/** Returns a chat's words on a file: a link, or why there is none; hours of 0 ask for none. */
export function toFileWords(binary: IBinaryData, hours: number | undefined, run: Run): string {
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
 * Returns a signed link at a host that others can reach. Without WEBHOOK_URL, n8n signs links to
 * localhost; the editor's address, if it has another host, leads to the same n8n.
 */
function toPublic(signed: URL, editorUrl: string): URL {
	const editor = toHttpUrl(editorUrl);
	if (!LOOPBACK.test(signed.hostname) || !editor || LOOPBACK.test(editor.hostname)) return signed;
	return new URL(signed.pathname + signed.search, editor.origin);
}

/**
 * Returns a task's `result_url`, unless its host is private and not the base URL's: some operators
 * leave the default of their settings in it (`http://localhost:3000/...`).
 */
export function usableResultUrl(
	result_url: string | undefined,
	{ baseUrl }: Pick<Connection, 'baseUrl'>,
): string | undefined {
	const url = toHttpUrl(result_url);
	return url && !leadsInside(url, baseUrl) ? url.href : undefined;
}

/** Returns a chat's words on a task: a link if people can open it without the key, or else its ID. */
export function toResultWords(
	{ task_id, result_url }: VideoTask,
	{ baseUrl }: Pick<Connection, 'baseUrl'>,
): string {
	const url = usableResultUrl(result_url, { baseUrl });
	const isOwn = toHttpUrl(url)?.origin === new URL(baseUrl).origin;
	return url === undefined || isOwn ? toCode(task_id) : toLink(task_id, url);
}
