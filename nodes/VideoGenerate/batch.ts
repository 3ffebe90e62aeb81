import type { IExecuteFunctions } from 'n8n-workflow';

import { stopsOnFailure } from '../shared/item/output';
import { createBatchReport, type BatchReport } from '../shared/task/report';
import { createLedger, type Ledger } from '../shared/task/ledger';
import type { RenderTools } from '../shared/task/renderAll';
import { noteStop } from '../shared/task/customData';
import type { Connection } from '../shared/service/http';
import type { VideoJob } from './readJobs';
import { createRenderTools } from './renderTools';

/** What all jobs of one run of the node share. */
export interface Batch {
	context: IExecuteFunctions;
	connection: Connection;
	/** Fires on Stop, and when the first failure ends the run. */
	signal: AbortSignal;
	/**
	 * For each failing item. In the default mode the first one ends the run: what is under way is
	 * heard out, so that no id is lost, and nothing new is submitted.
	 */
	onFailure: () => void;
	ledger: Ledger;
	report: BatchReport;
	tools: RenderTools<VideoJob>;
	isStopped: () => boolean;
	close: () => void;
}

export function openBatch(
	context: IExecuteFunctions,
	connection: Connection,
	jobs: VideoJob[],
): Batch {
	const halt = new AbortController();
	const stop = context.getExecutionCancelSignal();
	const onStop = () => noteStop(context);
	stop?.addEventListener('abort', onStop, { once: true });
	const signal = stop ? AbortSignal.any([stop, halt.signal]) : halt.signal;
	const onFailure = () => {
		if (stopsOnFailure(context)) halt.abort();
	};
	const ledger = createLedger(context, connection.baseUrl);
	const report = createBatchReport(context, Date.now);
	const parts = { jobs, signal, onFailure, ledger, report };
	return {
		...parts,
		context,
		connection,
		tools: createRenderTools(context, connection, parts),
		isStopped: () => stop?.aborted === true,
		close: () => stop?.removeEventListener('abort', onStop),
	};
}
