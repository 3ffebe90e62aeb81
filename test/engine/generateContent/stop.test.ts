import { until } from '../../support/clock';
import { orderOf, planned, toInput } from '../../support/stage';
import { STREAMING, useTextStage } from './support/stage';

const { stage, requests, toRequest } = useTextStage();
const of = (prompt: string) =>
	requests()
		.filter(({ body }) => JSON.stringify(body).includes(prompt))
		.at(-1);

it('Stop ends the requests under way and keeps the items so far', async () => {
	const busyFor = (seconds: number) => ({
		...{ fault: 'retryAfter', headers: { 'retry-after': `${seconds}` } },
	});
	const prompts = [
		planned('slow', { text: 'hang' }),
		planned('busy', { text: [busyFor(1), busyFor(60)] }),
	];
	const { done, stop } = stage.engine.start(
		toRequest({
			parameters: { prompt: '={{ $json.prompt }}' },
			items: toInput(...['quick', ...prompts].map((prompt) => ({ prompt }))),
		}),
	);
	// The second try of the busy one comes long after the answer to the quick one.
	await until(() => requests().length === 4);
	await stop();
	const result = await done;
	expect(result.status).toBe('canceled');
	expect(result.outputs()[0]).toMatchObject([{ json: { text: expect.stringContaining('quick') } }]);
	await until(() => of('slow')?.aborted);
	expect(requests()).toHaveLength(4);
});

it('Stop ends a stream, which says nothing more', async () => {
	let hasHeard = false;
	const { done, stop } = stage.engine.start(
		toRequest({
			...STREAMING,
			parameters: { prompt: planned('slow', { chunks: 4, holdAfterChunks: 2 }) },
			onChunk: ({ type }) => void (hasHeard ||= type === 'item'),
		}),
	);
	await until(() => hasHeard);
	await stop();
	const { status, chunks } = await done;
	expect(status).toBe('canceled');
	await until(() => of('slow')?.aborted);
	expect(orderOf(chunks)).toBe('begin item');
});
