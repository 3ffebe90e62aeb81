import { byId, planned, videoGenerate, videoStatus } from '../../support/stage';
import { TEXT_MODEL, TYPE } from '../generateContent/support/stage';
import { AGENTS, asTool, useAgentStage } from './support/stage';

// A busy service may ask for minutes of patience. An agent is told so instead of being kept waiting.

const stage = useAgentStage();

const BUSY = { always: { status: 429, headers: { 'retry-after': '60' }, json: {} } };
const NAME = 'Tool';
const prompt = "={{ $fromAI('prompt', 'What to make', 'string') }}";
const GENERATE = videoGenerate({ prompt });
// Its own wait ends at once: what is left is the look.
const BRIEF = videoGenerate({ prompt, options: { maxWait: 0.002 } });
const TEXT = { type: TYPE, parameters: { model: byId(TEXT_MODEL), prompt } };

describe.each(AGENTS)('an agent %s', (_name, version) => {
	const tell = async (node: typeof GENERATE, text: string) => {
		const call = { tool: NAME, input: { prompt: text } };
		return (await stage.ask([asTool(node, NAME)], [[call]], version))[0];
	};

	it('can ask again for a video that was not submitted', async () => {
		const { error } = await tell(GENERATE, planned('A boat', { submit: BUSY }));
		expect(error).toMatch(
			/not submitted.*Nothing is billed for this item\. Try the same request again in a minute/,
		);
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('can look again', async () => {
		const { task_id } = await tell(BRIEF, planned('A boat', { poll: BUSY }));
		const before = stage.sandbox.polls().length;
		const { error } = await tell(videoStatus({ taskId: prompt }), String(task_id));
		expect(error).toBe(
			`The task could not be checked: the service is rate-limiting requests (HTTP 429) (task ${task_id}).`,
		);
		expect(stage.sandbox.polls()).toHaveLength(before + 1);
	});

	it('can ask again for a text', async () => {
		const { error } = await tell(TEXT, planned('Hi', { text: BUSY }));
		expect(error).toBe(
			'Nothing was generated: the service is rate-limiting requests (HTTP 429). Nothing is billed for this item.',
		);
		expect(stage.sandbox.count({ status: 429 })).toBe(1);
	});
});

it('is told what is not billed where the refusal will not pass, too', async () => {
	const text = planned('A boat', { submit: 'unauthorized' });
	const call = { tool: NAME, input: { prompt: text } };
	const [{ error }] = await stage.ask([asTool(GENERATE, NAME)], [[call]], 3);
	expect(error).toMatch(
		/Check the credential and the account\. Nothing is billed for this item\.$/,
	);
});
