import type { IBinaryData, IDataObject } from 'n8n-workflow';

import type { Reader } from '../item/reader';
import { lowerFirst, sentences, toLink, toPlain } from '../lib/text';
import type { Clock } from '../lib/time';
import { toHttpUrl } from '../service/credential';
import { DEFAULT_LINK_HOURS } from './defaults';

/** A year: longer than n8n keeps executions. */
const MAX_LINK_HOURS = 8_760;
const HOUR_S = 3_600;

/** What making a link asks of n8n. */
export interface Linking {
	/** n8n's signed address of a stored file; throws where n8n keeps files in memory. Old n8n has none. */
	sign?: (binary: IBinaryData, expiresIn: string) => string;
	/** Where people open n8n's editor, which serves such addresses, too. */
	editorUrl?: string;
}

export interface LinkSource {
	linking?: Linking;
	clock: Pick<Clock, 'now'>;
}

/** An address that opens without key or login, and in words what it is or why there is none. */
interface VideoLink {
	url?: string;
	expiresAtMs?: number;
	/** Markdown. */
	words: string;
}

/**
 * The option Link: hours, 0 for none, `undefined` where nobody has set it. An agent that is not told
 * otherwise gets one, because it cannot hand on a file.
 */
export const readLinkHours = (options: Reader['options'], forAgent: boolean): number | undefined =>
	options.number('link', { min: 0, max: MAX_LINK_HOURS }) ??
	(forAgent ? DEFAULT_LINK_HOURS : undefined);

/** What an item has of a link. `message` is what chats show of an item that they get whole. */
export function toLinkFields(
	binary: IBinaryData,
	hours: number | undefined,
	from: LinkSource,
): IDataObject {
	if (!hours) return {};
	const { url, expiresAtMs, words } = makeLink(binary, hours, from);
	return {
		...(url !== undefined && { link: url }),
		...(expiresAtMs !== undefined && { link_expires_at: new Date(expiresAtMs).toISOString() }),
		message: words,
	};
}

/** What a chat that hears of the run is told of a file: there a link is what people wait for. */
export function toFilmWords(
	{ binary, message }: { binary: IBinaryData; message?: unknown },
	hours: number | undefined,
	from: LinkSource,
): string {
	if (typeof message === 'string') return message;
	return hours === 0 ? IN_OUTPUT : makeLink(binary, hours ?? DEFAULT_LINK_HOURS, from).words;
}

/** A link to a stored file. Never throws: the file is paid for, with or without one. */
function makeLink(binary: IBinaryData, hours: number, { linking, clock }: LinkSource): VideoLink {
	const { sign, editorUrl } = linking ?? {};
	if (!sign) return none('this version of n8n cannot make one');
	// n8n keeps no ID of a file that is inside the item itself.
	if (binary.id === undefined) {
		return none(
			'n8n keeps files in memory here (N8N_DEFAULT_BINARY_DATA_MODE); it has links for files in filesystem, database or s3',
		);
	}
	const seconds = Math.max(1, Math.round(hours * HOUR_S));
	try {
		const signed = toHttpUrl(sign(binary, `${seconds}s`));
		if (!signed) return none('n8n gave no web address');
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
 * n8n signs for WEBHOOK_URL, and for itself where that is not set; the editor's address, where it is
 * another one, leads to the same.
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

/** For whom it does not open. */
const whereTo = ({ hostname, origin }: URL) =>
	LOOPBACK.test(hostname)
		? `It opens only on n8n's own machine (${origin}): for others, set WEBHOOK_URL`
		: undefined;
