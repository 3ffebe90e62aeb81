import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import type { RunResult } from '../../support/engine';
import { byId, MODES } from '../../support/stage';
import { durable, FAILS, rows, useDurableStage } from './support/stage';

const stage = useDurableStage();
// For files on the storage host of the sandbox.
beforeAll(() => void (stage.credentials.videoGenerationApi.allowPrivateAddresses = true));

/** What a workflow gets, without what is another one each time. */
function whatCameOf({ status, error, ...result }: RunResult) {
	const plain = {
		...{ submitted_at: 'time', finished_at: 'time', poll_count: 'count' },
		// It is signed, until a second of its own.
		last_frame_url: 'address',
	};
	const items = result.outputs().map((output) =>
		output.map(({ json, binary, pairedItem }) => ({
			json: Object.entries(json).map(([key, value]) => {
				if (key === 'response') return [key, Object.keys(value as IDataObject)];
				return [key, plain[key as keyof typeof plain] ?? value];
			}),
			file: Object.entries(binary ?? {}).map(([key, { mimeType, fileSize, fileName }]) => ({
				...{ key, mimeType, fileSize, fileName },
			})),
			pairedItem,
		})),
	);
	const { message, description, context } = (error ?? {}) as unknown as IDataObject;
	let text = JSON.stringify({ status, message, description, context, items });
	stage.taskIds().forEach((id, i) => {
		for (const form of [id, encodeURIComponent(id)]) text = text.replaceAll(form, `task ${i}`);
	});
	return JSON.parse(text) as unknown;
}

/** To the storage host, which is on this machine by another name. */
const INSIDE: Plan = { content: { always: { redirect: 302, to: 'foreign' } } };
const SEEDANCE = byId('doubao-seedance-1-5-pro-251215');
const cases: Array<[string, Array<Plan | null>, IDataObject]> = [
	['a batch of which one fails', [{ renderMs: 60 }, FAILS, { oddId: true }], {}],
	['Raw Response', [{}, FAILS], { options: { rawResponse: true } }],
	[
		'files, one of which is refused, and one is inside the network, which is allowed',
		[{}, { content: { always: 'forbidden' } }, INSIDE],
		{ downloadVideo: true, options: { binaryProperty: 'film' } },
	],
	[
		'last frames, one of which has no address',
		[{}, { lastFrameUrl: 'none' }],
		{ model: SEEDANCE, options: { film: { returnLastFrame: true } } },
	],
	['a time-out', [{ outcome: 'never' }], { options: { maxWait: 0.01 } }],
	[
		'a time-out that gives the task',
		[{ outcome: 'never' }],
		{ options: { rawResponse: true, maxWait: 0.01, polling: { onTimeout: 'returnTask' } } },
	],
];

/** n8n does not run a node again that failed after a sleep, so its task IDs are all that helps. */
const HOW_TO_GO_ON = / ?Retry execution [^.]*\./g;
const withoutRetryAdvice = <T>(value: T): T =>
	JSON.parse(JSON.stringify(value).replaceAll(HOW_TO_GO_ON, '').replaceAll('":" ', '":"')) as T;

describe.each(cases)('gives what a wait in process gives: %s', (_name, plans, parameters) => {
	const items = rows(...plans);
	it.each(MODES)('%s', async (onError) => {
		const sleeps = await stage.runThrough({ node: durable(parameters, { onError }), items });
		const slept = whatCameOf(sleeps);
		const count = stage.sandbox.submissions().length;
		stage.sandbox.reset();
		const inProcess = { ...parameters, wait: 'inProcess' };
		const waits = await stage.runThrough({ node: durable(inProcess, { onError }), items });
		expect(JSON.stringify(slept)).not.toContain('Retry execution');
		expect(withoutRetryAdvice(slept)).toEqual(withoutRetryAdvice(whatCameOf(waits)));
		expect(stage.sandbox.submissions()).toHaveLength(count);
	});
});
