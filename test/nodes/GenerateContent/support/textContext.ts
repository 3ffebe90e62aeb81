import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

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
	/** Of each item; a list has one value for each. */
	parameters?: IDataObject | IDataObject[];
	binary?: INodeExecutionData['binary'];
	/** What the service answers. */
	service?: () => { status?: number; headers?: IDataObject; json: object };
	/** Adds what only some versions of n8n have. */
	more?: object;
	helpers?: object;
}

export const answerOf = (...parts: IDataObject[]) => ({
	candidates: [{ content: { parts }, finishReason: 'MAX_TOKENS' }],
	usageMetadata: { promptTokenCount: 1 },
});

const PARAMETERS: IDataObject = { model: 'gemini-2.5-flash', prompt: 'Hi' };

/** n8n's context, down to what the node asks of it, and the prompts that were sent. */
export function makeContext({ parameters = {}, binary, service, more, helpers }: Setting) {
	const rows = Array.isArray(parameters) ? parameters : [parameters];
	const sentPrompts: string[] = [];
	const context = {
		getInputData: () => rows.map(() => ({ json: {}, binary })),
		getNode: () => ({
			...{ name: 'Generate Content', type: 'videos.generateContent' },
			parameters: rows[0] ?? {},
		}),
		getNodeParameter: (name: string, itemIndex: number, fallback: unknown) =>
			({ ...PARAMETERS, ...rows[itemIndex] })[name] ?? fallback,
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', apiKey: 'secret-key' }),
		getContext: () => ({}),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getExecutionId: () => '1',
		getExecutionCancelSignal: () => undefined,
		addExecutionHints: () => {},
		isStreaming: () => false,
		continueOnFail: () => false,
		getExecuteData: () => ({}),
		setMetadata: () => {},
		helpers: {
			assertBinaryData: (_itemIndex: number, property: string) => {
				if (!binary?.[property]) throw new Error('No such field');
				return binary[property];
			},
			getBinaryDataBuffer: async (_itemIndex: number, property: string) =>
				Buffer.from(binary![property].data, 'base64'),
			httpRequestWithAuthentication: async (_type: string, { body }: { body: string }) => {
				const { contents } = JSON.parse(body) as { contents: [{ parts: IDataObject[] }] };
				const [{ parts }] = contents;
				sentPrompts.push(String(parts.at(-1)?.text));
				const { status = 200, headers = {}, json } = service!();
				return { statusCode: status, headers, body: toStream(JSON.stringify(json)) };
			},
			...helpers,
		},
		...more,
	};
	return { context: context as unknown as IExecuteFunctions, sentPrompts };
}

/** The job of the first item. */
export async function read(setting: Setting) {
	const { context } = makeContext(setting);
	const run = createRun(context, 'geminiCompatibleApi', generateContentFields);
	return { context, job: await readTextJob(createReader(run, 0), run) };
}
