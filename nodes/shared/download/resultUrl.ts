import { toCode, toLink } from '../lib/text';
import type { Connection } from '../service/connection';
import { toHttpUrl } from '../service/credential';
import type { VideoTask } from '../service/videoTask';
import { leadsInside } from './addressRule';

/**
 * A task's `result_url` as a link for others. Operators leave their settings' default in it
 * (`http://localhost:3000/...`): that is the service's own machine and means another one here, unless
 * the service is reached under such a name itself.
 */
export function usableResultUrl(
	result_url: string | undefined,
	{ baseUrl }: Pick<Connection, 'baseUrl'>,
): string | undefined {
	const url = toHttpUrl(result_url);
	return url && !leadsInside(url, baseUrl) ? url.href : undefined;
}

/** A rendered task as a chat is told of it: most links open only with the key. */
export function toResultWords(
	{ task_id, result_url }: VideoTask,
	connection: Pick<Connection, 'baseUrl'>,
): string {
	const url = usableResultUrl(result_url, connection);
	const isOwn = toHttpUrl(url)?.origin === toHttpUrl(connection.baseUrl)?.origin;
	return url === undefined || isOwn ? toCode(task_id) : toLink(task_id, url);
}
