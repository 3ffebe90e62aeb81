import { createSandbox, type Sandbox } from '../../../sandbox/service';
import { planned, videoDownload, videoGenerate } from '../../support/stage';
import { AGENTS, asTool, useAgentStage } from './support/stage';

// An agent may have a URL from anybody whose words it has read.

const stage = useAgentStage({ renderMs: 0 });
let elsewhere: Sandbox;
beforeAll(async () => {
	elsewhere = await createSandbox();
	// It is on this machine.
	stage.credentials.videoGenerationApi.allowPrivateAddresses = true;
});
beforeEach(() => elsewhere.reset());
afterAll(async () => await elsewhere.close());

const tool = () =>
	asTool(
		videoDownload({
			source: 'url',
			resultUrl: "={{ $fromAI('url', 'Where it is', 'string') }}",
		}),
		'Video Download',
	);

describe.each(AGENTS)('Source: URL, for an agent %s', (_who, version) => {
	const ask = async (input: { url: string }) =>
		(await stage.ask([tool()], [[{ tool: 'Video Download', input }]], version))[0];

	async function task(resultUrl: string): Promise<string> {
		const make = asTool(
			videoGenerate({ prompt: "={{ $fromAI('prompt', 'What to show', 'string') }}" }),
			'Video Generate',
		);
		const input = { prompt: planned('A boat', { resultUrl }) };
		await stage.ask([make], [[{ tool: 'Video Generate', input }]], version);
		return stage.sandbox.tasks()[0].task_id;
	}
	const file = () => `${elsewhere.foreignUrl}/files/landscape.mp4`;

	it('does not lead to a host that no credential and no task names', async () => {
		const answer = await ask({ url: file() });
		expect(JSON.stringify(answer)).toMatch(/A tool only downloads from the service/i);
		expect(elsewhere.requests).toEqual([]);
	});

	it('leads to the service', async () => {
		const task_id = await task('content');
		const url = `${stage.sandbox.url}/v1/videos/${task_id}/content`;
		expect(await ask({ url })).toMatchObject({ mime_type: 'video/mp4' });
	});
});
