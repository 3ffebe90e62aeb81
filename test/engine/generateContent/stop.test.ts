import { sleep } from 'n8n-workflow';

import { orderOf, planned, toInput } from '../../support/stage';
import { STREAMING, useTextStage } from './support/stage';

const { stage, requests, toRequest } = useTextStage();

describe('Stop', () => {
	it('ends the requests under way and keeps the items so far', async () => {
		const later = { fault: 'retryAfter', headers: { 'retry-after': '60' } };
		const prompts = [
			'quick',
			planned('slow', { text: 'hang' }),
			planned('busy', { text: { always: later } }),
		];
		const { done, stop } = stage.engine.start(
			toRequest({
				parameters: { prompt: '={{ $json.prompt }}' },
				items: toInput(...prompts.map((prompt) => ({ prompt }))),
			}),
		);
		while (requests().length < 3 || requests()[0].sentBytes === 0) await sleep(5);
		await sleep(20);
		await stop();
		const result = await done;
		expect(result.status).toBe('canceled');
		const [items] = result.outputs();
		expect(items).toHaveLength(1);
		expect(items[0].json.text).toContain('quick');
		const slow = requests().find(({ body }) => JSON.stringify(body).includes('slow'));
		while (!slow?.aborted) await sleep(5);
	});
});

it('ends a stream, and says nothing more', async () => {
	let heard: () => void;
	const hasHeard = new Promise<void>((resolve) => (heard = resolve));
	const { done, stop } = stage.engine.start(
		toRequest({
			...STREAMING,
			parameters: { prompt: planned('slow', { chunks: 4, holdAfterChunks: 2 }) },
			onChunk: ({ type }) => type === 'item' && heard(),
		}),
	);
	await hasHeard;
	await stop();
	const { status, chunks } = await done;
	expect(status).toBe('canceled');
	while (!requests()[0].aborted) await sleep(5);
	expect(orderOf(chunks)).toBe('begin item');
});
