import type { IDataObject } from 'n8n-workflow';

import { RECORDS } from '../../../sandbox/services/records';
import { read } from '../../package/support/files';
import { createEngine, type Engine } from '../../support/engine';
import { runService } from './support/runService';

// The bodies by hand that the page of Video Generate shows.

const [, section] = read('docs/nodes/video-generate.md').split('\n## Additional fields\n');
const shown = [...section.split('\n## ')[0].matchAll(/```json\n([^]*?)```/g)].map(
	([, json]) => json,
);

let engine: Engine;
beforeAll(async () => {
	engine = await createEngine();
});
afterAll(() => engine.close());

const record = RECORDS.find(({ name }) => name === 'Mesh API')!;
const run = async (additionalFields: string, more: IDataObject = {}) =>
	await runService(
		engine,
		record,
		{},
		{
			parameters: {
				options: { additionalFields, polling: { pollInterval: 0.02 }, maxWait: 0.05, ...more },
			},
		},
	);

it.each(shown)('is sent as it is written: %s', async (json) => {
	const { prompt, ...fields } = JSON.parse(json) as IDataObject;
	expect(prompt).toBeNull();
	const { item } = await run(json, { cost: { dryRun: true } });
	expect(item.json.request).toEqual({ model: record.model, ...fields });
});

it('a service that wants the prompt in a list takes the first', async () => {
	expect(shown).toHaveLength(2);
	expect((await run(shown[0])).tasks).toHaveLength(1);
});
