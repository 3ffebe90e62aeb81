import type { IDataObject } from 'n8n-workflow';

import { withoutOtherRender } from '../../../nodes/shared/item/carried';
import type { Plan } from '../../../sandbox/service';
import type { EngineNode } from '../../support/engine';
import { hurry } from '../../support/clock';
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

/** Runs a node that returns its own fields only. */
async function run({ parameters, ...node }: EngineNode, input: IDataObject = {}) {
	const options = { leaveOutInputFields: true, ...(parameters?.options as IDataObject) };
	return await stage.run({ ...node, parameters: { ...parameters, options } }, toInput(input));
}

/** The only item of a run, whichever output it left by. */
async function give(node: EngineNode, input?: IDataObject): Promise<IDataObject> {
	const result = await run(node, input);
	if (result.error) throw result.error;
	const items = result.outputs().flat();
	expect(items).toHaveLength(1);
	return items[0].json;
}

const prompt = (plan: Plan = {}) => ({ prompt: planned('A boat', plan) });
const generate = async (plan: Plan, parameters: IDataObject = {}) =>
	await give(videoGenerate(parameters), prompt(plan));
const submit = async (plan: Plan) => await generate(plan, { wait: 'none' });

const SEEDANCE = byId('doubao-seedance-1-5-pro-251215');
const SLOW: Plan = { renderMs: 60_000 };
const FAILS: Plan = { renderMs: 0, outcome: 'FAILURE', failReason: 'Too dark' };

const RENDERS: Record<string, () => Promise<IDataObject>> = {
	'a video that is done': async () => await generate({}),
	'one with a link to its file': async () =>
		await generate({}, { downloadVideo: true, options: { link: 1 } }),
	'one with its last frame': async () =>
		await generate({}, { model: SEEDANCE, options: { film: { returnLastFrame: true } } }),
	'one that takes too long': async () =>
		await generate(SLOW, { options: { maxWait: 0.001, polling: { onTimeout: 'returnTask' } } }),
};

async function hurried(work: () => Promise<IDataObject>) {
	const { restore } = hurry(200);
	return await work().finally(restore);
}

const LOOKS: Record<string, () => Promise<IDataObject>> = {
	Done: async () => await give(videoStatus(), await generate({ renderMs: 0 })),
	Rendering: async () => await give(videoStatus(), await submit(SLOW)),
	Failed: async () => await give(videoStatus(), await submit(FAILS)),
	'Failed, for there is no video': async () =>
		// A missing film is believed after two minutes.
		await hurried(async () =>
			give(videoStatus(), await submit({ renderMs: 0, outcome: 'filtered' })),
		),
	'a task ID from elsewhere': async () => {
		const { task_id } = await submit({ renderMs: 0 });
		return await give(videoStatus({ taskId: task_id }));
	},
};

const DOWNLOADS: Record<string, () => Promise<IDataObject>> = {
	'one with a link': async () =>
		await give(videoDownload({ options: { link: 1 } }), await generate({})),
	'an address without a task': async () => {
		const { result_url } = await generate({});
		return await give(videoDownload({ source: 'url', resultUrl: result_url }));
	},
};

const ask = async (plan: Plan, parameters: IDataObject = {}) =>
	await give({
		type: `${PACKAGE}.generateContent`,
		parameters: { model: byId('gemini-2.5-flash'), ...prompt({ ...plan }), ...parameters } as never,
	});

const TEXTS: Record<string, () => Promise<IDataObject>> = {
	'a text': async () => await ask({}),
	'an object': async () => await ask({ says: '{"title":"Sun"}' }, { outputFormat: 'json' }),
};

const TABLE = { VideoGenerate: RENDERS, VideoStatus: LOOKS, VideoDownload: DOWNLOADS };
const ROWS = Object.entries({ ...TABLE, GenerateContent: TEXTS }).flatMap(([node, gives]) =>
	Object.entries(gives).map(([what, giveIt]) => ({ node, what, giveIt })),
);

describe('the output schemas that are published', () => {
	it.each(ROWS)('$node: $what', async ({ node, giveIt }) => {
		expect(deviations(node, await giveIt())).toEqual([]);
	});

	const RAW = { options: { rawResponse: true } };
	it.each([
		['VideoGenerate', async () => await generate({}, RAW)],
		['VideoStatus', async () => await give(videoStatus(RAW), await generate({}))],
		['GenerateContent', async () => await ask({}, RAW)],
	])('%s: Raw Response adds itself, and nothing else', async (node, giveIt) => {
		const json = await giveIt();
		expect(json).toHaveProperty('response');
		expect(deviations(node, json, ['response'])).toEqual([]);
	});

	it.each(['VideoGenerate', 'VideoStatus', 'VideoDownload'])(
		'%s: none of its fields is carried into the item of another render',
		(node) => {
			const fields = Object.keys(schemaOf(node).properties as IDataObject);
			const carried = withoutOtherRender({
				...Object.fromEntries(fields.map((name) => [name, 1])),
				task_id: 'task_0',
			});
			expect(carried).toEqual({});
		},
	);

	it('VideoStatus and VideoGenerate speak of a task in the same words', () => {
		// A file has a link, which a task has not.
		const { link, link_expires_at, message, ...task } = schemaOf('VideoGenerate')
			.properties as IDataObject;
		expect([link, link_expires_at, message].every(Boolean)).toBe(true);
		expect(schemaOf('VideoStatus').properties).toEqual(task);
	});
});
