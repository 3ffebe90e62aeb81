import type { IDataObject } from 'n8n-workflow';

import type { Plan, RequestRecord } from '../../../sandbox/service';
import { openVideo } from '../../../sandbox/service/media';
import { hurry, until } from '../../support/clock';
import type { RunResult } from '../../support/engine';
import { KEY, planned, toInput, useStage, videoDownload, videoGenerate } from '../../support/stage';

// A video's way from the service into n8n's storage. Where the key goes on it is in keys.test.ts, and all
// ways to cut a file are in test/nodes/shared/download/fetchFile.test.ts.

/** Large enough to be cut anywhere; the video itself is the first 51,780 bytes of it. */
const SIZE = 500_000;
/** More than sockets hold: an answer that is not read to its end shows. */
const LARGE = { sizeBytes: 30 * 1024 ** 2 };

interface Download {
	/** Parameters with which Video Generate makes the task that Video Download is given. */
	render?: IDataObject;
	/** Options of Video Download; the row is then played with that node alone. */
	options?: IDataObject;
	/** What else the error of a failing item holds. */
	fields?: IDataObject;
}
/** How the message of a failing item reads, or nothing where the video arrives. */
type Row = [what: string, plan: Plan, requests: string, fails?: RegExp, more?: Download];

const times = (count: number, requests: string) => Array(count).fill(requests).join('; ');
const always = (fault: NonNullable<Plan['content']>) =>
	({ content: { always: fault } }) as { content: Plan['content'] };
const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string;
const foreign = (content: Plan['content']): Plan => ({ resultUrl: 'foreign', content });

const ENDED_EARLY = /the download ended early/;
const PAGE = {
	...{ status: 200, text: '<html><body>Gateway</body></html>' },
	headers: { 'content-type': 'video/mp4' },
};
const SHORT = { fault: 'silentCut', cutAfterBytes: 51_700 };
const PAID = matching(
	/rendered and paid for, and downloading it later is free: run Video Download with its task ID/,
);
const GONE = {
	status: 502,
	json: { error: { message: 'Failed to fetch video content', type: 'server_error' } },
};
const TO_STATUS = matching(/Wait for the task with Video Status, then download the video/);
const FAILED: Plan = { outcome: 'FAILURE', failReason: 'Too dark' };
const TOO_LARGE = /larger than the 1 MB that Max Size allows/;
const LIMITED = { options: { maxSize: 1 } };
const NEITHER =
	/Its result_url did not work either: the video's URL leads to http:\/\/localhost:\d+, which denies access to it \(HTTP 403\)\. The link may have expired, or the file may be deleted\. The video is rendered and paid for/;

/** What was answered to each request for the video; "left": it was not read to its end. */
const ROWS: Row[] = [
	['in chunks, without a length', { content: 'noLength' }, '200'],
	['after JSON', { content: 'json200' }, '200; 200'],
	[
		'after five faults',
		{ content: ['html502', 'cutAfter', 'reset', 'retryAfter', 'notCompleted'] },
		'502; cut; cut; 429; 400; 200',
	],
	['from the content endpoint first', { resultUrl: 'foreign' }, '200'],
	[
		'from result_url, in turns',
		foreign(['notFound404', 'html502', 'notFound404']),
		'404; 502; 404; 200',
	],
	['as large as allowed', { sizeBytes: 1024 ** 2 }, '200', undefined, LIMITED],
	[
		'still every time',
		always('stall'),
		'200, left; 200, left',
		ENDED_EARLY,
		{
			options: { timeout: 30, retries: 1 },
			fields: { description: matching(/Nothing arrived for 30 seconds after 1000 bytes/) },
		},
	],
	['a page called a video every time', always(PAGE), times(6, '200'), /is not a video/],
	['short every time, which only its boxes tell', always(SHORT), times(6, 'cut'), ENDED_EARLY],
	[
		'404 every time',
		always('notFound404'),
		times(6, '404'),
		/does not know this address \(HTTP 404\)/,
		{ fields: { status: 'SUCCESS', http_code: 404, retryable: true, description: PAID } },
	],
	[
		'502 every time, which says nothing of a filter',
		always(GONE),
		times(6, '502'),
		/the service gets no file from the vendor of the model \(HTTP 502\)/,
		{
			fields: {
				...{ status: 'SUCCESS', http_code: 502, retryable: true, next: 'followTask' },
				description: expect.not.stringMatching(/filter|prompt/),
			},
		},
	],
	[
		'401, at once',
		always('unauthorized'),
		'401',
		/refuses the API key/,
		{ fields: { status: 'SUCCESS', http_code: 401, retryable: false, description: PAID } },
	],
	['redirected in a circle', { content: 'redirectLoop' }, times(6, '302'), /more than 5 times/],
	[
		'redirected to a file',
		{ content: { redirect: 302, to: 'file:///etc/passwd' } },
		'302',
		/leads to no http or https address/,
	],
	[
		'gone, and result_url says no, too',
		foreign([
			{ status: 410, text: '' },
			{ status: 403, text: 'expired' },
		]),
		'410; 403',
		/\(HTTP 410\)/,
		{ fields: { status: 'SUCCESS', description: matching(NEITHER) } },
	],
	[
		'of a task that failed',
		FAILED,
		'400',
		/the task ended in FAILURE/,
		{ options: {}, fields: { status: 'FAILURE', fail_reason: 'Too dark', retryable: false } },
	],
	[
		'of a task that still waits',
		{ renderMs: 3_600_000 },
		'400',
		/the render is not finished and its task is still queued/,
		{ options: {}, render: { wait: 'none' }, fields: { status: 'queued', retryable: true } },
	],
	[
		'of a task whose record is empty while it renders (xAI)',
		{ ...always('notFound404'), poll: { always: { status: 202, text: '' } } },
		'404',
		/the render is not finished and its task is still IN_PROGRESS/,
		{
			...{ options: {}, render: { wait: 'none' } },
			fields: { next: 'followTask', retryable: true, description: TO_STATUS },
		},
	],
	['larger', { ...LARGE, resultUrl: 'foreign' }, '200, left', TOO_LARGE, LIMITED],
	['larger, without a length', { ...LARGE, content: 'noLength' }, '200, left', TOO_LARGE, LIMITED],
];

