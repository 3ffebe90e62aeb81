import type { IDataObject } from 'n8n-workflow';

import type { ServiceAnswer } from '../../../../../nodes/shared/http/answer';
import type { Run } from '../../../../../nodes/shared/n8n/run';
import type { Connection } from '../../../../../nodes/shared/services/connection';
import { newApi } from '../../../../../nodes/shared/services/newApi';
import type { Asked } from '../../../../../nodes/shared/task/asked';
import type { RenderJob } from '../../../../../nodes/shared/task/job';
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
	// Enough items for every job of a test.
	const items = place.node ? run.items : Array.from({ length: 100 }, () => ({ json: {} }));
	const paced = { ...run, items, clock: time.clock(place.random), maxPauseMs: Infinity };
	return { run: paced, time, stop, customData };
}

/** An answer of New API, which names itself. */
export const answer = (status: number, body: unknown = {}): ServiceAnswer => ({
	status,
	headers: { 'x-new-api-version': 'v1' },
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
}

/** A connection to a service that answers like this, and what it was asked. */
export function serve({ submit, fetch }: Service) {
	const asked: string[] = [];
	const limits: Array<number | undefined> = [];
	const connection = {
		baseUrl: 'https://api.example.com',
		service: newApi,
		contentUrl: () => undefined,
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
	} satisfies Partial<Connection> as unknown as Connection;
	return { connection, asked, limits };
}

/** What a prompt asks for that is typed so; an expression gives another `read` at each try. */
export const toPromptAsked = (typed: string, read = typed): Asked => ({
	parameters: { prompt: [typed, read] },
	input: 'item',
});

/** A video of a prompt alone, as it is written. */
export const toWritten = (prompt: string) => ({ model: 'veo', fields: { model: 'veo', prompt } });

export const toJob = (itemIndex = 0, changes: Partial<RenderJob> = {}): RenderJob => ({
	itemIndex,
	model: 'veo',
	request: { video: toWritten(`video ${itemIndex}`) },
	asked: toPromptAsked(`video ${itemIndex}`),
	wait: 'inProcess',
	pollIntervalMs: 5_000,
	maxWaitMs: 30 * 60_000,
	timeOutFails: true,
	...changes,
});
