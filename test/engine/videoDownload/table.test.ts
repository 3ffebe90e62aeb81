import type { IDataObject } from 'n8n-workflow';

import type { Plan, RequestRecord } from '../../../sandbox/service';
import { openVideo } from '../../../sandbox/service/media';
import { hurry, until } from '../../support/clock';
import { type BinaryMode, type RunResult } from '../../support/engine';
import { KEY, planned, toInput, useStage, videoDownload, videoGenerate } from '../../support/stage';
import { type DownloadRow, ROWS, SIZE } from './rows';

/** What a database may notice is how bytes arrive, and not what the service says before. */
const MODES: Array<[BinaryMode, Partial<typeof ROWS>]> = [
	['filesystem', ROWS],
	['database', { streams: ROWS.streams }],
];
const onError = 'continueErrorOutput';

const ended = new Set<RequestRecord>();
const stage = useStage({ logger: (record) => void ended.add(record) });
// The storage host of the sandbox is on this machine, by another name than the service.
beforeAll(() => void (stage.credentials.videoGenerationApi.allowPrivateAddresses = true));

describe.each(MODES)('into the %s', (binaryMode, points) => {
	describe.each(Object.entries(points))('%s', (_point, rows) => {
		it.each(rows)('$what', async (row) => {
			const haste = hurry(row.hurry ?? 60);
			try {
				// Both nodes that download, side by side.
				await Promise.all([
					download(row, binaryMode),
					row.options ? undefined : generate(row, binaryMode),
				]);
			} finally {
				haste.restore();
			}
		});
	});
});

async function download(row: DownloadRow, binaryMode: BinaryMode) {
	await stage.run(videoGenerate(row.render), promptOf(row, 'Video Download'));
	const { task_id } = taskOf('Video Download');
	const node = videoDownload({ options: row.options }, { onError });
	await check(row, 'Video Download', await stage.run(node, toInput({ task_id }), { binaryMode }));
}

async function generate(row: DownloadRow, binaryMode: BinaryMode) {
	const node = videoGenerate({ downloadVideo: true }, { onError });
	const items = promptOf(row, 'Video Generate');
	await check(row, 'Video Generate', await stage.run(node, items, { binaryMode }));
}

const planOf = ({ plan }: DownloadRow): Plan => ({ renderMs: 0, sizeBytes: SIZE, ...plan });

const promptOf = (row: DownloadRow, node: string) =>
	toInput({ prompt: planned(node, planOf(row)) });

const taskOf = (node: string) =>
	stage.sandbox.tasks().find(({ prompt }) => prompt.startsWith(node))!;

const inWords = ({ status, aborted }: RequestRecord) =>
	`${status ?? 'cut'}${aborted ? ', left' : ''}`;

async function check(row: DownloadRow, node: string, result: RunResult): Promise<void> {
	const { task_id } = taskOf(node);
	const requests = stage.sandbox.requests.filter(
		({ taskId, path }) => taskId === task_id && /\/content$|^\/files\//.test(path),
	);
	// The service learns a little later that a client has left.
	await until(() => requests.every((request) => ended.has(request)));
	expect([node, requests.map(inWords).join('; ')]).toEqual([node, row.requests]);
	expect(stage.engine.storedSizes(result)).toHaveLength(row.fails ? 0 : 1);
	expect(JSON.stringify([result.run.data, result.logs])).not.toContain(KEY);
	if (row.fails) {
		const error = result.outputs().at(-1)?.[0]?.json.error as IDataObject | undefined;
		const message = expect.stringMatching(row.fails) as unknown;
		expect(error).toMatchObject({ message, task_id, ...row.fields });
		return;
	}
	const [[{ json, binary }]] = result.outputs();
	const bytes = await stage.engine.readBinary(binary!.data);
	const { length, read } = openVideo('landscape', planOf(row).sizeBytes);
	expect(bytes.equals(Buffer.concat([...read(0, length)]))).toBe(true);
	const { fileName: file_name, mimeType: mime_type } = binary!.data;
	const file = { file_name, mime_type, size_bytes: bytes.length };
	if (node === 'Video Download') expect(json).toEqual({ task_id, ...file });
}
