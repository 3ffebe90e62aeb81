import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../../sandbox/service';
import { CONTINUE, planned } from '../../../support/stage';
import { onlyFailure, onlyItem, STREAMING, useTextStage } from '../support/stage';

const { run, ask, listen } = useTextStage();

const PLAN: Plan = {
	signed: true,
	calls: [
		[
			{ name: 'set_light', args: { room_name: 'Hall', is_on: true } },
			{ name: 'set_light', args: { room_name: 'Kitchen' } },
		],
	],
	thoughts: 'Hm',
	says: 'Done.',
};

describe('calls of functions', () => {
	const cases = [
		{ what: 'whole', send: ask },
		{ what: 'streamed', send: listen },
	];

	it.each(cases)('keep name, arguments, id and signature: $what', async ({ send }) => {
		const { json } = onlyItem(await send(PLAN));
		expect(json.functionCalls).toEqual([
			{
				id: 'call-0',
				name: 'set_light',
				args: { room_name: 'Hall', is_on: true },
				thoughtSignature: expect.any(String),
			},
			{ id: 'call-1', name: 'set_light', args: { room_name: 'Kitchen' } },
		]);
	});

	const next = async (content: unknown, mode: object) => {
		const prompt = planned('Light up', PLAN);
		const functionResponse = { name: 'set_light', response: { is_done: true } };
		const json = JSON.stringify([content]);
		const answers = { role: 'user', parts: [{ functionResponse }, { functionResponse }] };
		const turns = [
			{ role: 'user', text: prompt },
			{ role: 'json', json },
			{ role: 'json', json: JSON.stringify(answers) },
		];
		return await run({
			...mode,
			...CONTINUE,
			parameters: { prompt: '', options: { conversation: { turns } } },
		});
	};

	it.each(cases)('go into the next turn as they are: $what', async ({ send }) => {
		const { json } = onlyItem(await send(PLAN));
		for (const mode of [{}, STREAMING]) {
			expect(onlyItem(await next(json.content, mode)).json.text).toBe('Done.');
		}
	});

	it('are refused by the model without their signature', async () => {
		const { functionCalls } = onlyItem(await ask(PLAN)).json as { functionCalls: IDataObject[] };
		const parts = functionCalls.map(({ name, args }) => ({ functionCall: { name, args } }));
		const failure = onlyFailure(await next({ role: 'model', parts }, {}));
		expect(failure.description).toContain('missing a thought_signature');
	});
});
