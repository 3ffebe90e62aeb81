import { byId, planned, toInput } from '../../support/stage';
import { TEXT_MODEL, useTextStage } from './support/stage';

const { run, requests } = useTextStage();

it('items keep their order, their own parameters, and in Continue their row', async () => {
	const rows = [
		{ prompt: planned('slow', { text: { delayMs: 200 } }), model: TEXT_MODEL },
		{ prompt: 'quick', model: 'gemini-2.5-pro' },
		{ prompt: '', model: TEXT_MODEL },
		{ prompt: planned('refused', { text: { always: 'forbidden' } }), model: TEXT_MODEL },
		{ prompt: planned('blocked', { blocked: 'SAFETY' }), model: TEXT_MODEL },
	];
	const parameters = { prompt: '={{ $json.prompt }}', model: byId('={{ $json.model }}') };
	const onError = 'continueRegularOutput';
	const [items] = (await run({ parameters, items: toInput(...rows), onError })).outputs();
	expect(items.map(({ json }) => json)).toEqual([
		expect.objectContaining({ ...rows[0], text: expect.stringContaining('"slow"') }),
		expect.objectContaining({ ...rows[1], text: expect.stringContaining('"quick"') }),
		{ ...rows[2], error: expect.objectContaining({ message: 'Prompt is empty [item 2]' }) },
		{ ...rows[3], error: expect.objectContaining({ http_code: 403 }) },
		{ ...rows[4], error: expect.objectContaining({ fail_reason: 'SAFETY' }) },
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	expect(requests()).toHaveLength(4);
});
