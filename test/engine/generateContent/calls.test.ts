import type { Plan } from '../../../sandbox/service';
import { planned } from '../../support/stage';
import { onlyItem, STREAMING, useTextStage } from './support/stage';

const { run, ask, listen } = useTextStage();

/** The service takes a call back only with its signature. */
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

it.each([
	['whole', ask, {}],
	['streamed', listen, STREAMING],
])(
	'calls keep name, arguments, ID and signature, and go into the next turn: %s',
	async (_how, send, mode) => {
		const { json } = onlyItem(await send(PLAN));
		const [[hall, kitchen]] = PLAN.calls;
		expect(json.functionCalls).toEqual([
			{ id: 'call-0', ...hall, thoughtSignature: expect.any(String) },
			{ id: 'call-1', ...kitchen },
		]);
		const functionResponse = { name: 'set_light', response: { is_done: true } };
		const answers = { role: 'user', parts: [{ functionResponse }, { functionResponse }] };
		const turns = [
			{ role: 'user', text: planned('Light up', PLAN) },
			{ role: 'json', json: JSON.stringify([json.content]) },
			{ role: 'json', json: JSON.stringify(answers) },
		];
		const parameters = { prompt: '', options: { conversation: { turns } } };
		expect(onlyItem(await run({ ...mode, parameters })).json.text).toBe('Done.');
	},
);
