import { fixture, isVersion1, useFixtureStage } from './support/stage';

const stage = useFixtureStage();

describe('beside the items', () => {
	it('keeps custom data, hints, log lines and messages to the editor', async () => {
		const result = await stage.engine.run({ node: fixture('Report'), mode: 'manual' });
		expect(result.customData).toEqual({ taskId: 'task-1' });
		expect(result.hints()).toEqual([{ message: 'A hint', location: 'outputPane' }]);
		expect(result.uiMessages).toMatchObject([{ messages: ['Rendering', { percent: 50 }] }]);
		expect(result.logs).toContainEqual(expect.objectContaining({ message: 'A log line' }));
		expect(result.chunks).toEqual([]);
	});

	it('sends no messages to the editor in production', async () => {
		const result = await stage.engine.run({ node: fixture('Report') });
		expect(result.uiMessages).toEqual([]);
	});

	it('streams where the workflow does', async () => {
		const request = { node: fixture('Report'), mode: 'webhook' as const, streaming: true };
		const { chunks } = await stage.engine.run(request);
		expect(chunks).toMatchObject([{ type: 'item', content: 'A chunk' }]);
	});
});

describe('files', () => {
	const modes = ['default', 'filesystem', 'database'] as const;
	const offered = isVersion1 ? modes.slice(0, 2) : modes;

	it.each(offered)('go from a stream into mode %s', async (binaryMode) => {
		const result = await stage.engine.run({
			node: fixture('Download'),
			credentials: stage.credentials,
			binaryMode,
		});
		const [{ json: read, binary }] = result.outputs()[0];
		expect(read).toEqual({ isStream: true });
		expect(binary?.data).toMatchObject({ fileName: 'film.mp4', mimeType: 'video/mp4' });
		expect(binary?.data.id?.split(/-v2:|:/)[0] ?? 'default').toBe(binaryMode);
		const bytes = await stage.engine.readBinary(binary!.data);
		expect(bytes.equals(Buffer.alloc(100_000, 'film'))).toBe(true);
	});

	it('mode database is not in n8n 1', async () => {
		const run = stage.engine.run({
			node: fixture('Download'),
			credentials: stage.credentials,
			binaryMode: 'database',
		});
		if (isVersion1) await expect(run).rejects.toThrow('n8n 1 has no binary data mode');
		else expect((await run).status).toBe('success');
	});
});
