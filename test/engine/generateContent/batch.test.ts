import type { IDataObject } from 'n8n-workflow';

import { byId, planned, toInput } from '../../support/stage';
import { TEXT_MODEL, useTextStage, type TextRun } from './support/stage';

const { run, requests } = useTextStage();

describe('many items', () => {
	const ROWS = Array.from({ length: 12 }, (_, i) => ({
		prompt: planned(`item ${i}`, { text: { delayMs: (12 - i) * 30 } }),
		model: i % 2 === 0 ? TEXT_MODEL : 'gemini-2.5-pro',
		temperature: i / 10,
	}));
	const PARAMETERS = {
		prompt: '={{ $json.prompt }}',
		model: byId('={{ $json.model }}'),
		options: { temperature: '={{ $json.temperature }}' },
	};

	it('keep their order, each with its own parameters', async () => {
		const result = await run({ parameters: PARAMETERS, items: toInput(...ROWS) });
		const [items] = result.outputs();
		expect(items.map(({ json }) => json.text)).toEqual(
			ROWS.map((_, i) => expect.stringContaining(`"item ${i}"`)),
		);
		expect(items.map(({ json }) => json.model)).toEqual(ROWS.map(({ model }) => model));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ROWS.map((_, item) => ({ item })));
		const sent = requests().map(({ body }) => (body?.generationConfig as IDataObject).temperature);
		expect(new Set(sent).size).toBe(12);
	});
});

describe('On Error', () => {
	const rows = [
		{ prompt: 'good' },
		{ prompt: '' },
		{ prompt: planned('refused', { text: { always: 'forbidden' } }) },
		{ prompt: planned('blocked', { blocked: 'SAFETY' }) },
	];
	const request = (onError: TextRun['onError'], items = rows) => ({
		parameters: { prompt: '={{ $json.prompt }}' },
		items: toInput(...items),
		onError,
	});

	it('Continue: failing items hold their row and the failure', async () => {
		const [items] = (await run(request('continueRegularOutput'))).outputs();
		expect(items[0].json).toMatchObject({ finishReason: 'STOP' });
		expect(items.slice(1).map(({ json }) => json)).toEqual([
			{ prompt: '', error: expect.objectContaining({ message: 'Prompt is empty [item 1]' }) },
			{ prompt: expect.any(String), error: expect.objectContaining({ http_code: 403 }) },
			{ prompt: expect.any(String), error: expect.objectContaining({ fail_reason: 'SAFETY' }) },
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(requests()).toHaveLength(3);
	});
});