const ended = new Set<RequestRecord>();
const stage = useStage({ logger: (record) => void ended.add(record) });
// The storage host of the sandbox is on this machine, by another name than the service.
beforeAll(() => void (stage.credentials.videoGenerationApi.allowPrivateAddresses = true));

const SETTINGS = { onError: 'continueErrorOutput' } as const;
const BINARY = { binaryMode: 'filesystem' } as const;

it.each(ROWS)('%s', async (...row) => {
	const [, plan, requests, fails, { render, options, fields } = {}] = row;
	const full = { renderMs: 0, sizeBytes: SIZE, ...plan };
	const inputOf = (node: string) => toInput({ prompt: planned(node, full) });
	const taskOf = (node: string) =>
		stage.sandbox.tasks().find(({ prompt }) => prompt.startsWith(node))!;

	async function check(node: string, result: RunResult) {
		const { task_id } = taskOf(node);
		const asked = stage.sandbox.requests.filter(
			({ taskId, path }) => taskId === task_id && /\/content$|^\/files\//.test(path),
		);
		// The service learns a little later that a client has left.
		await until(() => asked.every((request) => ended.has(request)));
		expect([node, asked.map(inWords).join('; ')]).toEqual([node, requests]);
		expect(stage.engine.storedSizes(result)).toHaveLength(fails ? 0 : 1);
		expect(JSON.stringify([result.run.data, result.logs])).not.toContain(KEY);
		const [{ json, binary }] = result.outputs().at(fails ? -1 : 0)!;
		if (fails) {
			const message = matching(fails);
			return expect(json.error).toMatchObject({ message, task_id, ...fields });
		}
		const bytes = await stage.engine.readBinary(binary!.data);
		const { length, read } = openVideo('landscape', full.sizeBytes);
		expect(bytes.equals(Buffer.concat([...read(0, length)]))).toBe(true);
		const { fileName: file_name, mimeType: mime_type } = binary!.data;
		const file = { file_name, mime_type, size_bytes: bytes.length };
		if (node === 'Video Download') expect(json).toEqual({ task_id, ...file });
	}

	async function download() {
		await stage.run(videoGenerate(render), inputOf('Video Download'));
		const { task_id } = taskOf('Video Download');
		const node = videoDownload({ options }, SETTINGS);
		await check('Video Download', await stage.run(node, toInput({ task_id }), BINARY));
	}
	async function generate() {
		const node = videoGenerate({ downloadVideo: true }, SETTINGS);
		await check('Video Generate', await stage.run(node, inputOf('Video Generate'), BINARY));
	}
	const haste = hurry(60);
	// Both nodes that download, side by side.
	await Promise.all([download(), options ? undefined : generate()]).finally(haste.restore);
});

const inWords = ({ status, aborted }: RequestRecord) =>
	`${status ?? 'cut'}${aborted ? ', left' : ''}`;
