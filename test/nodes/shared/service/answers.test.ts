import { wordsFor } from '../../../../nodes/shared/item/words';
import { type Failure, readFailure } from '../../../../nodes/shared/service/failure';
import { readTask } from '../../../../nodes/shared/service/videoTask';

// What services answer in forms of their own (`answerTable.ts`), as their pages show it.

const FILM = 'https://files.example.com/video.mp4';
const OTHER = 'https://files.example.com/other.mp4';
const done = (fields: object) => ({ id: 'task_1a2b3c', status: 'completed', ...fields });
const read = (answer: unknown) => readTask(answer, 'task_1a2b3c');

describe('the file', () => {
	it.each<[string, object]>([
		['EZmodel', { data: [{ url: FILM }] }],
		['GoGoGoToken', { output: { video_url: FILM }, usage: { total_tokens: 1 } }],
		['Crazyrouter', { artifact_url: FILM }],
		['PowerTokens', { metadata: { url: FILM } }],
		['token360', { url: FILM, video_url: OTHER }],
		['AnyFast', { fail_reason: FILM, data: { output: { video_url: OTHER } } }],
		['Ark', { content: { video_url: FILM, last_frame_url: OTHER } }],
		['UniAll', { result: { outputs: [FILM] } }],
		['Kling', { task_result: { videos: [{ id: 'v', url: FILM, duration: '5' }] } }],
		['xAI', { video: { url: FILM, duration: 8 }, usage: {} }],
		['Replicate', { output: [FILM], urls: { get: 'https://a.example/get' } }],
		['Replicate, one file', { output: FILM }],
		['OpenRouter', { unsigned_urls: [FILM] }],
		['MiniMax', { file: { file_id: 1, download_url: FILM } }],
		['an object with an address', { video_url: { url: FILM } }],
		['the vendor, under its own ID', { data: { task_id: 'cgt-7', video_url: FILM } }],
		['GeekAI', { video_result: [{ url: FILM, cover_image_url: OTHER }] }],
		['KIE', { param: `{"video":"${OTHER}"}`, resultJson: `{"resultUrls":["${FILM}"]}` }],
		[
			'KIE without its mark',
			{ resultJson: `{"resultUrls":["${FILM}"],"resultWaterMarkUrls":["${OTHER}"]}` },
		],
		['KIE with its mark alone', { resultJson: `{"resultWaterMarkUrls":["${FILM}"]}` }],
		['a name without a mark', { watermark_video_url: OTHER, clean_video_url: FILM }],
		['GMI', { payload: { video: OTHER }, outcome: { media_urls: [{ url: FILM }] } }],
		['what the caller handed on', { payload: '{"status":"failed"}', creations: [{ url: FILM }] }],
		['a relay of Sora', { detail: { input: { video: OTHER }, generations: [{ url: FILM }] } }],
		['any other name', { cdn_url: FILM }],
		['a name in camel case', { resultUrl: FILM }],
		['after what is empty', { url: '', video_url: null, output: { videoUrl: FILM } }],
		['and not the one further in', { output: { url: FILM, video: { url: OTHER } } }],
		['beside an error that is none', { url: FILM, error: { code: 0, message: '' } }],
		...['pose_video_url', 'init_video_url', 'a_url', 'view_url', 'pic_url', 'bgm_url'].map(
			(name): [string, object] => [
				`a known name, and not of ${name} further out`,
				{ [name]: OTHER, output: { video_url: FILM } },
			],
		),
		['a result, not of an echo', { metadata: { url: OTHER }, output: { data: { url: FILM } } }],
		['content, not of an echo', { metadata: { url: OTHER }, content: { video_url: FILM } }],
		['a result, not of what was asked', { content: [{ video_url: OTHER }], data: { url: FILM } }],
		[
			'another name than that of the record itself',
			{ url: 'https://a.example/v1/videos/task_1a2b3c', video_url: FILM },
		],
		...['content_type', 'contentType', 'media_type', 'format', 'type'].map(
			(name): [string, object] => [
				`a list whose picture says its ${name}`,
				{ outputs: [{ [name]: 'png', url: `${OTHER}?x` }, { url: FILM }] },
			],
		),
		['a list that says how it was made', { data: [{ type: 'image_to_video', url: FILM }] }],
		[
			'its own row in a list',
			{
				data: [
					{ id: 'task_9z8y7x', url: OTHER },
					{ id: 'task_1a2b3c', url: FILM },
				],
			},
		],
		...['refined_video_url', 'original_video_url', 'share_url', 'task_video_url'].map(
			(name): [string, object] => [name, { [name]: FILM }],
		),
	])('of %s, by the names around it', (_service, fields) => {
		// A path that ends like a video's would be found under any name.
		const text = JSON.stringify(done(fields)).replaceAll('.mp4', '');
		const result_url = FILM.replace('.mp4', '');
		expect(read(JSON.parse(text))).toMatchObject({ status: 'SUCCESS', result_url });
	});

	it.each<[string, object]>([
		['Kling, on its site', { works: [{ resource: { resource: FILM } }] }],
		['any other place', { artifacts: { best: { link: FILM } } }],
		['any name over its share', { share_url: OTHER, works: [{ link: FILM }] }],
		[
			'its own task of several',
			{ tasks: [{ id: 'task_9z8y7x', status: 'done', url: OTHER }, done({ url: FILM })] },
		],
	])('of %s, by the end of its path', (_service, fields) => {
		expect(read(done(fields))).toMatchObject({ status: 'SUCCESS', result_url: FILM });
	});

	it.each([
		['names', { wide_url: OTHER, tall_url: FILM }],
		['places', { artifacts: { low: { link: OTHER }, high: { link: FILM } } }],
	])('of two in unknown %s, none is taken', (_what, fields) => {
		const task = read(done(fields));
		expect([task?.status, task?.result_url]).toEqual(['SUCCESS', undefined]);
	});

	it('and the state are none of another task or step in a list', () => {
		const items = [{ id: 'task_9z8y7x', status: 'FAILURE' }];
		const record = {
			task_id: 'task_1a2b3c',
			status: 'SUCCESS',
			output: { video_url: FILM },
			items,
		};
		expect(read(record)).toMatchObject({ status: 'SUCCESS', result_url: FILM });
		const step = { status: 'success', output: { video_url: FILM }, tasks: [{ status: 'failed' }] };
		expect(read(step)).toMatchObject({ status: 'SUCCESS', result_url: FILM });
		const next = { task_id: 'task_9z8y7x', video_link: OTHER };
		expect(read(done({ next }))?.result_url).toBeUndefined();
	});

	it.each([{ media: [{ url: OTHER }] }, { extra_body: { video_url: OTHER } }])(
		'is none of what was asked for: %j',
		(fields) => expect(read(done(fields))?.result_url).toBeUndefined(),
	);

	it('is its own before one of a stage that it went through', () => {
		const detail = { status: 'completed', video_url: OTHER, upsample_video_url: FILM };
		expect(read(done({ video_url: FILM, detail }))?.result_url).toBe(FILM);
	});

	it('is no draft of it', () => {
		expect(read(done({ draft_url: OTHER, final_url: FILM }))?.result_url).toBe(FILM);
		const outputs = [{ variant: 'preview', url: OTHER }, { url: FILM }];
		expect(read(done({ outputs }))?.result_url).toBe(FILM);
		expect(read(done({ teaser: OTHER }))?.result_url).toBeUndefined();
		const videos = [{ is_preview: true, url: OTHER }, { preview: true, url: OTHER }, { url: FILM }];
		expect(read(done({ videos }))?.result_url).toBe(FILM);
	});

	it.each([
		[{ video_url: OTHER, output: { video_url: FILM } }],
		[{ video: OTHER, creations: [{ url: FILM }] }],
		[{ videos: [{ url: OTHER }], result: { url: FILM } }],
		[{ video_url: OTHER, assets: { url: FILM } }],
		[{ video_url: OTHER, output_url: FILM }],
	])('is not what it was made from: %j', (fields) => {
		expect(read(done(fields))?.result_url).toBe(FILM);
	});

	it('stands beside the record', () => {
		const around = { data: { task_id: 'task_1a2b3c', status: 'SUCCESS' }, video_url: FILM };
		expect(read(around)?.result_url).toBe(FILM);
		const others = { data: [done({}), { id: 'task_9z8y7x', url: OTHER }] };
		expect(read(others)?.result_url).toBeUndefined();
		const results = [{ task_id: 'task_9z8y7x', url: OTHER }, { url: FILM }];
		expect(read(done({ results }))?.result_url).toBe(FILM);
	});

	it.each<[object]>([
		[{ cover_url: FILM, thumbnail_url: FILM, poster_url: FILM, preview_image_url: FILM }],
		[{ first_frame_url: FILM, last_frame_url: FILM, input_url: FILM, image_url: FILM }],
		[{ callback_url: FILM, webhookUrl: FILM, status_url: FILM, audio_url: FILM, poll_url: FILM }],
		[{ output: ['https://a.example/cover.jpg'], data: [{ type: 'image', url: FILM }] }],
		[{ metadata: { content: [{ role: 'reference_video', video_url: { url: FILM } }] } }],
		[{ metadata: { image_list: [{ url: FILM }] } }],
		[{ metadata: { video_url: FILM }, content: [{ type: 'video_url', video_url: { url: FILM } }] }],
		[{ output: [{ role: 'source', url: FILM }], orig_video_url: FILM, customer_video_url: FILM }],
		[{ request: { clip: FILM }, params: { film: FILM }, settings: { video_link: FILM } }],
		[{ made: { link: 'https://a.example/films/1' } }],
		[{ pose_video_url: FILM, initVideoUrl: FILM, picUrl: FILM, view_url: FILM, song_url: FILM }],
		[{ related: [{ video_url: FILM }], examples: { video_url: FILM } }],
		[{ instances: [{ video: FILM }], notice: { video: FILM }, ads: { video: FILM } }],
		[{ files: [{ direction: 'input', url: FILM }], download_url: 'https://a.example/all.zip' }],
		[{ latest: { video: FILM }, gallery: [{ video: FILM }], teaser_url: FILM, root_video: FILM }],
		[{ remixed_from_url: FILM, extendedFromUrl: FILM, history: [{ video_url: FILM }] }],
		...['motion', 'guide', 'sample', 'trailer', 'tutorial', 'prior', 'continue', 'previous'].map(
			(word): [object] => [{ [`${word}_video_url`]: FILM }],
		),
		...['still', 'snapshot', 'storyboard', 'sprite', 'gif', 'tail'].map((word): [object] => [
			{ [`${word}_url`]: FILM },
		]),
		[{ output: ['sprite', 'mask', 'storyboard', 'snapshot'].map((type) => ({ type, url: FILM })) }],
	])('is none of %j', (fields) => {
		const task = read(done(fields));
		expect([task?.status, task?.result_url]).toEqual(['SUCCESS', undefined]);
	});

	it('ends no task without a state', () => {
		expect(read({ id: 'task_1a2b3c', video_url: FILM })).toBeUndefined();
		expect(read({ code: 200, data: { task_id: 'task_1a2b3c', url: FILM } })).toBeUndefined();
	});

	it('is read of SUCCESS alone', () => {
		expect(read(done({ status: 'running', url: FILM }))?.result_url).toBeUndefined();
	});
});

