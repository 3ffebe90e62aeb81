import type { IDataObject, ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Failure } from '../shared/item/failure';
import { createReader } from '../shared/item/reader';
import { oneLine } from '../shared/lib/text';
import { openConnection } from '../shared/service/connection';
import { createRedaction } from '../shared/service/redact';
import { lmNativeTextFields } from './fields';
import { readSetting } from './readSetting';
import { loadSdk } from './sdk';
import { createTextModel } from './textModel';

/** The model for the agent or the chain above the node; nothing is asked of the service yet. */
export async function supplyText(
	context: ISupplyDataFunctions,
	itemIndex: number,
): Promise<SupplyData> {
	const sdk = await loadSdk(context);
	const parameters = context.getNode().parameters as IDataObject;
	const run = { context, parameters, fields: lmNativeTextFields, items: [] };
	const read = createReader(run, itemIndex);
	const setting = readSetting(read);
	const redaction = createRedaction();
	const connection = await openConnection(context, 'nativeTextApi', redaction);
	const stop = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const toError = (failure: Failure) => toModelError(context, redaction.show(failure));
	return sdk.supplyModel(context, createTextModel({ ...setting, sdk, connection, stop, toError }));
}

/** The agent shows it as its own error, and the log of the model as that of the model. */
function toModelError(context: ISupplyDataFunctions, { message, description }: Failure): Error {
	const error = new NodeOperationError(context.getNode(), oneLine(message), {
		description,
		functionality: 'configuration-node',
	});
	// n8n swaps a message that holds a word such as EPERM for its own.
	error.message = oneLine(message);
	return error;
}
