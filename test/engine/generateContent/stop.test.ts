import { sleep } from 'n8n-workflow';

import { byId, planned, toInput } from '../../support/stage';
import { STREAMING } from './support/stage';
import { orderOf, useStreamStage } from './support/streamStage';

const { stage, asked, toRequest } = useStreamStage();

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
				parameters: { prompt: '={{ $json.prompt }}', options: { concurrency: 3 } },
				items: toInput(...prompts.map((prompt) => ({ prompt }))),
			}),
		);
		while (asked().length < 3 || asked()[0].sentBytes === 0) await sleep(5);
		await sleep(20);
		await stop();
		const result = await done;
		expect(result.status).toBe('canceled');
		const [items] = result.outputs();
		expect(items).toHaveLength(1);
		expect(items[0].json.text).toContain('quick');
		const slow = asked().find(({ body }) => JSON.stringify(body).includes('slow'));
		while (!slow?.aborted) await sleep(5);
	});
});

it('Stop ends the request, and the items so far stay', async () => {
	const prompts = ['quick', planned('slow', { chunks: 4, holdAfterChunks: 2 })];
	let heard: () => void;
	const hasHeard = new Promise<void>((resolve) => (heard = resolve));
	const ended = new Set<number>();
	const spoken = new Set<number>();
	const { done, stop } = stage.engine.start(
		toRequest({
			...STREAMING,
			parameters: { prompt: '={{ $json.prompt }}', model: byId('gemini-2.5-flash') },
			items: toInput(...prompts.map((prompt) => ({ prompt }))),
			onChunk: ({ type, metadata: { itemIndex } }) => {
				if (type === 'item') spoken.add(itemIndex);
				if (type === 'end') ended.add(itemIndex);
				if (ended.has(0) && spoken.has(1)) heard();
			},
		}),
	);
	await hasHeard;
	await stop();
	const result = await done;
	expect(result.status).toBe('canceled');
	const [items] = result.outputs();
	expect(items.map(({ json }) => json.text)).toEqual([expect.stringContaining('"quick"')]);
	const slow = asked().find(({ body }) => JSON.stringify(body).includes('slow'));
	while (!slow?.aborted) await sleep(5);
	expect(orderOf(result.chunks.filter(({ metadata }) => metadata.itemIndex === 1))).toBe(
		'begin item',
	);
});