describe('an operation of Google', () => {
	const name = 'models/veo/operations/abc';
	it.each<[string, object]>([
		['IN_PROGRESS', { name }],
		['IN_PROGRESS', { name: 'task_1a2b3c' }],
		['IN_PROGRESS', { name, done: false }],
		['SUCCESS', { name, done: true, response: { videos: [{ uri: FILM }] } }],
		['SUCCESS', { done: true, response: {}, error: { code: 0, message: '' } }],
		['FAILURE', { name, done: true, error: { code: 3, message: 'No' } }],
	])('is %s: %j', (status, answer) => {
		expect(read(answer)?.status).toBe(status);
	});

	it('is none of another name', () => {
		const task = { name, done: true, response: { videos: [{ uri: FILM }] } };
		expect(readTask(task, 'models/veo/operations/xyz')).toBeUndefined();
	});

	it('tells its film, or its failure', () => {
		const response = { generateVideoResponse: { generatedSamples: [{ video: { uri: FILM } }] } };
		expect(read({ name, done: true, response })?.result_url).toBe(FILM);
		expect(read({ name, done: true, error: { message: 'No' } })?.fail_reason).toBe('No');
	});

	it('may hold the film itself', () => {
		const response = { videos: [{ bytesBase64Encoded: 'AAAA' }] };
		expect(read({ name, done: true, response })?.noVideo).toEqual({ why: 'inRecord' });
		const video = { url: 'data:video/mp4;base64,AAAA' };
		expect(read({ name, done: true, video })).toMatchObject({ noVideo: { why: 'inRecord' } });
	});
});

