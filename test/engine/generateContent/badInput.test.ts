import type { IDataObject } from 'n8n-workflow';

import { useTextStage, type TextRun } from './support/stage';

const { run, requests } = useTextStage();

/** Bad input, the message, and the description where there is one. */
const ROWS: Array<[string, TextRun, RegExp, RegExp?]> = [
	['no prompt', { parameters: { prompt: ' ' } }, /^Prompt is empty \[item 0\]$/, /Fill in Prompt/],
	[
		'a base URL that is none',
		{ parameters: { prompt: 'Hi' }, credential: { baseUrl: 'sk-not-an-address' } },
		/^The Base URL in the credential is not a web address/,
		/Open the credential/,
	],
];

const rows = ROWS.map(([what, request, message, advice]) => ({ what, request, message, advice }));

it.each(rows)('$what costs nothing, and says what to do', async ({ request, message, advice }) => {
	const result = await run({ ...request, onError: 'continueErrorOutput' });
	const [good, failed] = result.outputs();
	expect(good).toEqual([]);
	expect(failed).toHaveLength(1);
	const { error } = failed[0].json as { error: IDataObject };
	expect(error.message).toMatch(message);
	expect(error.description).toEqual(advice && expect.stringMatching(advice));
	expect(error).toMatchObject({ retryable: false });
	expect(requests()).toHaveLength(0);
	const stopped = await run(request);
	expect(stopped.error).toMatchObject({ name: 'NodeOperationError' });
	expect(stopped.error?.message).toMatch(message);
});
