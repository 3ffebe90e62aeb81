import fc from 'fast-check';
import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { hurry } from '../../support/clock';
import { createEngine, type Engine, type EngineNode, type RunResult } from '../../support/engine';
import {
	byId,
	type Mode,
	MODES,
	PACKAGE,
	toInput,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../../support/stage';
import { anyAnswer } from './support/anyAnswer';
import { KEY, keyQuotes } from './support/keyQuotes';
import { serve, type Ask, type Reply } from '../services/support/serve';

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

const generate = (more: IDataObject) =>
	videoGenerate({ ...more, options: { ...ALONE, rawResponse: true, maxWait: 0.003 } });
const generateContent = (more: IDataObject = {}): EngineNode => ({
	type: `${PACKAGE}.generateContent`,
	parameters: {
		...{ model: byId('m'), prompt: '={{ $json.prompt }}', ...more },
		options: { ...ALONE, rawResponse: true },
	},
});

type Kind = keyof typeof ORDINARY;
const TASK = { id: 'task_1', object: 'video', status: 'queued' };
const TEXT = { candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] };
/** What a service answers that does its work. */
const ORDINARY = {
	submit: TASK,
	poll: { ...TASK, status: 'SUCCESS', result_url: 'http://127.0.0.1:9/file.mp4' },
	content: {},
	models: { data: [{ id: 'veo' }] },
	text: TEXT,
	stream: TEXT,
};
function kindOf({ method, path }: Ask): Kind {
	if (/:generateContent/.test(path)) return 'text';
	if (/:streamGenerateContent/.test(path)) return 'stream';
	if (/\/content$/.test(path)) return 'content';
	if (/\/models$/.test(path)) return 'models';
	return method === 'POST' ? 'submit' : 'poll';
}

interface Case {
	node: EngineNode;
	/** The requests that are answered so. */
	kinds: Kind[];
	/** The task is known before the answer comes. */
	isKnown?: true;
	streaming?: true;
}

const CASES: Record<string, Case> = {
	'a submit': { node: generate({ wait: 'none' }), kinds: ['submit'] },
	'a poll': { node: generate({}), kinds: ['poll'], isKnown: true },
	'the file behind a render': {
		node: generate({ downloadVideo: true }),
		kinds: ['content'],
		isKnown: true,
	},
	'a check': {
		node: videoStatus({ options: { ...ALONE, rawResponse: true } }),
		kinds: ['poll'],
		isKnown: true,
	},
	'a download': {
		node: videoDownload({ options: { ...ALONE, retries: 1 } }),
		kinds: ['content', 'poll'],
		isKnown: true,
	},
	'a text': { node: generateContent(), kinds: ['text'] },
	'a text that is JSON': { node: generateContent({ outputFormat: 'json' }), kinds: ['text'] },
	'a streamed text': { node: generateContent(), kinds: ['stream'], streaming: true },
};

it.each(Object.entries(CASES))('%s with any answer', async (_what, tested) => {
	const { node, kinds, isKnown, streaming } = tested;
	const haste = hurry(HASTE);
	const property = fc.asyncProperty(anyAnswer, async (answer) => {
		const service = await serve((ask) =>
			kinds.includes(kindOf(ask)) ? answer : [200, ORDINARY[kindOf(ask)]],
		);
		const access = { baseUrl: service.url, apiKey: KEY };
		const run = async (onError: Mode) => {
			const result = await engine.run({
				node: { ...node, onError },
				items: toInput(INPUT),
				credentials: { videoGenerationApi: access, geminiCompatibleApi: access },
				...(streaming && { mode: 'webhook', streaming }),
			});
			checkEnd(result, onError);
			checkShown(result);
			// On a busy machine even the ordinary answer to a submit may come too late for such haste.
			const isLate = /did not answer in time/.test(JSON.stringify(endOf(result)));
			if (isKnown && !isLate) expect(taskIdOf(result)).toBe('task_1');
		};
		await Promise.all(MODES.map(run)).finally(service.close);
	});
	const examples = keyQuotes.map((answer): [Reply] => [answer]);
	const numRuns = examples.length + RUNS;
	await fc.assert(property, { examples, numRuns, endOnFailure: true }).finally(haste.restore);
});

/** One item or one error, and never the input. */
function checkEnd(result: RunResult, mode: Mode): void {
	const outputs = result.outputs();
	if (result.status === 'error') {
		expect([mode, result.error?.message]).toEqual(['stopWorkflow', expect.stringMatching(/\w/)]);
		return;
	}
	const items = outputs.flat();
	expect([result.status, items.length]).toEqual(['success', 1]);
	const [{ json }] = items;
	// n8n itself lays the input under what leaves by the error output.
	const isOfN8n = json.error !== undefined && mode === 'continueErrorOutput';
	if (!isOfN8n) expect(json).not.toHaveProperty('isInput');
	if (json.error === undefined) return;
	expect(json.error).toMatchObject({ message: expect.stringMatching(/\w/) });
	if (isOfN8n) expect(outputs.at(-1)).toHaveLength(1);
	else expect(Object.keys(json)).toEqual(['error']);
}

/** All that n8n stores and people see: it can be written down, and the key is not in it. */
function checkShown(result: RunResult): void {
	const { message, description, context } = (result.error ?? {}) as IDataObject;
	const { logs, uiMessages, chunks, customData } = result;
	const messages = [logs.map((line) => line.message), uiMessages, result.hints(), customData];
	const words = chunks.map(({ content }) => content).join('');
	const items = result
		.outputs()
		.flat()
		.map(({ json, binary = {} }) => [json, Object.values(binary).map(toFacts)]);
	const written = JSON.stringify([items, message, description, context, messages, words]);
	expect(written).not.toMatch(/Secret(\/|%2F)key/);
	// n8n writes the messages of errors there as well.
	expect(logs.filter((line) => /[\p{Cc}\u2028]/u.test(line.message))).toEqual([]);
}

/** What is in a file is the file's. */
const toFacts = ({ fileName, fileExtension, mimeType }: IBinaryData) => ({
	fileName,
	fileExtension,
	mimeType,
});

const endOf = ({ outputs, error }: RunResult) => error?.message ?? outputs().flat()[0].json.error;

function taskIdOf({ outputs, error }: RunResult): unknown {
	if (error) return (error as { context?: IDataObject }).context?.task_id;
	const { json } = outputs().flat()[0];
	return json.task_id ?? (json.error as IDataObject | undefined)?.task_id;
}