describe('whose record it is', () => {
	const film = { status: 'completed', url: FILM };
	it.each<[string, unknown]>([
		['no ID', { status: 'completed', progress: 100, url: FILM }],
		['another form of the ID', { id: 'video-1a2b3c', ...film }],
		['the number of a row', { id: 1001, ...film }],
		['that of a vendor in it', { ...film, progress: 100, data: { id: 'cgt-7', status: 'done' } }],
		[
			'that of a request',
			{ code: 0, request_id: 'req', data: { request_id: 'req', ...film, code: 0 } },
		],
		['others beside it', { data: [{ id: 'task_9z8y7x', status: 'done', url: OTHER }, done(film)] }],
	])('is believed with %s', (_what, answer) => {
		expect(read(answer)).toMatchObject({ status: 'SUCCESS', result_url: FILM });
	});

	const alien = { id: 'task_9z8y7x', status: 'completed', url: OTHER };
	it.each<[unknown]>([
		[alien],
		[{ task_id: 'task_9z8y7x', status: 'completed', url: OTHER }],
		[{ task_id: 5, status: 'completed', url: OTHER }],
		[[alien]],
		[{ data: [alien, { ...alien, id: 'task_5' }] }],
		[{ status: 'success', data: alien }],
		[{ status: 'completed', data: [alien] }],
		[{ items: [{ id: 7, status: 'completed', url: OTHER }] }],
		[{ tasks: [film, film] }],
		[{ jobs: [], data: { job: { task_id: 'x', state: 'done' } } }],
		[{ data: { status: 3 } }],
		[{ error: { message: 'no', code: '' } }],
		...[
			...['job_id', 'video_id', 'uuid', '_id', 'request_id', 'generationId'],
			...['taskID', 'TaskId', 'tid', 'ID'],
		].flatMap((name): Array<[object]> => [
			[{ [name]: 'other', ...film }],
			[[{ [name]: 'other', ...film }]],
			[{ data: [{ [name]: 'other', status: 'failed' }] }],
		]),
		...['success', 'error', 'fail', 'completed', 'invalid'].flatMap((status): Array<[object]> => [
			[{ status, data: [] }],
			[{ status, message: 'task not found' }],
			[{ id: 7, status }],
		]),
	])('is not believed: %j', (answer) => {
		expect(read(answer)).toBeUndefined();
	});

	it.each<[object]>([
		...[{ id: 'req_1' }, { id: 5 }, { id: 'task_1a2b3c' }, { task_id: 'task_1a2b3c' }, {}].flatMap(
			(ids): Array<[object]> => [
				[{ ...ids, status: 'success', data: { status: 'processing' } }],
				[{ ...ids, state: 'success', data: { state: 'processing' } }],
				[{ ...ids, status: 'ok', data: { status: 'success', output: { status: 'processing' } } }],
				[{ ...ids, status: 'success', data: [{ status: 'processing' }] }],
			],
		),
	])('is that of an inner state, if the outer one may be about the request: %j', (answer) => {
		expect(read(answer)?.status).toBe('IN_PROGRESS');
	});
});

