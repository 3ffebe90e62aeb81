import type { IDataObject } from 'n8n-workflow';

import { withoutOtherRender } from '../../../nodes/shared/n8n/carried';
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
	return result.outputs().flat()[0].json;
}

const generate = async (plan: Plan = {}, parameters: IDataObject = {}) =>
	await give(videoGenerate(parameters), { prompt: planned('A boat', plan) });
const check = async (plan: Plan) =>
	await give(videoStatus(), await generate(plan, { wait: 'none' }));
const download = async () => {
	const { result_url: resultUrl } = await generate();
	return await give(videoDownload({ source: 'url', resultUrl }));
};
const ask = async (plan: Plan, more: IDataObject = {}) => {
	const model = byId('gemini-2.5-flash');
	const parameters = { model, prompt: planned('A boat', plan), ...more };
	return await give({ type: `${PACKAGE}.generateContent`, parameters } as EngineNode);
};

const LAST_FRAME = {
	model: byId('doubao-seedance-1-5-pro-251215'),
	options: { returnLastFrame: true },
};
const SLOW: Plan = { renderMs: 60_000 };
const FAILS: Plan = { renderMs: 0, outcome: 'FAILURE', failReason: 'Too dark' };
const RETURN_TASK = { options: { maxWait: 0.001, polling: { onTimeout: 'returnTask' } } };
const LINK = { options: { link: 1 } };
const JSON_ANSWER = { outputFormat: 'json' };

it.each<[node: string, what: string, () => Promise<IDataObject>]>([
	[
		'VideoGenerate',
		'with a link',
		async () => await generate({}, { downloadVideo: true, ...LINK }),
	],
	['VideoGenerate', 'with its last frame', async () => await generate({}, LAST_FRAME)],
	['VideoGenerate', 'that takes too long', async () => await generate(SLOW, RETURN_TASK)],
	['VideoStatus', 'in Done', async () => await check({ renderMs: 0 })],
	['VideoStatus', 'in Rendering', async () => await check(SLOW)],
	['VideoStatus', 'in Failed', async () => await check(FAILS)],
	['VideoDownload', 'by ID', async () => await give(videoDownload(LINK), await generate())],
	['VideoDownload', 'by an address without a task', download],
	['GenerateContent', 'with a text', async () => await ask({})],
	['GenerateContent', 'with JSON', async () => await ask({ says: '{"a":"Sun"}' }, JSON_ANSWER)],
])('%s: an item %s is as its schema says', async (node, _what, giveIt) => {
	expect(deviations(node, await giveIt())).toEqual([]);
});

it.each(['VideoGenerate', 'VideoStatus', 'VideoDownload'])(
	'%s: none of its fields is carried into the item of another render',
	(node) => {
		// These two are what people have from an AI Agent and the like, and a text of a model is used further on.
		const names = Object.keys(schemaOf(node).properties).filter((n) => !/^(text|output)$/.test(n));
		const fields = names.map((name) => [name, 1]);
		expect(withoutOtherRender({ ...Object.fromEntries(fields), task_id: 'task_0' })).toEqual({});
	},
);
