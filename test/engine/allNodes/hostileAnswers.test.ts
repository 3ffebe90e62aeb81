import fc from 'fast-check';
import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { hurry } from '../../support/clock';
import { createEngine, type Engine, type RunResult } from '../../support/engine';
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
import { anyAnswer, KEY } from './support/anyAnswer';
import { quotingAnswers, quotingStreams } from './support/quotingAnswers';
import {
	createHostileService,
	type HostileAnswer,
	type HostileService,
	type RequestKind,
} from './support/hostileService';

jest.setTimeout(120_000);

const RUNS = 12;
/** Retries and waits pass so many times as fast, and time-outs with them. */
const HASTE = 300;
/** What has the input's fields is the input. */
const ALONE = { leaveOutInputFields: true };
const INPUT = { prompt: 'A boat', task_id: 'task_1', isInput: true };

let engine: Engine;
let service: HostileService;

beforeAll(async () => {
	engine = await createEngine();
	service = await createHostileService();
});
afterAll(async () => {
	engine.close();
	await service.close();
});

const generate = (more: IDataObject) => (mode: Mode) =>
	videoGenerate(
		{ ...more, options: { ...ALONE, rawResponse: true, maxWait: 0.003 } },
		{ onError: mode },
	);
const contents = (parameters: IDataObject) => (mode: Mode) => ({
	type: `${PACKAGE}.generateContent`,
	parameters: {
		...{
			model: byId('m'),
			prompt: '={{ $json.prompt }}',
			options: { ...ALONE, rawResponse: true },
		},
		...parameters,
	},
	onError: mode,
});

interface Case {
	node: (mode: Mode) => ReturnType<typeof videoGenerate>;
	kinds: RequestKind[];
	/** The task is known before the hostile answer comes. */
	isKnown: boolean;
	streaming?: boolean;
}

const CASES: Record<string, Case> = {
	'a submit': { node: generate({ wait: 'none' }), kinds: ['submit'], isKnown: false },
	'a poll': { node: generate({}), kinds: ['poll'], isKnown: true },
	'the file behind a render': {
		node: generate({ downloadVideo: true }),
		kinds: ['content', 'file'],
		isKnown: true,
	},
	'a check': {
		node: (onError) => videoStatus({ options: { ...ALONE, rawResponse: true } }, { onError }),
		kinds: ['poll'],
		isKnown: true,
	},
	'a download': {
		node: (onError) => videoDownload({ options: { ...ALONE, retries: 1 } }, { onError }),
		kinds: ['content', 'poll'],
		isKnown: true,
	},
	'a text': { node: contents({}), kinds: ['text'], isKnown: false },
	'a text that is JSON': {
		node: contents({ outputFormat: 'json' }),
		kinds: ['text'],
		isKnown: false,
	},
	'a streamed text': { node: contents({}), kinds: ['stream'], isKnown: false, streaming: true },
};

describe.each(Object.entries(CASES))('%s with any answer', (_what, { node, kinds, ...rest }) => {
	it('is an item of its own in each mode, and tells no key', async () => {
		const haste = hurry(HASTE);
		const property = fc.asyncProperty(anyAnswer, async (answer) => {
			const answers = Object.fromEntries(kinds.map((kind) => [kind, answer]));
			await Promise.all(MODES.map(async (mode) => check(await run(node(mode), answers), mode)));
		});
		const check = (result: RunResult, mode: Mode) => {
			checkEnd(result, mode);
			checkShown(result);
			// On a busy machine even the ordinary answer to a submit may come too late for such haste.
			const isLate = /did not answer in time/.test(JSON.stringify(endOf(result)));
			if (rest.isKnown && !isLate) expect(taskIdOf(result)).toBe('task_1');
		};
		const run = async (
			tested: ReturnType<typeof videoGenerate>,
			answers: Partial<Record<RequestKind, HostileAnswer>>,
		) => {
			const { baseUrl } = service.answering(answers);
			const access = { baseUrl, apiKey: KEY };
			return await engine.run({
				node: tested,
				items: toInput(INPUT),
				credentials: { videoGenerationApi: access, geminiCompatibleApi: access },
				...(rest.streaming && { mode: 'webhook', streaming: true }),
			});
		};
		try {
			const quoting = rest.streaming ? [...quotingAnswers, ...quotingStreams] : quotingAnswers;
			const examples = quoting.map((answer): [HostileAnswer] => [answer]);
			const numRuns = examples.length + RUNS;
			await fc.assert(property, { examples, numRuns, endOnFailure: true });
		} finally {
			haste.restore();
		}
	});
});

it('each task that the answer to a submit names can be found by its ID', async () => {
	const body = '{"id":"task_2","task_id":"task_1"}';
	const { baseUrl } = service.answering({ submit: { status: 200, headers: [], body } });
	const result = await engine.run({
		node: generate({ wait: 'none' })('continueRegularOutput'),
		items: toInput(INPUT),
		credentials: { videoGenerationApi: { baseUrl, apiKey: KEY } },
	});
	expect(taskIdOf(result)).toBe('task_1');
	expect(JSON.stringify(result.customData)).toMatch(/task_1,task_2/);
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
	const isOfInput = json.isInput !== undefined;
	// n8n itself lays the input under what leaves by the error output.
	if (json.error === undefined || mode !== 'continueErrorOutput') expect(isOfInput).toBe(false);
	if (json.error === undefined) return;
	expect(json.error).toMatchObject({ message: expect.stringMatching(/\w/) });
	if (mode === 'continueErrorOutput') expect(outputs.at(-1)).toHaveLength(1);
	else expect(Object.keys(json)).toEqual(['error']);
}

/** All that n8n stores and people see: it can be written down, and the key is not in it. */
function checkShown(result: RunResult): void {
	const { message, description, context } = (result.error ?? {}) as IDataObject;
	const { logs, uiMessages, chunks, customData } = result;
	const messages = [logs.map((line) => line.message), uiMessages, result.hints(), customData];
	const words = chunks.map(({ content }) => content).join('');
	// What is in a file is the file's.
	const items = result
		.outputs()
		.map((output) =>
			output.map(({ json, binary = {} }) => [json, Object.values(binary).map(toFacts)]),
		);
	const shown = [items, message, description, context, messages, words];
	const written = JSON.stringify(shown);
	expect(written).not.toMatch(/Secret(\/|%2F)key/);
	// n8n writes the messages of errors there as well.
	expect(logs.filter((line) => /[\p{Cc}\u2028]/u.test(line.message))).toEqual([]);
}

const toFacts = ({ fileName, fileExtension, mimeType }: IBinaryData) => ({
	...{ fileName, fileExtension, mimeType },
});

const endOf = ({ outputs, error }: RunResult) => error?.message ?? outputs().flat()[0].json.error;

function taskIdOf({ outputs, error }: RunResult): unknown {
	if (error) return (error as { context?: IDataObject }).context?.task_id;
	const { json } = outputs().flat()[0];
	return json.task_id ?? (json.error as IDataObject | undefined)?.task_id;
}
