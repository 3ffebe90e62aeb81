import type { Connection, ServiceRequest } from '../../../../nodes/shared/service/connection';
import { openFetch } from '../../../../nodes/shared/task/followTask';

const RECORD = {
	task_id: 'task_1',
	status: 'SUCCESS',
	quota: 5,
	result_url: 'https://a.example/v',
};

/** Answers after so many milliseconds of a clock that nothing else moves. */
async function fetchWithin(limitMs: number, record: object, tookMs: number) {
	let nowMs = 0;
	const limits: Array<[string, number | undefined]> = [];
	const send: Connection['send'] = async ({ path, limitMs: limit }: ServiceRequest) => {
		limits.push([path, limit]);
		nowMs += tookMs;
		const body = path === '/api/status' ? { data: { quota_per_unit: 1 } } : { data: record };
		return { status: 200, headers: {}, body: JSON.stringify(body) };
	};
	const open: Connection['open'] = async (_address, { timeoutMs }) => {
		limits.push(['content', timeoutMs]);
		return { network: 'unclear', code: 'X', message: 'X' };
	};
	const connection = { send, open, baseUrl: 'https://a.example' } as Connection;
	const clock = { now: () => nowMs, random: () => 0, pause: async () => {} };
	const fetch = openFetch(connection, { clock, signal: new AbortController().signal });
	return { result: await fetch('task_1', limitMs), limits };
}

describe('one look at a task takes no longer than whoever asks can wait', () => {
	it('with the price list', async () => {
		const { limits } = await fetchWithin(3_000, RECORD, 2_000);
		expect(limits).toEqual([
			['/v1/video/generations/task_1', 3_000],
			['/api/status', 1_000],
		]);
	});

	it('with the content endpoint, where the record has no address', async () => {
		const { limits } = await fetchWithin(3_000, { ...RECORD, result_url: '' }, 2_000);
		expect(limits).toEqual([
			['/v1/video/generations/task_1', 3_000],
			['content', 1_000],
			['/api/status', 1_000],
		]);
	});

	it('with nothing left', async () => {
		const { limits } = await fetchWithin(3_000, RECORD, 4_000);
		expect(limits.at(-1)).toEqual(['/api/status', 0]);
	});
});
