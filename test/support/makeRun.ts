import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { createRun, type Run } from '../../nodes/shared/n8n/run';

interface World {
	fields?: INodeProperties[];
	/** One object of parameters for each item. */
	parameters?: IDataObject[];
	/** On Error is one of the two modes that go on. */
	continues?: boolean;
	stop?: AbortSignal;
	credentials?: () => Promise<IDataObject>;
	/** Further methods of n8n's context. */
	more?: object;
}

/** A run of a node without n8n: its context is down to what the shared files ask of it. */
export function makeRun({
	fields = [],
	parameters = [{}],
	continues = false,
	stop,
	credentials = async () => ({
		...{ baseUrl: 'https://api.example.com', apiKey: 'secret-key' },
		...{ api: 'newApi' },
	}),
	more = {},
}: World = {}): Run {
	const logger = { debug: () => {}, info: () => {}, warn: () => {} };
	const context = {
		logger,
		getExecutionId: () => '1',
		getMode: () => 'trigger',
		getInputData: () => parameters.map((_set, i) => ({ json: { n: i } })),
		getNode: () => ({ name: 'Node', type: 'videos.videoGenerate', parameters: parameters[0] }),
		getNodeParameter: (name: string, itemIndex: number, fallback: unknown) => {
			const value = name in parameters[itemIndex] ? parameters[itemIndex][name] : fallback;
			if (value instanceof Error) throw value;
			return value;
		},
		getCredentials: credentials,
		getExecutionCancelSignal: () => stop,
		continueOnFail: () => continues,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		addExecutionHints: () => {},
		helpers: {},
		...more,
	};
	return createRun(context as unknown as IExecuteFunctions, 'videoGenerationApi', fields);
}
