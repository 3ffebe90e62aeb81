import { createSandbox, type Sandbox } from '../../../sandbox/service';
import { plannedRows, videoDownload, videoGenerate } from '../../support/stage';
import { AGENTS, asTool, useAgentStage } from './support/stage';

// An agent may have a URL from anybody whose words it has read.

const stage = useAgentStage({ renderMs: 0 });
let elsewhere: Sandbox;
beforeAll(async () => {
	elsewhere = await createSandbox();
	// It is on this machine.
	stage.credentials.videoGenerationApi.allowPrivateAddresses = true;
});
afterAll(async () => await elsewhere.close());

const NAME = 'Video Download';
const resultUrl = "={{ $fromAI('url', 'Where it is', 'string') }}";
const tool = asTool(videoDownload({ source: 'url', resultUrl }), NAME);
const ask = async (url: string) =>
	(await stage.ask([tool], [[{ tool: NAME, input: { url } }]], AGENTS[1][1]))[0];

it('Source: URL does not lead an agent to a host that no credential and no task names', async () => {
	const answer = await ask(`${elsewhere.foreignUrl}/files/landscape.mp4`);
	expect(answer.error).toMatch(/A tool only downloads from the service/i);
	expect(elsewhere.requests).toEqual([]);
});

it('Source: URL leads an agent to the service', async () => {
	const [[{ json }]] = (await stage.run(videoGenerate(), plannedRows({}))).outputs();
	const url = `${stage.sandbox.url}/v1/videos/${json.task_id as string}/content`;
	expect(await ask(url)).toMatchObject({ mime_type: 'video/mp4' });
});
