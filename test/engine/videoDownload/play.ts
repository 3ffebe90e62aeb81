import type { IDataObject } from 'n8n-workflow';

import type { Plan, RequestRecord, Sandbox } from '../../../sandbox/service';
import { openVideo } from '../../../sandbox/service/media';
import type { BinaryMode, RunResult } from '../../support/engine';
import { planned, toInput, videoDownload, videoGenerate, type Stage } from '../../support/stage';
import { isVersion1, SIZE, type DownloadRow } from './row';

export const MODES: BinaryMode[] = isVersion1 ? ['filesystem'] : ['filesystem', 'database'];

/** The storage host of the sandbox is on this machine, by another name than the service. */
const INSIDE = { allowPrivateAddresses: true };

export interface Play {
	node: string;
	result: RunResult;
	task_id: string;
	/** The requests for the video, in order. */
	requests: RequestRecord[];
}

/** Downloads a row's video with each node that can, side by side. */
export async function play(
	stage: Stage,
	row: DownloadRow,
	binaryMode: BinaryMode,
): Promise<Play[]> {
	const plays = [download(stage, row, binaryMode)];
	if (!row.options) plays.push(generate(stage, row, binaryMode));
	return await Promise.all(plays);
}

async function download(stage: Stage, row: DownloadRow, binaryMode: BinaryMode): Promise<Play> {
	const { engine, credentials, sandbox } = stage;
	const items = promptOf(row, 'Video Download', sandbox);
	await engine.run({ node: videoGenerate(row.render), items, credentials });
	const node = videoDownload(
		{ options: { ...INSIDE, ...row.options } },
		{ onError: 'continueErrorOutput' },
	);
	const input = toInput({ task_id: taskOf(sandbox, 'Video Download').task_id });
	const result = await engine.run({ node, items: input, credentials, binaryMode });
	return playOf(stage, 'Video Download', result);
}

async function generate(stage: Stage, row: DownloadRow, binaryMode: BinaryMode): Promise<Play> {
	const result = await stage.engine.run({
		node: videoGenerate(
			{ downloadVideo: true, options: INSIDE },
			{ onError: 'continueErrorOutput' },
		),
		items: promptOf(row, 'Video Generate', stage.sandbox),
		credentials: stage.credentials,
		binaryMode,
	});
	return playOf(stage, 'Video Generate', result);
}

const planOf = ({ plan }: DownloadRow, sandbox: Sandbox): Plan => ({
	renderMs: 0,
	sizeBytes: SIZE,
	...(typeof plan === 'function' ? plan(sandbox) : plan),
});

const promptOf = (row: DownloadRow, node: string, sandbox: Sandbox) =>
	toInput({ prompt: planned(node, planOf(row, sandbox)) });

const taskOf = (sandbox: Sandbox, node: string) =>
	sandbox.tasks().find(({ prompt }) => prompt.startsWith(node))!;

function playOf({ sandbox }: Stage, node: string, result: RunResult): Play {
	const { task_id } = taskOf(sandbox, node);
	const requests = sandbox.requests.filter(
		({ taskId, path }) => taskId === task_id && /\/content$|^\/files\//.test(path),
	);
	return { node, result, task_id, requests };
}

/**
 * A request for a video in words: the part asked for, and the answer. Where a rest begins depends on
 * the machine: n8n 1 drops bytes that have come and were not read when the connection is cut.
 */
export function inWords({ headers, status, aborted }: RequestRecord): string {
	const { range, 'if-range': condition } = headers;
	const part = range === undefined ? 'all' : String(range).replace(/^bytes=[1-9]\d*-$/, 'rest');
	return `${part}${condition ? ` if ${String(condition)}` : ''} ${status ?? 'cut'}${aborted ? ', left' : ''}`;
}

/** The bytes that a row's file must have. */
export function bytesOf(row: DownloadRow, sandbox: Sandbox): Buffer {
	const { length, read } = openVideo(row.video ?? 'landscape', planOf(row, sandbox).sizeBytes);
	return Buffer.concat([...read(0, length)]);
}

export const errorOf = ({ result }: Play) =>
	result.outputs().at(-1)?.[0]?.json.error as IDataObject | undefined;
