import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { startSubExecution } from '../../shared/durable/startSubExecution';
import { toWorkerWorkflow } from '../../shared/durable/workflows';

/** Starts the sub-execution that sleeps and looks, and sleeps until it ends. */
export async function launchWorker(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	const { data, waitTill } = await startSubExecution(
		context,
		toWorkerWorkflow(context.getNode()),
		items,
	);
	return waitTill ? [items] : [data[0] ?? []];
}
