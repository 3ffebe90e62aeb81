import type { IDataObject } from 'n8n-workflow';

import { withoutOtherRender } from '../../../nodes/shared/item/carried';
import type { Plan } from '../../../sandbox/service';
import type { EngineNode } from '../../support/engine';
import {
	byId,
	PACKAGE,
	planned,
	toInput,
	useStage,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../../support/stage';
import { deviations, schemaOf } from './support/outputSchema';

// What the editor promises of a node before it has run is what the node gives.

const stage = useStage();

/** The only item of a node that returns its own fields only, whichever output it left by. */
async function give({ parameters, ...node }: EngineNode, input: IDataObject = {}) {
	const options = { leaveOutInputFields: true, ...(parameters?.options as IDataObject) };
	const alone = { ...node, parameters: { ...parameters, options } };
	const result = await stage.run(alone, toInput(input));
	if (result.error) throw result.error;
	const [{ json }] = result.outputs().flat();
	return json;
}

const generate = async (plan: Plan = {}, parameters: IDataObject = {}) =>
	await give(videoGenerate(parameters), { prompt: planned('A boat', plan) });
const submit = async (plan: Plan) => await generate(plan, { wait: 'none' });
const ask = async (plan: Plan, parameters: IDataObject = {}) => {
	const model = byId('gemini-2.5-flash');
	const prompt = planned('A boat', plan);
	return await give({
		type: `${PACKAGE}.generateContent`,
		parameters: { model, prompt, ...parameters } as never,
	});
};

const SEEDANCE = byId('doubao-seedance-1-5-pro-251215');
const SLOW: Plan = { renderMs: 60_000 };
const FAILS: Plan = { renderMs: 0, outcome: 'FAILURE', failReason: 'Too dark' };
const RETURN_TASK = { options: { maxWait: 0.001, polling: { onTimeout: 'returnTask' } } };

type Rows = Record<string, () => Promise<IDataObject>>;
const NODES: Record<string, Rows> = {
	VideoGenerate: {
		'a video with a link to its file': async () =>
			await generate({}, { downloadVideo: true, options: { link: 1 } }),
		'one with its last frame': async () =>
			await generate({}, { model: SEEDANCE, options: { film: { returnLastFrame: true } } }),
		'one that takes too long': async () => await generate(SLOW, RETURN_TASK),
	},
	VideoStatus: {
		Done: async () => await give(videoStatus(), await generate({ renderMs: 0 })),
		Rendering: async () => await give(videoStatus(), await submit(SLOW)),
		Failed: async () => await give(videoStatus(), await submit(FAILS)),
	},
	VideoDownload: {
		'one with a link': async () =>
			await give(videoDownload({ options: { link: 1 } }), await generate()),
		'an address without a task': async () => {
			const { result_url: resultUrl } = await generate();
			return await give(videoDownload({ source: 'url', resultUrl }));
		},
	},
	GenerateContent: {
		'a text': async () => await ask({}),
		'an object': async () => await ask({ says: '{"title":"Sun"}' }, { outputFormat: 'json' }),
	},
};
const ROWS = Object.entries(NODES).flatMap(([node, gives]) =>
	Object.entries(gives).map(([what, giveIt]) => ({ node, what, giveIt })),
);

it.each(ROWS)('$node: $what is as its schema says', async ({ node, giveIt }) => {
	expect(deviations(node, await giveIt())).toEqual([]);
});

it('Raw Response adds itself, and nothing else', async () => {
	const json = await generate({}, { options: { rawResponse: true } });
	expect(json).toHaveProperty('response');
	expect(deviations('VideoGenerate', json, ['response'])).toEqual([]);
});

it.each(['VideoGenerate', 'VideoStatus', 'VideoDownload'])(
	'%s: none of its fields is carried into the item of another render',
	(node) => {
		const fields = Object.keys(schemaOf(node).properties as IDataObject).map((name) => [name, 1]);
		expect(withoutOtherRender({ ...Object.fromEntries(fields), task_id: 'task_0' })).toEqual({});
	},
);

it('VideoStatus and VideoGenerate speak of a task in the same words', () => {
	// A file has a link, which a task has not.
	const { link, link_expires_at, message, ...task } = schemaOf('VideoGenerate')
		.properties as IDataObject;
	expect([link, link_expires_at, message].every(Boolean)).toBe(true);
	expect(schemaOf('VideoStatus').properties).toEqual(task);
});
