import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../shared/item/failure';
import type { Connection } from '../shared/service/connection';
import type { Sdk } from './sdk';

/** What a person set, and what it takes to ask. */
export interface ModelSetting {
	sdk: Sdk;
	connection: Connection;
	model: string;
	/** In the spelling of the protocol; nothing that was not set. */
	generationConfig: IDataObject;
	/** Time without an answer, or without the next piece of it. */
	timeoutMs: number;
	/** Fires when somebody stops the execution. */
	stop: AbortSignal;
	/** A failure as an error of the node, as it may be shown. */
	toError: (failure: Failure) => Error;
}