describe('the state', () => {
	it('is that of the video that came about, of several tries', () => {
		const tries = [{ status: 'failed' }, { status: 'completed', url: FILM }];
		const task = { task_id: 'task_1a2b3c', status: 'SUCCESS', results: tries };
		expect(read(task)).toMatchObject({ status: 'SUCCESS', result_url: FILM });
	});

	it('is that of the task, if another one may be about the request', () => {
		const task = { id: 'task_1a2b3c', status: 'success', url: FILM };
		expect(read({ ...task, task_status: 'processing' })?.status).toBe('IN_PROGRESS');
		expect(read({ ...task, state: '' })?.status).toBe('SUCCESS');
	});

	const WORDS = {
		IN_PROGRESS: [
			...['in-progress', 'IN PROGRESS', 'inProgress', 'Rendering', 'generating', 'active'],
			...['processing', '处理中', '执行中', '生成中', 'video_rendering'],
		],
		queued: [
			...['waiting', 'Scheduled', 'accepted', 'created', 'Preparing', 'TASK_STATUS_QUEUED'],
			...['NOT_START', '', 'pending'],
		],
		SUCCESS: [
			...['done', 'Finished', 'ready', 'COMPLETE', 'TASK_STATUS_SUCCEED', ' Success '],
			...['succeeded', 'Succeeded.', 'finish', 'generated', 'video_generated', 'available'],
			...['processed', '已完成', '完成', '生成成功', '处理完成', '处理成功', '执行成功'],
			...['合成成功', '视频已生成'],
		],
		FAILURE: [
			...['error', 'Rejected', 'blocked', 'aborted', 'timed-out', 'Request Moderated'],
			...['content_filtered', 'cancelled', 'Fail', 'expired', 'generation_failed', 'nsfw'],
			...['失败', '处理失败', '审核不通过', '审核未通过', '内容违规'],
		],
	};
	const rows = Object.entries(WORDS).flatMap(([status, words]) =>
		words.map((word): [string, string] => [status, word]),
	);
	it.each(rows)('is %s: %s', (status, word) => {
		const task = read({ id: 'task_1a2b3c', status: word });
		expect([task?.status, task?.unknownStatus]).toEqual([status, undefined]);
	});

	it('is that of the task where its name says so, whatever number the request has', () => {
		const ofZhipu = { model: 'cogvideox-3', request_id: '8061203011118' };
		expect(read({ ...ofZhipu, task_status: 'FAIL' })?.status).toBe('FAILURE');
		const done = { ...ofZhipu, task_status: 'SUCCESS', video_result: [{ url: FILM }] };
		expect(read(done)).toMatchObject({ status: 'SUCCESS', result_url: FILM });
	});

	it('may be a number', () => {
		const flags = [0, 2, '3'].map((successFlag) => read({ successFlag })?.status);
		expect(flags).toEqual(['IN_PROGRESS', 'FAILURE', 'FAILURE']);
		expect(read({ successFlag: null, done: true, url: FILM })?.status).toBe('SUCCESS');
		const response = { resultUrls: [FILM] };
		expect(read({ code: 200, data: { successFlag: 1, response } })?.result_url).toBe(FILM);
	});

	it('keeps a word that nobody knows, and says it when the time is up', () => {
		const task = read({ status: 'xyz', progress: 5 });
		const unlike = [
			...['not_ready', 'incomplete', 'retry_failed', 'upload_completed', 'unavailable'],
			...['unfinished', '未完成', '未生成', 'xyz', 'moderation_completed', '审核成功'],
		];
		for (const status of unlike) {
			const told = { status: 'IN_PROGRESS', unknownStatus: status };
			expect(read({ status, progress: 5 })).toMatchObject(told);
		}
		for (const status of ['video_generation_completed', 'video_upsampling_failed']) {
			const told = { status: 'IN_PROGRESS', unknownStatus: status };
			expect(read({ status, url: FILM })).toMatchObject(told);
		}
		const ends = ['Video generation completed', 'VIDEO_GENERATION_FAILED'];
		expect(ends.map((status) => read({ status, url: FILM })?.status)).toEqual([
			...['SUCCESS', 'FAILURE'],
		]);
		expect(read({ status: 'x'.repeat(61) })?.unknownStatus).toBeUndefined();
		const end = { state: 'timedOut' as const, maxWaitMs: 1 };
		const { description } = wordsFor({ during: 'render', message: '', passes: false, task, end });
		expect(description).toMatch(
			/^The service's last word was "xyz", which this node does not know\. /,
		);
	});

	it.each(['task_state', 'video_status', 'Status', 'TaskStatus', 'STATE'])('is in %s', (name) => {
		expect(read({ id: 'task_1a2b3c', [name]: 'failed' })?.status).toBe('FAILURE');
	});

	it('is in a text that is JSON', () => {
		const data = JSON.stringify({ task_id: 'task_1a2b3c', status: 'done', url: FILM });
		expect(read({ code: 0, data })).toMatchObject({ status: 'SUCCESS', result_url: FILM });
	});

	it.each([
		[0.5, 50],
		['0.25', 25],
		['1.0', 100],
		[1, 1],
		['0.5%', 1],
		['100%', 100],
		['37.6 %', 38],
		[900, 100],
		['soon', 0],
		[{}, 0],
	])('reads the progress %p as %d', (progress, percent) => {
		expect(read({ status: 'running', progress })?.progress).toBe(percent);
	});
});

