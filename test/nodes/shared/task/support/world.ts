import { readRoutes } from '../../../../../nodes/shared/service/routes';
import type { IDataObject } from 'n8n-workflow';

import type { Run } from '../../../../../nodes/shared/item/run';
import type { Connection } from '../../../../../nodes/shared/service/connection';
import type { ServiceAnswer } from '../../../../../nodes/shared/service/http';
import type { RenderJob } from '../../../../../nodes/shared/task/render';
import type { Wish } from '../../../../../nodes/shared/task/wish';
import { makeRun } from '../../../../support/makeRun';
import { createVirtualTime, type VirtualTime } from '../../../../support/virtualTime';

/** A run of a node without n8n, in virtual time, and what n8n would store of it. */
export interface World {
	run: Run;
	time: VirtualTime;
	stop: AbortController;
	customData: Record<string, string>;
}

interface Place {
	/** What n8n has stored of the node. */
	stored?: IDataObject;
	executionId?: string;
	$runIndex?: number;
	forAgent?: boolean;
	maxPauseMs?: number;
	/** On Error is one of the two modes that go on. */
	continues?: boolean;
	random?: () => number;
	/** Fields of the node, its parameters by item, and further methods of n8n's context. */
	node?: Pick<Parameters<typeof makeRun>[0] & object, 'fields' | 'parameters' | 'more'>;
}

export function openWorld(place: Place = {}): World {
	const { stored = {}, executionId = '1', $runIndex = 0, forAgent = false } = place;
	const stop = new AbortController();
	const customData: Record<string, string> = {};
	const $execution = {
		customData: {
			get: (key: string) => customData[key],
			set: (key: string, value: string) => void (customData[key] = value),
		},
	};
	const run = makeRun({
		stop: stop.signal,
		continues: place.continues,
		...place.node,
		more: {
			getContext: () => stored,
			getExecutionId: () => executionId,
			getWorkflow: () => ({ id: '1' }),
			getWorkflowDataProxy: () => ({ $runIndex, $execution, $json: {} }),
			isToolExecution: () => forAgent,
			sendMessageToUI: () => {},
			...place.node?.more,
		},
	});
	const time = createVirtualTime(run.signal);
	const { maxPauseMs = Infinity } = place;
	// Enough items for every job of a test.
	const items = place.node ? run.items : Array.from({ length: 100 }, () => ({ json: {} }));
	const paced = { ...run, items, clock: time.clock(place.random), maxPauseMs };
	return { run: paced, time, stop, customData };
}

export const answer = (status: number, body: unknown = {}, headers = {}): ServiceAnswer => ({
	status,
	headers,
	body: typeof body === 'string' ? body : JSON.stringify(body),
});
/** A record of a task; `format` and `url` are those of a vendor's answer of this moment. */
export const record = (changes: IDataObject = {}): ServiceAnswer =>
	answer(200, { data: { task_id: 'task_1', status: 'IN_PROGRESS', progress: 40, ...changes } });
export const DONE = record({ status: 'SUCCESS', result_url: 'https://a.example/v.mp4' });
/** A failure that may pass. */
export const SHAKY = record({ status: 'FAILURE', format: 'mp4', url: 'quota' });

export interface Service {
	submit?: (body: IDataObject) => Promise<ServiceAnswer> | ServiceAnswer;
	fetch?: (task_id: string) => Promise<ServiceAnswer> | ServiceAnswer;
	/** The content endpoint: status, type and body. */
	content?: (limitMs: number) => Promise<[status: number, type: string, body?: string]>;
}

/** A connection to a service that answers like this, and what it was asked. */
export function serve({ submit, fetch, content }: Service) {
	const asked: string[] = [];
	const limits: Array<number | undefined> = [];
	const connection = {
		baseUrl: 'https://api.example.com',
		traits: { routes: readRoutes({}), isNewApi: true },
		writesByModel: true,
		requestBody: 'auto',
		async send({ path, body, limitMs }) {
			limits.push(limitMs);
			if (body) {
				asked.push('submit');
				return await submit!(body as IDataObject);
			}
			if (path === '/api/status') return answer(200, { data: { quota_per_unit: 1 } });
			const task_id = path.split('/').at(-1)!;
			asked.push(task_id);
			return await fetch!(task_id);
		},
		async open(_address, { timeoutMs }) {
			limits.push(timeoutMs);
			asked.push('content');
			if (!content) return { network: 'unclear', code: 'X', message: 'X' };
			const [status, type, body = ''] = await content(timeoutMs!);
			const chunks = (async function* () {
				yield Buffer.from(body, 'latin1');
			})();
			const stream = Object.assign(chunks, { destroy: () => {} });
			return { status, headers: { 'content-type': type }, stream } as never;
		},
	} satisfies Partial<Connection> as unknown as Connection;
	return { connection, asked, limits };
}

/** The wish for a prompt that is written so; an expression gives another `value` at each try. */
export const toPromptWish = (written: string, value = written): Wish => ({
	prompt: [[written, value]],
});

export const toJob = (itemIndex = 0, changes: Partial<RenderJob> = {}): RenderJob => ({
	itemIndex,
	model: 'veo',
	requestFor: () => ({ model: 'veo', prompt: `video ${itemIndex}` }),
	loadBytes: async () => Buffer.alloc(0),
	wish: toPromptWish(`video ${itemIndex}`),
	wait: 'inProcess',
	pollIntervalMs: 5_000,
	maxWaitMs: 30 * 60_000,
	timeOutFails: true,
	headStartMs: 0,
	...changes,
});
