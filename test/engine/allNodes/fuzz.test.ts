import fc from 'fast-check';
import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { hurry } from '../../support/clock';
import { createEngine, type Engine, type EngineNode, type RunResult } from '../../support/engine';
import { byId, PACKAGE, toInput, videoDownload, videoGenerate } from '../../support/stage';
import { serve, type Reply } from '../services/support/serve';
import { anyAnswer, KEY, keyQuotes } from './support/anyAnswer';

// Whatever a service answers: one item or one failure, with its task, and no key.

jest.setTimeout(120_000);

const RUNS = 12;
/** Retries and waits pass so many times as fast, and time-outs with them. */
const HASTE = 300;
/** What has the input's fields is the input. */
const ALONE = { leaveOutInputFields: true };
const INPUT = { prompt: 'A boat', task_id: 'task_1', isInput: true };

let engine: Engine;

beforeAll(async () => {
	engine = await createEngine();
});
afterAll(() => engine.close());

const generate = (more: IDataObject = {}) =>
	videoGenerate({ ...more, options: { ...ALONE, rawResponse: true, maxWait: 0.003 } });
const generateContent = (more: IDataObject = {}): EngineNode => ({
	type: `${PACKAGE}.generateContent`,
	parameters: {
		...{ model: byId('m'), prompt: '={{ $json.prompt }}', ...more },
		options: { ...ALONE, rawResponse: true },
	},
});

const TASK = { id: 'task_1', object: 'video', status: 'queued' };
/** What a service answers that does its work. */
const ordinary = (asked: string): unknown =>
	asked.startsWith('POST')
		? TASK
		: { ...TASK, status: 'SUCCESS', result_url: 'http://127.0.0.1:9/file.mp4' };

interface Case {
	node: EngineNode;
	/** The requests that are answered so. */
	asked: RegExp;
	/** The task is known before the answer comes. */
	isKnown?: true;
	streaming?: true;
}

const CASES: Record<string, Case> = {
	'a submit': { node: generate({ wait: 'none' }), asked: /^POST/ },
	'a poll': { node: generate(), asked: /^GET .*\/task_1$/, isKnown: true },
	'a download': {
		node: videoDownload({ options: { ...ALONE, retries: 1 } }),
		asked: /\/(content|task_1)$/,
		isKnown: true,
	},
	'a text': { node: generateContent({ outputFormat: 'json' }), asked: /^POST/ },
	'a streamed text': { node: generateContent(), asked: /^POST/, streaming: true },
};

it.each(Object.entries(CASES))('%s with any answer', async (_what, tested) => {
	const { node, asked, isKnown, streaming } = tested;
	const haste = hurry(HASTE);
	const property = fc.asyncProperty(anyAnswer, async (answer) => {
		const service = await serve(({ method, path }) => {
			const request = `${method} ${path}`;
			return asked.test(request) ? answer : [200, ordinary(request)];
		});
		const access = { baseUrl: service.url, apiKey: KEY };
		const run = async (onError: 'stopWorkflow' | 'continueRegularOutput') => {
			const result = await engine.run({
				node: { ...node, onError },
				items: toInput(INPUT),
				credentials: { videoGenerationApi: access, geminiCompatibleApi: access },
				...(streaming && { mode: 'webhook', streaming }),
			});
			const end = endOf(result, onError);
			expect(written(result)).not.toMatch(/Secret(\/|%2F)key/);
			// n8n writes the messages of errors there as well.
			expect(result.logs.filter(({ message }) => /[\p{Cc}\u2028]/u.test(message))).toEqual([]);
			// On a busy machine even the ordinary answer to a submit may come too late for such haste.
			const isLate = /did not answer in time/.test(JSON.stringify(end));
			if (isKnown && !isLate) expect(end.task_id).toBe('task_1');
		};
		await Promise.all([run('stopWorkflow'), run('continueRegularOutput')]).finally(service.close);
	});
	const examples = keyQuotes.map((answer): [Reply] => [answer]);
	const numRuns = examples.length + RUNS;
	await fc.assert(property, { examples, numRuns, endOnFailure: true }).finally(haste.restore);
});

/** The only item, or the fields of the only error: one of both, and never the input. */
function endOf(result: RunResult, mode: string): IDataObject {
	if (result.error) {
		const { message, context } = result.error as unknown as { message: string; context: object };
		expect([mode, message]).toEqual(['stopWorkflow', expect.stringMatching(/\w/)]);
		return { message, ...context };
	}
	const items = result.outputs().flat();
	expect([result.status, items.length]).toEqual(['success', 1]);
	const [{ json }] = items;
	expect(json).not.toHaveProperty('isInput');
	if (json.error === undefined) return json;
	expect(json).toEqual({
		error: expect.objectContaining({ message: expect.stringMatching(/\w/) }),
	});
	return json.error as IDataObject;
}

/** All that n8n stores and people see. */
function written(result: RunResult): string {
	const { message, description, context } = (result.error ?? {}) as IDataObject;
	const { logs, uiMessages, chunks, customData } = result;
	const messages = [logs.map((line) => line.message), uiMessages, result.hints(), customData];
	const words = chunks.map(({ content }) => content).join('');
	const items = result
		.outputs()
		.flat()
		.map(({ json, binary = {} }) => [json, Object.values(binary).map(toFacts)]);
	return JSON.stringify([items, message, description, context, messages, words]);
}

/** What is in a file is the file's. */
const toFacts = ({ fileName, mimeType }: IBinaryData) => ({ fileName, mimeType });
