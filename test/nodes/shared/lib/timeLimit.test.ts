import { createTimeLimit } from '../../../../nodes/shared/lib/time';
import { createVirtualTime } from '../../../support/virtualTime';

const LIMIT_MS = 30_000;

async function play(workMs: number) {
	const time = createVirtualTime();
	const upAtMs: number[] = [];
	const limit = createTimeLimit(
		LIMIT_MS,
		() => upAtMs.push(time.now()),
		(ms) => {
			const timer = new AbortController();
			void time.pause(ms).then(() => timer.abort());
			return timer.signal;
		},
	);
	const work = async () => {
		await time.pause(workMs);
		return 'done';
	};
	const result = await time.run(limit.within(work()));
	limit.close();
	return { result, upAtMs, atMs: time.now() };
}

describe('createTimeLimit', () => {
	it('gives the result of what is done in time', async () => {
		expect(await play(LIMIT_MS - 1)).toEqual({ result: 'done', upAtMs: [], atMs: LIMIT_MS - 1 });
	});

	it('does not wait for what is not', async () => {
		const late = { result: undefined, upAtMs: [LIMIT_MS], atMs: LIMIT_MS };
		expect(await play(100 * LIMIT_MS)).toEqual(late);
	});

	it('hands on what work throws', async () => {
		const limit = createTimeLimit(LIMIT_MS, () => undefined);
		await expect(limit.within(Promise.reject(new Error('no')))).rejects.toThrow('no');
		limit.close();
	});
});
