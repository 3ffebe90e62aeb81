import type { IDataObject } from 'n8n-workflow';

import type { TextRun, TextStage } from './stage';

/** What is wrong, where, and what the message and the description say of it. */
export type BadInput = [string, TextRun, RegExp, RegExp | undefined];

/** In place of a description, where the message says it all. */
export const NO_MORE = undefined;

/** Bad input of Generate Content fails its item, or the node, before anything is sent. */
export function itCostsNothing({ run, asked }: TextStage, rows: BadInput[]): void {
	it.each(rows)('%s', async (_what, request, message, description) => {
		const result = await run({ ...request, onError: 'continueErrorOutput' });
		const [good, failed] = result.outputs();
		expect(good).toEqual([]);
		expect(failed).toHaveLength(1);
		const { error } = failed[0].json as { error: IDataObject };
		expect(error.message).toMatch(message);
		expect(error.description).toEqual(description && expect.stringMatching(description));
		expect(error).toMatchObject({ retryable: false });
		expect(asked()).toHaveLength(0);
		const stopped = await run(request);
		expect(stopped.error).toMatchObject({ name: 'NodeOperationError' });
		expect(stopped.error?.message).toMatch(message);
	});
}
