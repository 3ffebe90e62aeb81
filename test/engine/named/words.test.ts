import { hurry } from '../../support/clock';
import { byId, KEY, planned, toInput, useStage, videoGenerate } from '../../support/stage';

// What a model makes is called by its name before there is a file of it, and where there never is one.

const stage = useStage();

const TTS = 'fal-ai/elevenlabs/tts/eleven-v3';
const WANTED = { api: 'fal', model: TTS, makes: 'sound' };

/** Runs an item whose plan goes wrong, and returns the error and the hints. */
async function fail({ api, model }: { api: string; model: string }, plan: object) {
	stage.sandbox.set({ profile: api });
	const credentials = {
		videoGenerationApi: {
			...{ api, proxyUrl: stage.sandbox.url, apiKey: KEY, allowPrivateAddresses: true },
		},
	};
	const haste = hurry(100);
	const node = videoGenerate({
		model: byId(model),
		downloadVideo: true,
		options: { maxWait: 0.02 },
	});
	const items = toInput({ prompt: planned('Good evening', { renderMs: 0, ...plan }) });
	const result = await stage.run(node, items, { credentials }).finally(haste.restore);
	return { message: result.error?.message, hints: result.hints().map(({ message }) => message) };
}

it.each<[what: string, plan: object, says: RegExp]>([
	[
		'a refusal',
		{ submit: [{ status: 402, json: { detail: 'No' } }] },
		/^The sound was not submitted: /,
	],
	['no answer', { submit: ['cut'] }, /^The sound may or may not have been accepted: /],
	['a failure', { outcome: 'FAILURE' }, /^The sound could not be made: /],
	['Max Wait', { renderMs: 3_600_000 }, /^The sound was not ready within /],
	[
		'a file that is not there',
		{ content: ['ok', ...Array(30).fill('notFound404')] },
		/^The sound could not be downloaded: /,
	],
])('a sound, %s', async (_what, plan, says) => {
	const { message } = await fail(WANTED, plan);
	expect(message).toMatch(says);
	expect(stage.sandbox.submissions()).toHaveLength(1);
});

it.each([
	['replicate', 'black-forest-labs/flux-schnell', 'image'],
	['wavespeed', 'wavespeed-ai/flux-2-pro/text-to-image', 'image'],
	['kie', 'google/nano-banana', 'image'],
	['fal', 'fal-ai/veo3.1', 'video'],
])('%s, %s: %s', async (api, model, makes) => {
	const { message } = await fail({ api, model }, { submit: ['cut'] });
	expect(message).toMatch(new RegExp(`^The ${makes} may or may not`));
});