describe('the reason', () => {
	it.each<[string, object]>([
		['fail_reason', { fail_reason: 'Too dark' }],
		['failReason', { failReason: 'Too dark' }],
		['failure_reason', { failure_reason: 'Too dark' }],
		['failMsg', { failCode: '422', failMsg: 'Too dark' }],
		['error', { error: 'Too dark' }],
		['error.message', { error: { code: 'x', message: 'Too dark' } }],
		['detail', { detail: 'Too dark' }],
		["FastAPI's detail", { detail: [{ loc: [], msg: 'Too dark', type: 'x' }] }],
		['msg', { msg: 'Too dark', message: '' }],
		['reason', { reason: 'Too dark', url: '' }],
		['what the vendor said', { data: { error: { message: 'Too dark' } } }],
	])('is in %s', (_where, fields) => {
		expect(read(done({ status: 'failed', ...fields }))?.fail_reason).toBe('Too dark');
	});

	it('is in the envelope, unless that tells of a request that went well', () => {
		const around = (message: string) => ({ message, data: { status: 'failed' } });
		expect(read(around('Too dark'))?.fail_reason).toBe('Too dark');
		expect(read(around('success'))?.fail_reason).toBeUndefined();
	});

	it('of an answer is told in words', () => {
		const body = { detail: [{ loc: ['body', 'prompt'], msg: 'Field required' }] };
		const answer = { status: 422, headers: {}, body: JSON.stringify(body) };
		expect(readFailure('submit', answer).description).toBe('body prompt Field required');
	});
});

