import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { generateContentFields } from '../../../../nodes/GenerateContent/fields';
import { readTextJob } from '../../../../nodes/GenerateContent/readTextJob';
import { createReader } from '../../../../nodes/shared/item/reader';
import { createRun } from '../../../../nodes/shared/item/run';

/** A body as n8n's HTTP helper gives it, as far as nodes read it. */
export function toStream(text: string) {
	const pieces = async function* () {
		yield Buffer.from(text);
	};
	return Object.assign(pieces(), { on: () => {} });
}

interface Setting {
	parameters?: IDataObject;
	binary?: INodeExecutionData['binary'];
	/** What the service answers. */
	answer?: object;
	helpers?: object;
}

export const answerOf = (...parts: IDataObject[]) => ({
	candidates: [{ content: { parts }, finishReason: 'STOP' }],
});

const PARAMETERS: IDataObject = { model: 'gemini-2.5-flash', prompt: 'Hi' };

/** n8n's context with one item, down to what the node asks of it. */
export function makeContext({ parameters = {}, binary, answer, helpers }: Setting) {
	const context = {
		getInputData: () => [{ json: {}, binary }],
		getNode: () => ({ name: 'Generate Content', type: 'videos.generateContent', parameters }),
		getNodeParameter: (name: string, _itemIndex: number, fallback: unknown) =>
			({ ...PARAMETERS, ...parameters })[name] ?? fallback,
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', apiKey: 'secret-key' }),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => true,
		helpers: {
			assertBinaryData: (_itemIndex: number, given: string | IBinaryData) => {
				if (typeof given === 'string' || !given.mimeType) throw new Error('No such file');
				return given;
			},
			getBinaryDataBuffer: async (_itemIndex: number, file: IBinaryData) =>
				Buffer.from(file.data, 'base64'),
			httpRequestWithAuthentication: async () => ({
				...{ statusCode: 200, headers: {} },
				body: toStream(JSON.stringify(answer)),
			}),
			...helpers,
		},
	};
	return context as unknown as IExecuteFunctions;
}

/** The job of the item. */
export async function read(setting: Setting) {
	const context = makeContext(setting);
	const run = createRun(context, 'geminiCompatibleApi', generateContentFields);
	return { context, job: await readTextJob(createReader(run, 0), run) };
}
