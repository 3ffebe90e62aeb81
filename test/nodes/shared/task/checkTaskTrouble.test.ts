import type { FetchResult } from '../../../../nodes/shared/service/videoApi';
import { check, checkRepeatedly, record, trouble } from './support/check';

describe('trouble that lasts over checks', () => {
	const kinds: Array<[string, number, number, FetchResult]> = [
		['a 401', 3, 5, trouble(401)],
		['a 403', 3, 5, trouble(403)],
		['an unknown id', 2, 6, trouble(404)],
		['an unknown id, in words', 2, 6, trouble(400, 'task_not_exist')],
		['a gateway that is down', 12, 60, trouble(502)],
	];
	it.each(kinds)('%s ends the wait after %i checks', async (_name, checks, fetches, answer) => {
		const end = await checkRepeatedly(Array.from({ length: 99 }, () => [answer]));
		expect(end).toMatchObject({ checks, fetches });
		expect(end.step).toMatchObject({
			state: 'trouble',
			render: { task: { task_id: 'task_1' }, pollCount: 2 + fetches },
			trouble: answer.kind === 'trouble' ? answer.trouble : undefined,
		});
	});

	it('is remembered from one check to the next', async () => {
		const { step } = await check([trouble(502)]);
		expect(step.render.troubles).toEqual({ denied: 0, unknown: 0, other: 5, failed: 0 });
		const next = await check([trouble(401)], step.render);
		expect(next.step.render.troubles).toEqual({ denied: 2, unknown: 0, other: 5, failed: 0 });
	});

	it('is counted by its kind within a check, too', async () => {
		const { step, asked } = await check([trouble(502), trouble(502), trouble(404), trouble(401)]);
		expect(asked).toHaveLength(5);
		expect(step.render.troubles).toEqual({ denied: 2, unknown: 1, other: 2, failed: 0 });
	});

	it('is forgotten after an answer that is a task', async () => {
		const rounds = [[trouble(404)], [record()], [trouble(404)], [record()], [trouble(404)]];
		const { step, checks } = await checkRepeatedly(rounds);
		expect(checks).toBe(rounds.length);
		expect(step.render.troubles.unknown).toBe(3);
	});
});
