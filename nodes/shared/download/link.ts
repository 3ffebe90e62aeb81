import type { IBinaryData } from 'n8n-workflow';

import { lowerFirst, sentences, toCode, toLink, toPlain } from '../lib/text';
import { toHttpUrl } from '../lib/url';
import type { Run } from '../n8n/run';
import type { Connection } from '../services/connection';
import { addressesOf } from '../services/taskFiles';
import type { VideoTask } from '../services/videoTask';
import { leadsInside } from '../lib/privateHost';
import { DEFAULT_LINK_HOURS } from './downloadOptions';

/**
 * Returns the fields of an item's links; none if `hours` is 0 or absent. `message` is Markdown, and says
 * why if there is no link. Never throws: the files are paid for.
 *
 * @param files those of the item; `link` is that of the first
 */
export function toLinkFields(
	files: IBinaryData[],
	hours: number | undefined,
	{ context, clock }: Run,
): { link?: string; links?: string[]; link_expires_at?: string; message?: string } {
	if (!hours || files.length === 0) return {};
	// A file that is inside the item itself has no ID.
	if (files.some(({ id }) => id === undefined)) return noLink(IN_MEMORY);
	const seconds = Math.max(1, Math.round(hours * 3_600));
	try {
		const urls = files.map((file) => {
			const signed = context.helpers.createBinarySignedUrl(file, `${seconds}s`);
			return toPublic(new URL(signed), context.getInstanceBaseUrl());
		});
		const [{ hostname, origin }] = urls;
		const links = urls.map(({ href }) => href);
		const end = new Date(clock.now() + seconds * 1000).toISOString();
		const until = `${end.slice(0, 16).replace('T', ' ')} UTC`;
		const shown = files.map(({ fileName }, i) => toLink(fileName ?? 'video', links[i])).join(', ');
		const message = sentences(
			`${shown} (${links.length > 1 ? 'downloads' : 'a download'}, until ${until})`,
			LOOPBACK.test(hostname)
				? `It opens only on n8n's own machine (${origin}): for others, set WEBHOOK_URL`
				: '',
		);
		const all = links.length > 1 ? { links } : {};
		return { link: links[0], ...all, link_expires_at: end, message };
	} catch (error) {
		return noLink(toPlain(lowerFirst(error instanceof Error ? error.message : String(error))));
	}
}

/** Returns a chat's words on files: links, or why there are none; hours of 0 ask for none. */
export function toFileWords(files: IBinaryData[], hours: number | undefined, run: Run): string {
	return toLinkFields(files, hours ?? DEFAULT_LINK_HOURS, run).message ?? IN_OUTPUT;
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

/** Returns a chat's words on a task: what it has written, links if people can open them without the key, or else its ID. */
export function toResultWords(task: VideoTask, { baseUrl }: Pick<Connection, 'baseUrl'>): string {
	const { task_id, text } = task;
	if (text !== undefined) return toPlain(text);
	const urls = addressesOf(task).flatMap((url) => usableResultUrl(url, { baseUrl }) ?? []);
	const isOwn = urls.some((url) => toHttpUrl(url)?.origin === new URL(baseUrl).origin);
	if (urls.length === 0 || isOwn) return toCode(task_id);
	return urls.map((url) => toLink(task_id, url)).join(', ');
}
