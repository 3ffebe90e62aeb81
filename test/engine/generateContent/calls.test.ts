import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import { CONTINUE, planned } from '../../support/stage';
import { onlyFailure, onlyItem, STREAMING, useTextStage } from './support/stage';

const { run, ask, listen } = useTextStage();

const PLAN = {
	signed: true,
	calls: [
		[
			{ name: 'set_light', args: { room_name: 'Hall', is_on: true } },
			{ name: 'set_light', args: { room_name: 'Kitchen' } },
		],
	],
	says: 'Done.',
} satisfies Plan;

/** The next turn, after this one of the model and the answers to its two calls. */
async function next(content: unknown, mode: object = {}) {
	const functionResponse = { name: 'set_light', response: { is_done: true } };
	const answers = { role: 'user', parts: [{ functionResponse }, { functionResponse }] };
	const turns = [
		{ role: 'user', text: planned('Light up', PLAN) },
		{ role: 'json', json: JSON.stringify([content]) },
		{ role: 'json', json: JSON.stringify(answers) },
	];
	const parameters = { prompt: '', options: { conversation: { turns } } };
	return await run({ ...mode, ...CONTINUE, parameters });
}

it.each([
	['whole', ask, {}],
	['streamed', listen, STREAMING],
])(
	'calls keep name, arguments, ID and signature, and go into the next turn: %s',
	async (...row) => {
		const [, send, mode] = row;
		const { json } = onlyItem(await send(PLAN));
		const [[hall, kitchen]] = PLAN.calls;
		expect(json.functionCalls).toEqual([
			{ id: 'call-0', ...hall, thoughtSignature: expect.any(String) },
			{ id: 'call-1', ...kitchen },
		]);
		expect(onlyItem(await next(json.content, mode)).json.text).toBe('Done.');
	},
);

it('calls are refused by the model without their signature', async () => {
	const { functionCalls } = onlyItem(await ask(PLAN)).json as { functionCalls: IDataObject[] };
	const parts = functionCalls.map(({ name, args }) => ({ functionCall: { name, args } }));
	const failure = onlyFailure(await next({ role: 'model', parts }));
	expect(failure.description).toContain('missing a thought_signature');
});
