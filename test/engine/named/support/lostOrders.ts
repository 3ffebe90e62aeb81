import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import {
	createSandbox,
	type Plan,
	type Sandbox,
	type SandboxOptions,
} from '../../../../sandbox/service';
import { hurry, until } from '../../../support/clock';
import { byId, CONTINUE, KEY, planned, type Stage, videoGenerate } from '../../../support/stage';

export const MODELS = { fal: 'fal-ai/veo3.1', replicate: 'google/veo-3.1' } as const;
export type Api = keyof typeof MODELS;

export interface Case {
	api?: Api;
	model?: string;
	plan?: Plan;
	rows?: number;
	options?: SandboxOptions;
	/** Before the run, and once the first order is there. */
	before?: (sandbox: Sandbox, prompt: string) => void;
	during?: (sandbox: Sandbox, prompt: string) => void;
	settings?: object;
	parameters?: IDataObject;
	/** Of each item. */
	binary?: IBinaryKeyData;
}

export const THREE_ROWS = { rows: 3, parameters: { options: { polling: { concurrency: 1 } } } };

/** Orders so many equal films, a hundred times as fast, and counts. */
export async function orderAt(
	stage: Stage,
	{ api = 'replicate', plan = {}, rows = 1, binary, ...more }: Case,
) {
	const sandbox = await createSandbox({ renderMs: 60, profile: api, ...more.options });
	const haste = hurry(100);
	try {
		const prompt = planned('A fox', plan);
		more.before?.(sandbox, prompt);
		const access = { api, proxyUrl: sandbox.url, apiKey: KEY };
		const model = byId(more.model ?? MODELS[api]);
		const execution = stage.engine.start({
			node: videoGenerate({ model, ...more.parameters }, more.settings ?? CONTINUE),
			items: Array.from({ length: rows }, () => ({ json: { prompt }, binary })),
			credentials: { videoGenerationApi: access } as never,
		});
		await until(() => sandbox.submissions().length > 0);
		more.during?.(sandbox, prompt);
		const result = await execution.done;
		const items = (result.outputs()[0] ?? []).map(({ json }) => json);
		const films = items.filter(({ status }) => status === 'SUCCESS');
		const errors = items.flatMap(({ error }) => (error ? [error as IDataObject] : []));
		const ids = films.map(({ task_id }) => task_id);
		expect(new Set(ids).size).toBe(films.length);
		expect(films.every(({ billed }) => billed === 'yes')).toBe(true);
		return { ...result, films: films.length, errors, ids, orders: sandbox.submissions().length };
	} finally {
		haste.restore();
		await sandbox.close();
	}
}

export const unclear = (words: RegExp) => [
	{ billed: 'unknown', next: 'checkUsage', description: expect.stringMatching(words) },
];
export const NOT_LISTED = /The list of tasks of \w+ does not show it within a minute/;