describe("a filter's refusal", () => {
	const failing = (answer: object, state: 'failed' | 'noVideo'): Failure => ({
		...{ during: 'render', message: '', passes: false, task: read(answer) },
		end: { state, maxWaitMs: 1 },
	});

	it.each<[object]>([
		[{ error: { code: 'moderation_blocked', message: 'Words' } }],
		[{ error: { code: 'content_policy_violation', message: 'Words' } }],
		[{ error: { code: 'OutputVideoSensitiveContentDetected', message: 'Words' } }],
		[{ failure_code: 'SAFETY.OUTPUT', failure: 'Words' }],
		[{ error: { code: 'PROHIBITED_CONTENT', message: 'Words' } }],
		[{ error: { code: 'unsafe_content', message: 'Words' } }],
	])('is told as one: %j', (fields) => {
		const failed = failing(done({ status: 'failed', ...fields }), 'failed');
		expect(wordsFor(failed).message).toMatch(/^The service's filter kept the video back \(task /);
		expect(wordsFor(failed).description).toMatch(/^Words\. Most services refund/);
		const charged = failing(done(fields), 'noVideo');
		expect(charged.task?.noVideo).not.toHaveProperty('isUnsure');
		expect(wordsFor(charged).message).toMatch(
			/^The service charged for it, and its filter kept the video back \(task /,
		);
		expect(wordsFor(charged).description).toMatch(/^Words\. Change the prompt/);
	});

	it('is told by its words, too, and a download says the same', () => {
		const task = read(done({ fail_reason: 'Blocked by our safety system' }));
		expect(task?.noVideo?.isUnsure).toBe(true);
		const file: Failure = { during: 'file', message: 'HTTP 400', passes: true, task };
		expect(wordsFor(file).message).toMatch(
			/^The service charged for it, and its filter kept the video back/,
		);
	});

	it.each(['nsfw', 'Content Moderated', '违规', '审核不通过'])('is the state %s', (status) => {
		expect(read(done({ status }))).toMatchObject({
			noVideo: { why: 'filtered', words: status },
			fail_reason: status,
		});
	});

	it.each<[string, boolean]>([
		['审核不通过', true],
		['触发风控', true],
		['输入内容不合规', true],
		['It violates our community guidelines', true],
		['It violates our usage policies', true],
		['usage policy: monthly quota exceeded', false],
	])('is told by the words "%s": %p', (fail_reason, isFilter) => {
		const task = read(done({ status: 'failed', fail_reason }));
		expect(task?.noVideo?.why === 'filtered').toBe(isFilter);
	});

	const RAI = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['We show no real people.'] };
	it.each<[string, object]>([
		[
			'xAI',
			{
				data: {
					status: 'done',
					video: { respect_moderation: false, url: 'https://x.example/a.mp4' },
				},
			},
		],
		['Veo', { data: { done: true, response: { generateVideoResponse: RAI } } }],
		['Veo at Vertex', { data: { done: true, response: RAI } }],
	])('of a finished task is told, although the record has an address: %s', (_vendor, fields) => {
		const task = read(done({ result_url: 'https://x.example/v1/videos/1/content', ...fields }));
		expect(task).toMatchObject({ status: 'SUCCESS', noVideo: { why: 'filtered' } });
		expect(task).not.toHaveProperty('result_url');
	});

	it('is believed without the task ID', () => {
		const answer = { status: 'done', video: { url: '', respect_moderation: false } };
		expect(readTask(answer, 'task_1')).toMatchObject({ noVideo: { why: 'filtered' } });
	});

	it('is not seen in a picture that a reason repeats, of which the beginning is enough', () => {
		const fail_reason = `Cannot decode data:image/png;base64,${'A'.repeat(5_000_000)}nsfw`;
		const task = read(done({ status: 'failed', fail_reason }))!;
		expect(task.noVideo).toBe(undefined);
		expect(task.fail_reason).toMatch(/^Cannot decode .{1,2000}\.\.\.$/);
	});

	it('of one film of several leaves the others', () => {
		const videos = { generatedVideos: [{ video: { uri: 'https://x.example/a.mp4' } }] };
		const data = { done: true, response: { generateVideoResponse: { ...RAI, ...videos } } };
		const result_url = 'https://x.example/content';
		expect(read(done({ data, result_url }))).toMatchObject({ result_url });
	});

	it('of a submit is told as one', () => {
		const said = (error: object) =>
			readFailure('submit', { status: 400, headers: {}, body: JSON.stringify({ error }) }).message;
		expect(said({ code: 'content_policy_violation', message: 'No' })).toMatch(
			/filter does not let/,
		);
		expect(said({ code: 'invalid_request', message: 'Names are case-sensitive' })).toMatch(
			/does not accept the request/,
		);
	});

	it('has its code as the reason, if it says nothing else', () => {
		const task = read(done({ status: 'failed', error: { code: 'moderation_blocked' } }));
		expect(task?.fail_reason).toBe('moderation_blocked');
	});

	it('is no other failure', () => {
		expect(read(done({ status: 'failed', error: { message: 'Too dark' } }))?.noVideo).toBe(
			undefined,
		);
	});
});
