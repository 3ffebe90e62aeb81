import type { IDataObject } from 'n8n-workflow';

import {
	createSandbox,
	type RequestRecord,
	type Sandbox,
	type SandboxTask,
} from '../../../sandbox/service';
import { hurry, until } from '../../support/clock';
import type { CredentialData, Engine, RunResult } from '../../support/engine';
import { KEY, planned, toInput, videoGenerate, videoStatus, type Stage } from '../../support/stage';
import type { FaultRow } from './row';

export const MODES = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
export type Mode = (typeof MODES)[number];

/** A row in one mode: what n8n has of it, and what the service. */
export interface Play {
	row: FaultRow;
	mode: Mode;
	result: RunResult;
	tasks: SandboxTask[];
	requests: RequestRecord[];
	submissions: RequestRecord[];
	polls: RequestRecord[];
}

/** Plays a row in all modes side by side; the prompts tell whose is what at the service. */
export async function play(stage: Stage, row: FaultRow): Promise<Play[]> {
	const own = row.meanwhile ? await createSandbox({ renderMs: 60 }) : undefined;
	const sandbox = own ?? stage.sandbox;
	const haste = row.hurry ? hurry(row.hurry) : undefined;
	try {
		const runs = Promise.all(MODES.map(async (mode) => await run(stage, sandbox, row, mode)));
		if (row.meanwhile) {
			await until(() => sandbox.tasks().filter(({ polls }) => polls > 0).length === MODES.length);
			await row.meanwhile(sandbox);
		}
		return (await runs).map((result, i) => ({ row, result, ...recordsOf(sandbox, MODES[i]) }));
	} finally {
		haste?.restore();
		await own?.close();
	}
}

async function run({ engine }: Stage, sandbox: Sandbox, row: FaultRow, mode: Mode) {
	const { apiKey = () => KEY, baseUrl = ({ url }) => url, settings, parameters, stopWhen } = row;
	const access = { baseUrl: baseUrl(sandbox), apiKey: apiKey(MODES.indexOf(mode)) };
	const credentials = { videoGenerationApi: access };
	const prompts = row.plans.map((plan, i) => ({ prompt: planned(`${mode} ${i}`, plan) }));
	const isStatus = row.node === 'Video Status';
	const items = isStatus ? await submitted(engine, credentials, prompts) : prompts;
	const node = (isStatus ? videoStatus : videoGenerate)(parameters, { ...settings, onError: mode });
	const execution = engine.start({ node, items: toInput(...items), credentials });
	if (stopWhen) {
		await until(() => stopWhen(recordsOf(sandbox, mode).requests));
		await execution.stop();
	}
	return await execution.done;
}

/** Tasks for Video Status to look at. */
async function submitted(engine: Engine, credentials: CredentialData, prompts: IDataObject[]) {
	const node = videoGenerate({ wait: 'none' });
	const { outputs } = await engine.run({ node, items: toInput(...prompts), credentials });
	return outputs()[0].map(({ json: { task_id } }) => ({ task_id }));
}

function recordsOf(sandbox: Sandbox, mode: Mode) {
	const tasks = sandbox.tasks().filter(({ prompt }) => prompt.startsWith(mode));
	const ids = new Set(tasks.map(({ task_id }) => task_id));
	const requests = sandbox.requests.filter(
		({ taskId = '', body }) => ids.has(taskId) || body?.prompt?.startsWith(mode),
	);
	const submissions = requests.filter(({ method }) => method === 'POST');
	const polls = requests.filter(({ path }) => path.startsWith('/v1/video/generations/'));
	return { mode, tasks, requests, submissions, polls };
}
