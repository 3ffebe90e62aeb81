import type { ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isObject } from '../shared/lib/json';
import type { TextModel, Tool } from './protocol';

/** What is asked of `@n8n/ai-node-sdk`, which comes with n8n from 2.16 on. */
export interface Sdk {
	/** A model of ours as what n8n's agents and chains take. */
	supplyModel: (context: ISupplyDataFunctions, model: TextModel) => SupplyData;
	/** Parameters of a tool, which may be a Zod schema. */
	getParametersJsonSchema: (tool: Tool) => unknown;
}

/**
 * n8n's SDK for models. It is no dependency, not even a peer: n8n brings it, or there is none.
 *
 * @throws a sentence for a person where this n8n lacks it
 */
export async function loadSdk(context: ISupplyDataFunctions): Promise<Sdk> {
	try {
		const sdk: unknown = await import('@n8n/ai-node-sdk');
		if (isSdk(sdk)) return sdk;
	} catch {
		// What an n8n without it says of its module paths helps nobody.
	}
	throw toSdkError(context);
}

const isSdk = (sdk: unknown): sdk is Sdk =>
	isObject(sdk) &&
	typeof sdk.supplyModel === 'function' &&
	typeof sdk.getParametersJsonSchema === 'function';

const toSdkError = (context: ISupplyDataFunctions) =>
	new NodeOperationError(
		context.getNode(),
		'This version of n8n cannot use models of community nodes. Update n8n, or use Google Gemini Chat Model with the same base URL and key',
		// Otherwise the agent says only which node it was.
		{ functionality: 'configuration-node' },
	);
