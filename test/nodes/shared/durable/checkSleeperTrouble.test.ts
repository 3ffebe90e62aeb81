import type { SleepingVideo } from '../../../../nodes/shared/durable/sleepingVideo';
import type { FetchResult } from '../../../../nodes/shared/service/videoApi';
import { look, lookRepeatedly, record, trouble } from './support/look';

describe('trouble that lasts over looks', () => {
	const kinds: Array<[string, number, number, FetchResult]> = [
		['a 401', 3, 6, trouble(401)],
		['a 403', 3, 6, trouble(403)],
		['an unknown id', 2, 6, trouble(404)],
		['an unknown id, in words', 2, 6, trouble(400, 'task_not_exist')],
		['a gateway that is down', 12, 60, trouble(502)],
	];
	it.each(kinds)('%s ends the wait after %i looks', async (_name, looks, requests, answer) => {
		const end = await lookRepeatedly(Array.from({ length: 99 }, () => [answer]));
		expect(end).toMatchObject({ looks, requests });
		expect(end.outcome).toMatchObject({
			state: 'lost',
			render: { task: { task_id: 'task_1' }, pollCount: 2 + requests },
			error: answer.kind === 'trouble' ? answer.error : undefined,
		});
	});

	it('is remembered from one look to the next', async () => {
		const { outcome } = await look([trouble(502)]);
		expect(outcome).toMatchObject({ troubles: { refused: 0, unknown: 0, trouble: 5 } });
		const next = await look([trouble(401)], outcome as SleepingVideo);
		expect(next.outcome).toMatchObject({ troubles: { refused: 2, unknown: 0, trouble: 5 } });
	});

	it('is counted by its kind within a look, too', async () => {
		const { outcome, asked } = await look([trouble(502), trouble(502), trouble(404), trouble(401)]);
		expect(asked).toHaveLength(5);
		expect(outcome).toMatchObject({ troubles: { refused: 2, unknown: 1, trouble: 2 } });
	});

	it('is forgotten after an answer that is a task', async () => {
		const rounds = [[trouble(404)], [record()], [trouble(404)], [record()], [trouble(404)]];
		const { outcome, looks } = await lookRepeatedly(rounds);
		expect(looks).toBe(rounds.length);
		expect(outcome).toMatchObject({ troubles: { unknown: 3 } });
	});
});
