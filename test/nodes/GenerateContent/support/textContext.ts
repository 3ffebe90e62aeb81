import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { generateContentFields } from '../../../../nodes/GenerateContent/fields';
import { readTextJob } from '../../../../nodes/GenerateContent/readTextJob';
import { createReader } from '../../../../nodes/shared/n8n/reader';
import { makeRun } from '../../../support/makeRun';

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

/** A run of the node with one item. */
export function makeTextRun({ parameters = {}, binary, answer, helpers }: Setting) {
	const more = {
		getInputData: () => [{ json: {}, binary }],
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
	const set = [{ ...PARAMETERS, ...parameters }];
	return makeRun({ fields: generateContentFields, parameters: set, continues: true, more });
}

/** The job of the item. */
export async function read(setting: Setting) {
	const run = makeTextRun(setting);
	return { helpers: run.context.helpers, job: await readTextJob(createReader(run, 0), run) };
}
