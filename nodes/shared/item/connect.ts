import type { IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from './failure';
import { toInputFailure } from './output';
import { readConnection, type Connection } from '../service/http';

/**
 * The connection of a node. A credential that cannot be used is a failure of each item: thrown, it
 * would send the input down the success branch under "Continue (using error output)".
 */
export async function connect(
	context: IExecuteFunctions,
	credential: string,
): Promise<Connection | { failure: Failure }> {
	try {
		return await readConnection(context, credential);
	} catch (error) {
		return { failure: toInputFailure(error) };
	}
}
