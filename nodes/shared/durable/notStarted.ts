import type { INodeExecutionData } from 'n8n-workflow';

/**
 * What the keeper hands back where n8n cannot start the worker at all (no Wait node on the instance,
 * say): the caller still runs then, and waits in process.
 */
export const toNotStarted = (reason: string): INodeExecutionData => ({
	json: { not_started: reason },
});

/** The reason, if these are the items of a wait that could not be started. */
export function readNotStarted(items: INodeExecutionData[]): string | undefined {
	const reason = items[0]?.json.not_started;
	return typeof reason === 'string' ? reason : undefined;
}
