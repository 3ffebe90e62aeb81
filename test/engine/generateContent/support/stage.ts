import type { IDataObject, INodeExecutionData, OnError, StructuredChunk } from 'n8n-workflow';

import type { Plan, RequestBody } from '../../../../sandbox/service';
import type { BinaryMode, RunRequest, RunResult } from '../../../support/engine';
import { byId, PACKAGE, planned, useStage } from '../../../support/stage';

export const TEXT_MODEL = 'gemini-2.5-flash';
export const TYPE = `${PACKAGE}.generateContent`;

export interface TextRun {
	parameters?: IDataObject;
	items?: INodeExecutionData[];
	/** Laid over the credential of the stage. */
	credential?: IDataObject;
	onError?: OnError;
	binaryMode?: BinaryMode;
	mode?: RunRequest['mode'];
	streaming?: boolean;
	onChunk?: RunRequest['onChunk'];
	/** Further fields of the node, such as `retryOnFail`. */
	node?: IDataObject;
}

type Sent = RequestBody & Required<Pick<RequestBody, 'contents'>>;

/** Generate Content on a stage. */
export function useTextStage() {
	const stage = useStage();
	const toRequest = ({ parameters, credential, onError, node, ...rest }: TextRun): RunRequest => ({
		...rest,
		node: {
			type: TYPE,
			parameters: { model: byId(TEXT_MODEL), ...parameters } as never,
			...(onError && { onError }),
			...node,
		},
		credentials: {
			geminiCompatibleApi: { ...stage.credentials.geminiCompatibleApi, ...credential } as never,
		},
	});
	const run = async (request: TextRun) => await stage.engine.run(toRequest(request));
	/** The requests for text, in the order they came. */
	const requests = () =>
		stage.sandbox.requests.filter(({ path }) => /^\/v1beta\/models\/./.test(path));
	/** Runs one prompt with a plan for the sandbox. */
	const ask = async (plan: Plan, { parameters, ...rest }: TextRun = {}) =>
		await run({ parameters: { prompt: planned('Name a colour', plan), ...parameters }, ...rest });
	return {
		...{ stage, toRequest, run, ask, requests },
		/** The same where somebody listens. */
		listen: async (plan: Plan, more?: TextRun) => await ask(plan, { ...STREAMING, ...more }),
		/** Which of the two endpoints each request went to. */
		actions: () => requests().map(({ path }) => path.split(':').at(-1)),
		/** The body of the only request that a run makes. */
		async bodyOf(request: TextRun) {
			onlyItem(await run(request));
			expect(requests()).toHaveLength(1);
			return requests()[0].body as Sent;
		},
	};
}

/** As behind a Webhook whose Response Mode is Streaming. */
export const STREAMING = { mode: 'webhook', streaming: true } as const;

/** The only item of a run that went well. */
export function onlyItem(result: RunResult): INodeExecutionData {
	if (result.error) throw result.error;
	const [items] = result.outputs();
	expect(items).toHaveLength(1);
	return items[0];
}

/** The `error` of the only item. */
export const onlyFailure = (result: RunResult) => onlyItem(result).json.error as IDataObject;

/** The words that went out for the first item. */
export const wordsOf = (chunks: StructuredChunk[]) =>
	chunks
		.filter(({ type, metadata }) => type === 'item' && metadata.itemIndex === 0)
		.map(({ content }) => content)
		.join('');
