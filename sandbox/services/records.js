'use strict';

// What pages of hosted services said about their video API on 2026-11-24, a record for each page: data for the
// stand-ins (standIn.js), and for what judges a submit (judge.js). Where a page shows nothing, the
// record has what other services of its kind answer; `assumed` names these parts.

/**
 * `at` is a path in the body, or two whose values belong together (`width,height`). Types: `text`,
 * `integer` (digits in a form), `number` (the same), `pixels` ("1280x720"), `url`, `picture` (an
 * address, base64 or a data URI), `file` (of a form), `urls`, `objects` and `list` (lists), `any`.
 * @typedef {[at: string, type: string, values?: Array<string | number>]} Field
 *
 * In a template, `$name` stands for `id`, `pollId`, `model`, `prompt`, `seconds`, `size`, `ratio`,
 * `resolution` and `reason` of the task, `created` (seconds), `file` (a signed address that opens without
 * a key), `content` (the address that wants the key), or `bytes` (base64).
 * @typedef {Record<string, unknown>} Template
 *
 * @typedef {object} ServiceRecord
 * @property {string} name
 * @property {string} page address, without a scheme
 * @property {string} [dated] the page's own date
 * @property {string[]} families of the models that the page shows
 * @property {string[]} [assumed] what the page does not show
 * @property {string[]} [notes] what else the page says
 * @property {boolean} [isNewApi] the page is New API's own: each answer has its headers
 * @property {string[]} submitPaths
 * @property {string[]} pollPaths some with a query (`?id={id}`)
 * @property {boolean} hasOwnRoutes neither of the two routes: only Custom Paths reach it
 * @property {string} model of the page's example
 * @property {Array<'json' | 'form'>} encodings
 * @property {'needsForm' | 'noPrompt'} [jsonRefusal] how a service that takes forms only refuses JSON
 * @property {Partial<Record<'length' | 'ratio' | 'resolution' | 'image', Field[]>>} settings where
 *   each setting is read from; of several fields that are there, the first one counts
 * @property {{ length?: number, ratio?: string, resolution?: string }} example the example's values
 * @property {string[]} [required] instead of `model` and `prompt`
 * @property {Field[]} [others] more fields that are checked
 * @property {string[]} [forbidden] fields that are refused
 * @property {boolean} [isStrict] fields that the page does not show are refused
 * @property {string[][]} [exclusive] fields of one of these lists are refused beside those of another
 * @property {Array<{ if: Field, then: Field }>} [rules]
 * @property {'openai' | 'envelope' | 'detail'} errors
 * @property {number} [refusal] the status for a wrong field, if not 400
 * @property {'json404' | 'newApi' | 'detail' | 'html' | '405' | 'noChannel'} unknownPath
 * @property {string} [id] of a task; `$n` is what differs
 * @property {string} [pollId] the ID that polls show, if it is another one
 * @property {Template} submitted
 * @property {Record<'queued' | 'rendering' | 'done' | 'failed', Template>} poll
 * @property {{ at?: string[], content?: 'video' | 'json', contentPath?: string, lateBy?: number, toldOnce?: boolean }} file
 *   `at`: paths in the poll; `content`: what `contentPath` (without it, `/v1/videos/{id}/content`)
 *   answers with the key, after it has refused `lateBy` times; `toldOnce`: the poll forgets the task
 *   once it is told
 */

const G = {
	submitPaths: ['/v1/video/generations'],
	pollPaths: ['/v1/video/generations/{id}'],
};
const V = { submitPaths: ['/v1/videos'], pollPaths: ['/v1/videos/{id}'] };

/** Of a service that takes both from one field. */
const SIZE = { ratio: 'size pixels', resolution: 'size pixels' };

/** A template for each state; `words` are the states' in the same order. */
const states = (
	words,
	toTemplate,
	done = {},
	failed = { error: { code: 'render', message: '$reason' } },
) => {
	const names = ['queued', 'rendering', 'done', 'failed'];
	const own = [{}, {}, done, failed];
	return /** @type {ServiceRecord['poll']} */ (
		Object.fromEntries(
			names.map((name, n) => [name, toTemplate(words[n], [0, 50, 100, 100][n], own[n])]),
		)
	);
};

/** The object of OpenAI's video API. */
const flat = (status, progress = 0, more = {}) => ({
	...{ id: '$id', object: 'video', model: '$model', status, progress, created_at: '$created' },
	...more,
});
const flatWithSize = (status, progress, more) => ({
	...flat(status, progress, { seconds: '$seconds', size: '$size' }),
	...more,
});
const flatWithNulls = (status, progress, more) => ({
	...{ completed_at: null, expires_at: null, error: null, remixed_from_video_id: null },
	...flatWithSize(status, progress, more),
});
const flatWithTaskId = { ...flat('queued'), task_id: '$id' };
const COMPLETED = { completed_at: '$created', expires_at: '$created' };
const OPENAI_WORDS = ['queued', 'in_progress', 'completed', 'failed'];
const PROCESSING_WORDS = ['queued', 'processing', 'completed', 'failed'];
const RUNNING_WORDS = ['queued', 'running', 'succeeded', 'failed'];

const inData = (toTemplate) => (status, progress, more) => ({
	...{ code: 'success', message: '' },
	data: toTemplate(status, progress, more),
});

/** A task that tells no progress. */
const task = (facts) => (status, _progress, more) => ({ ...facts, status, ...more });

/** Does not name the task before it is done. */
const withoutId = (status, progress, more) => ({ status, progress, ...more });
const GOGOGO_WORDS = ['queued', 'running', 'completed', 'failed'];

/** @returns {Field} */
function toField(text) {
	const [at, type, values] = text.split(' ');
	return [at, type, values?.split(',')];
}

/** @returns {ServiceRecord} with what most services have where it says nothing */
const complete = ({ settings, others = [], rules = [], ...record }) => ({
	...{ encodings: ['json'], errors: 'openai', unknownPath: 'newApi' },
	...record,
	hasOwnRoutes: ![G, V].some(({ submitPaths: [path] }) => record.submitPaths.includes(path)),
	settings: Object.fromEntries(
		Object.entries(settings).map(([name, fields]) => [name, [fields].flat().map(toField)]),
	),
	others: others.map(toField),
	rules: rules.map((rule) => ({ if: toField(rule.if), then: toField(rule.then) })),
});

/** Fields are texts here: path, type, and values with commas between. */
const RECORDS = [
	{
		name: 'AnyFast HappyHorse',
		families: ['HappyHorse'],
		page: 'docs.anyfast.ai/guides/model-api/alibaba/happyhorse-1.0-t2v',
		notes: [
			'The settings may stand at the top level or in `parameters`, as in the example.',
			'On success, `data.fail_reason` holds the address of the file, too.',
		],
		...G,
		model: 'happyhorse-1.0-t2v',
		settings: {
			length: ['parameters.duration integer', 'duration integer'],
			ratio: ['parameters.ratio text', 'ratio text'],
			resolution: ['parameters.resolution text', 'resolution text'],
			image: ['image url', 'images urls'],
		},
		example: { length: 5, ratio: '16:9', resolution: '720p' },
		errors: 'envelope',
		submitted: flatWithTaskId,
		poll: states(
			['NOT_START', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'],
			inData((status, progress, more) => ({
				...{ task_id: '$id', status, progress: `${progress}%`, ...more },
			})),
			{ result_url: '$file', fail_reason: '$file', data: { output: { video_url: '$file' } } },
			{ fail_reason: '$reason' },
		),
		file: { at: ['data.result_url'] },
	},
	{
		name: 'APIYI Veo',
		families: ['Veo'],
		page: 'docs.apiyi.com/api-capabilities/veo-3-1-official/text-to-video',
		notes: [
			'`duration` is ignored in silence; a number in `seconds` is refused.',
			'`generateAudio` is refused. 1080p and 4k take 8 seconds only.',
			'For some seconds after the end, the file answers 400.',
		],
		...V,
		model: 'veo-3.1-fast-generate-preview',
		encodings: ['json', 'form'],
		settings: {
			length: ['metadata.durationSeconds any', 'seconds text 4,6,8'],
			ratio: ['metadata.aspectRatio text 16:9,9:16', 'size pixels'],
			resolution: ['metadata.resolution text 720p,1080p,4k', 'size pixels'],
			image: 'input_reference file',
		},
		example: { length: 8, ratio: '16:9', resolution: '720p' },
		forbidden: ['generateAudio', 'metadata.generateAudio'],
		rules: [{ if: 'metadata.resolution text 1080p,4k', then: 'seconds text 8' }],
		submitted: flatWithTaskId,
		poll: states(OPENAI_WORDS, flat, { completed_at: '$created' }, {}),
		file: { content: 'video', lateBy: 1 },
	},
	{
		name: 'CometAPI Sora',
		families: ['Sora'],
		page: 'apidoc.cometapi.com/api/video/sora-2/official/create-video',
		...V,
		model: 'sora-2',
		encodings: ['form'],
		jsonRefusal: 'needsForm',
		settings: { length: 'seconds integer', ...SIZE, image: 'input_reference file' },
		example: { length: 4, ratio: '16:9', resolution: '720p' },
		unknownPath: 'json404',
		submitted: flatWithSize('queued'),
		poll: states(OPENAI_WORDS, flatWithNulls, COMPLETED),
		file: { content: 'video' },
	},
	{
		name: 'Crazyrouter GV',
		families: ['Veo'],
		page: 'docs.crazyrouter.com/en/video/aigc-gv',
		dated: '2026-06-24',
		notes: ['A wrong route for a model surfaces as `model_not_found`.'],
		...G,
		model: 'aigc-video-gv-3.1-fast',
		settings: {
			length: 'seconds text',
			resolution: 'metadata.resolution text 720P,1080P,2K,4K',
			image: ['image url', 'metadata.image_list objects'],
		},
		example: { length: 5, resolution: '1080P' },
		errors: 'envelope',
		unknownPath: 'noChannel',
		submitted: {
			...{ id: '$id', task_id: '$id', status: 'processing', status_update_time: '$created' },
		},
		poll: states(
			['queued', 'processing', 'SUCCESS', 'failed'],
			inData(task({ id: '$id', task_id: '$id' })),
			{ result_url: '$file', artifact_url: '$file' },
		),
		file: { at: ['data.artifact_url', 'data.result_url'] },
	},
	{
		name: 'EZmodel',
		families: ['Kling'],
		page: 'doc.ezmodel.cloud/en/api/video/video-generations.html',
		notes: ['`size` is pixels or a ratio.'],
		...G,
		model: 'kling-v1',
		settings: {
			length: 'duration integer',
			ratio: 'size text',
			resolution: ['size text', 'quality text standard,hd'],
			image: 'image picture',
		},
		example: { length: 5, ratio: '16:9' },
		unknownPath: 'json404',
		submitted: { id: '$id', object: 'video.generation', created: '$created', status: 'pending' },
		poll: states(
			OPENAI_WORDS,
			task({ id: '$id', object: 'video.generation', created: '$created' }),
			{ data: [{ url: '$file' }] },
		),
		file: { at: ['data[0].url'] },
	},
	{
		name: 'GoGoGoToken (.ai)',
		families: ['Seedance'],
		page: 'docs.gogogotoken.ai/overseas/video-generations.md',
		notes: ['While a task runs, polls do not name it.'],
		...G,
		model: 'doubao-seedance-2-0-fast',
		settings: {
			length: 'seconds text',
			resolution: 'metadata.resolution text',
			image: ['images urls', 'metadata.content objects'],
		},
		example: { length: 5, resolution: '480p' },
		unknownPath: 'html',
		submitted: { id: '$id', task_id: '$id', status: 'queued', model: '$model' },
		poll: states(GOGOGO_WORDS, withoutId, {
			...{ id: '$id', output: { video_url: '$file' }, usage: { total_tokens: 1 } },
		}),
		file: { at: ['output.video_url'] },
	},
	{
		name: 'GoGoGoToken (.com)',
		families: ['Seedance'],
		page: 'docs.gogogotoken.com/openai-compatible',
		notes: ['While a task runs, polls do not name it.'],
		...V,
		model: 'doubao-seedance-2-0-fast',
		settings: { length: 'duration integer' },
		example: { length: 5 },
		unknownPath: 'html',
		submitted: { id: '$id', status: 'queued', model: '$model' },
		poll: states(GOGOGO_WORDS, withoutId, { id: '$id', usage: { total_tokens: 1 } }),
		file: { content: 'video' },
	},
	{
		name: 'Kapon Sora',
		families: ['Sora'],
		page: 'docs.kapon.cloud/openai/video-generation',
		notes: ['`size` is pixels or 16x9, 9x16. 25 seconds are for pro.'],
		...V,
		model: 'sora-2',
		encodings: ['form'],
		jsonRefusal: 'noPrompt',
		settings: {
			length: 'seconds integer 10,15,25',
			ratio: 'size text 720x1280,1280x720,16x9,9x16',
			resolution: 'size text 720x1280,1280x720,16x9,9x16',
		},
		example: { length: 10, ratio: '9:16', resolution: '720p' },
		submitted: flatWithSize('queued'),
		poll: states(PROCESSING_WORDS, flatWithSize, COMPLETED),
		file: { content: 'video' },
	},
	{
		name: 'LaoZhang Veo',
		families: ['Veo'],
		page: 'docs.laozhang.ai/en/api-capabilities/veo/veo-31-async-api',
		assumed: ['the poll'],
		notes: [
			'The ratio is in the name of the model (-landscape); models for pictures end in -fl.',
			'The page says that the route has been out of order since 2026-05-14.',
		],
		...V,
		model: 'veo-3.1',
		encodings: ['json', 'form'],
		settings: { ratio: 'model text', image: 'input_reference file' },
		example: { ratio: '16:9' },
		submitted: {
			...{ id: '$id', object: 'video', created: '$created', status: 'queued', model: '$model' },
		},
		poll: states(PROCESSING_WORDS, flat, { url: '$file' }),
		file: { at: ['url'], content: 'video' },
	},
	{
		name: 'LiteLLM',
		families: ['Sora'],
		page: 'docs.litellm.ai/docs/videos',
		notes: ['The key may also go into the header `x-litellm-api-key`.'],
		...V,
		model: 'sora-2',
		encodings: ['json', 'form'],
		settings: { length: 'seconds text', ...SIZE, image: 'input_reference file' },
		example: { length: 8, ratio: '9:16', resolution: '720p' },
		unknownPath: 'detail',
		submitted: flatWithSize('queued'),
		poll: states(PROCESSING_WORDS, flatWithNulls, COMPLETED),
		file: { content: 'video' },
	},
	{
		name: 'New API',
		families: ['Kling'],
		page: 'newapi.ai, docs, create-video-generation',
		isNewApi: true,
		notes: ['Other services repeat this page. `error` is there on success, too, with code 0.'],
		...G,
		model: 'kling-v1',
		settings: {
			length: 'duration number',
			ratio: 'width,height integer',
			resolution: 'width,height integer',
			image: 'image picture',
		},
		example: { length: 5, ratio: '16:9', resolution: '720p' },
		submitted: { task_id: '$id', status: 'queued' },
		poll: states(
			OPENAI_WORDS,
			task({ task_id: '$id', url: '', format: 'mp4', metadata: null, error: null }),
			{
				url: '$file',
				metadata: { duration: 5, fps: 24, width: 1280, height: 720, seed: 1 },
				error: { code: 0, message: '' },
			},
			{ error: { code: 500, message: '$reason' } },
		),
		file: { at: ['url'] },
	},
	{
		name: 'OctopusX',
		families: ['Kling'],
		page: 'doc.octopusx.ai/en/videos/video-generations',
		notes: ['Polls show another ID than the submit. `GET /v1/videos/{id}` also answers.'],
		...G,
		pollPaths: [...G.pollPaths, ...V.pollPaths],
		model: 'kling-v1',
		settings: {
			length: 'duration integer',
			...SIZE,
			image: ['image picture', 'images urls', 'input_reference picture'],
		},
		example: { length: 5, ratio: '16:9', resolution: '720p' },
		errors: 'envelope',
		id: 'video_task_$n',
		pollId: 'task-video-$n',
		submitted: flatWithTaskId,
		poll: states(
			['queued', 'processing', 'succeeded', 'failed'],
			inData(task({ task_id: '$pollId', url: '', format: 'mp4', metadata: null, error: null })),
			{ url: '$file' },
		),
		file: { at: ['data.url'] },
	},
	{
		name: 'OctopusX Veo',
		families: ['Veo'],
		page: 'docs.octopusx.ai/en/videos/veo/generation',
		notes: ['`video_url` and the texts of `error` are empty until they are filled.'],
		...V,
		model: 'veo_3_1-fast',
		settings: {
			length: 'seconds text',
			ratio: ['metadata.output_config.aspect_ratio text', 'size pixels'],
			resolution: ['metadata.output_config.resolution text', 'size pixels'],
			image: 'input_reference picture',
		},
		example: { length: 8, ratio: '9:16', resolution: '720p' },
		submitted: flatWithSize('queued'),
		poll: states(
			PROCESSING_WORDS,
			(status, progress, more) => ({
				...flatWithSize(status, progress, { video_url: '', error: { message: '', code: '' } }),
				...more,
			}),
			{ video_url: '$file' },
		),
		file: { at: ['video_url'], content: 'video' },
	},
	{
		name: 'OctopusX Vidu',
		families: ['Vidu'],
		page: 'docs.octopusx.ai/en/videos/vidu/vidu-generation',
		...V,
		model: 'viduq3-pro',
		encodings: ['form'],
		jsonRefusal: 'needsForm',
		settings: {
			length: 'duration integer',
			ratio: 'aspect_ratio text',
			resolution: 'resolution text',
			image: 'images file',
		},
		example: { length: 5, ratio: '16:9', resolution: '720p' },
		unknownPath: '405',
		submitted: flatWithSize('processing'),
		poll: states(['processing', 'processing', 'completed', 'failed'], flatWithSize, {
			video_url: '$file',
		}),
		file: { at: ['video_url'] },
	},
	{
		name: 'PowerTokens Seedance',
		families: ['Seedance'],
		page: 'docs.powertokens.ai/en/byteplus/video',
		notes: ['`size` is the resolution. `metadata.url` wants the key.'],
		...V,
		model: 'seedance-1-5-pro-251215',
		settings: {
			length: 'seconds text',
			ratio: 'ratio text',
			resolution: 'size text',
			image: 'image picture',
		},
		example: { length: 5, ratio: '16:9', resolution: '720p' },
		unknownPath: '405',
		submitted: { ...flat('pending'), task_id: '$id' },
		poll: states(RUNNING_WORDS, flat, {
			metadata: { url: '$content' },
		}),
		file: { at: ['metadata.url'], content: 'video' },
	},
	{
		name: 'RelayDance',
		families: ['Seedance'],
		page: 'relaydance.com/docs/video',
		...G,
		model: 'doubao-seedance-2-0-1080p',
		settings: {
			length: 'seconds text',
			ratio: 'metadata.ratio text',
			resolution: 'metadata.resolution text',
			image: 'metadata.content objects',
		},
		example: { length: 10, ratio: '16:9', resolution: '1080p' },
		unknownPath: 'json404',
		submitted: { task_id: '$id', status: 'submitted' },
		poll: states(['submitted', 'running', 'succeeded', 'failed'], task({ task_id: '$id' }), {
			url: '$file',
			format: 'mp4',
			metadata: { ratio: '$ratio', resolution: '$resolution' },
		}),
		file: { at: ['url'] },
	},
	{
		name: 'token360',
		families: ['Seedance'],
		page: 'token360.ai, docs, submit-video-generation-request',
		notes: ['`metadata` is only stored with the task.'],
		...V,
		model: 'seedance-2.0-fast',
		settings: {
			length: 'duration integer',
			ratio: 'aspect_ratio text',
			resolution: 'resolution text',
			image: ['frame_images list', 'input_references list'],
		},
		example: { length: 5, ratio: '16:9', resolution: '480p' },
		unknownPath: 'detail',
		submitted: {
			...{ id: '$id', object: 'video', status: 'queued', model: '$model', prompt: '$prompt' },
			created_at: '$created',
		},
		poll: states(OPENAI_WORDS, flat, {
			...{ url: '$file', video_url: '$file', duration: '$seconds' },
			parameters: { aspect_ratio: '$ratio', resolution: '$resolution' },
		}),
		file: { at: ['url', 'video_url'] },
	},
	{
		name: 'TokenKey',
		families: ['Veo'],
		page: 'an example program of the service',
		notes: [
			'Polls have no status in words: `done` is true at the end.',
			'The poll tells a result once, and is 404 then.',
			'**The nodes take no film out of a record**: it is rendered and billed, and they cannot bring it.',
		],
		...G,
		model: 'veo-3.1-generate-001',
		settings: { length: 'duration_seconds integer', ratio: 'aspect_ratio text' },
		example: { length: 8, ratio: '16:9' },
		errors: 'detail',
		unknownPath: 'detail',
		id: 'vt_$n',
		submitted: { task_id: '$id', status: 'pending' },
		poll: {
			queued: { name: '$id' },
			rendering: { name: '$id', done: false },
			done: {
				...{ name: '$id', done: true },
				response: { videos: [{ bytesBase64Encoded: '$bytes', mimeType: 'video/mp4' }] },
			},
			failed: { name: '$id', done: true, error: { code: 3, message: '$reason' } },
		},
		file: { at: ['response.videos[0].bytesBase64Encoded'], toldOnce: true },
	},
	{
		name: 'Vancine',
		families: ['Wan'],
		page: "examples in the site's own source",
		...G,
		pollPaths: ['/api/task/{id}'],
		model: 'wan-2.2-t2v',
		settings: { ...SIZE },
		example: { ratio: '16:9', resolution: '720p' },
		unknownPath: 'html',
		submitted: { task_id: '$id', status: 'pending' },
		poll: states(['pending', 'pending', 'succeeded', 'failed'], task({}), {
			output: { video_url: '$file' },
		}),
		file: { at: ['output.video_url'] },
	},
	{
		name: 'AI Stats',
		families: ['Sora'],
		page: 'docs.ai-stats.phaseo.app/v1/api-reference/endpoint/video-generation',
		assumed: ['the name of the length', 'the picture'],
		notes: ['`size` is refused beside `resolution` or `aspect_ratio`.'],
		...V,
		model: 'sora-2',
		settings: {
			length: ['duration integer'],
			ratio: ['aspect_ratio text', 'size pixels'],
			resolution: ['resolution text', 'size pixels'],
			image: ['input_reference picture'],
		},
		example: { length: 8, ratio: '16:9', resolution: '720p' },
		exclusive: [['size'], ['resolution', 'aspect_ratio']],
		errors: 'openai',
		unknownPath: 'json404',
		submitted: flat('pending'),
		poll: states(['pending', 'in_progress', 'completed', 'failed'], flat, {
			...{ download_url: '$file', expires_at: '$created' },
		}),
		file: { at: ['download_url'], content: 'video' },
	},
	{
		name: 'CHNLLM',
		families: ['Seedance'],
		page: 'docs.chnllm.com/api/video',
		assumed: ['the poll', 'where the file is'],
		...G,
		model: 'doubao-seedance-2-0-260128',
		settings: {
			length: ['metadata.duration integer'],
			ratio: ['metadata.ratio text'],
			resolution: ['metadata.resolution text'],
			image: ['images urls'],
		},
		example: { length: 5, ratio: '4:3', resolution: '480p' },
		errors: 'envelope',
		unknownPath: 'newApi',
		submitted: { task_id: '$id' },
		poll: states(
			['QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'],
			inData((status, _progress, more) => ({ task_id: '$id', status, ...more })),
			{ data: { content: { video_url: '$file' } } },
			{ fail_reason: '$reason' },
		),
		file: { at: ['data.data.content.video_url'] },
	},
	{
		name: 'Merge Gateway',
		families: ['Hailuo'],
		page: 'docs.merge.dev/merge-gateway/capabilities/multimodal/video-generation',
		assumed: ['the ratio', 'the poll'],
		notes: ['`size` is the resolution.'],
		...V,
		model: 'minimax/minimax-h3',
		settings: {
			length: ['seconds integer'],
			ratio: ['aspect_ratio text'],
			resolution: ['size text 768P,2K'],
		},
		example: { length: 4, ratio: '16:9', resolution: '768p' },
		errors: 'openai',
		unknownPath: 'json404',
		id: 'vid_$n',
		submitted: flat('queued'),
		poll: states(OPENAI_WORDS, flat, COMPLETED),
		file: { content: 'video' },
	},
	{
		name: 'Onetoken Sora',
		families: ['Sora'],
		page: "a page of documents in a repository of Onetoken's",
		notes: ['Sora takes `seconds` only. AIHubMix has the same API.'],
		...G,
		model: 'sora-2',
		settings: {
			length: ['seconds text 4,8,12'],
			...SIZE,
			image: ['input_reference picture'],
		},
		example: { length: 8, ratio: '16:9', resolution: '720p' },
		isStrict: true,
		errors: 'openai',
		unknownPath: 'json404',
		submitted: flatWithSize('queued'),
		poll: states(OPENAI_WORDS, flatWithSize, COMPLETED),
		file: { content: 'video', contentPath: '/v1/video/generations/{id}/content' },
	},
	{
		name: 'OpenAI',
		families: ['Sora'],
		page: 'developers.openai.com/api/reference/resources/videos',
		assumed: ['that unknown fields are refused'],
		...V,
		model: 'sora-2',
		encodings: ['json', 'form'],
		settings: {
			length: ['seconds text 4,8,12'],
			...SIZE,
			image: ['input_reference.image_url picture', 'input_reference file'],
		},
		example: { length: 4, ratio: '16:9', resolution: '720p' },
		others: ['input_reference object'],
		isStrict: true,
		errors: 'openai',
		unknownPath: 'json404',
		id: 'video_$n',
		submitted: flatWithNulls('queued'),
		poll: states(OPENAI_WORDS, flatWithNulls, COMPLETED),
		file: { content: 'video' },
	},
	{
		name: 'OpenRouter',
		families: ['Veo'],
		page: 'openrouter.ai/docs/api_reference/videos',
		notes: ['`unsigned_urls` want the key.'],
		...V,
		model: 'google/veo-3.1',
		settings: {
			length: ['duration integer'],
			ratio: ['aspect_ratio text'],
			resolution: ['resolution text'],
			image: ['frame_images objects', 'input_references objects'],
		},
		example: { length: 8, ratio: '16:9', resolution: '720p' },
		errors: 'openai',
		unknownPath: 'json404',
		id: 'job-$n',
		submitted: {
			id: '$id',
			polling_url: 'https://openrouter.ai/api/v1/videos/$id',
			status: 'pending',
		},
		poll: states(
			['pending', 'in_progress', 'completed', 'failed'],
			(status, _progress, more) => ({ id: '$id', status, ...more }),
			{ generation_id: 'gen-1', unsigned_urls: ['$content'], usage: { cost: 0.5 } },
			{ error: '$reason' },
		),
		file: { at: ['unsigned_urls[0]'], content: 'video' },
	},
	{
		name: 'UniAll Grok',
		families: ['Grok'],
		page: 'docs.uniall.ai/models/video/grok/legacy-create-video',
		assumed: ['the answers', 'where the file is'],
		notes: ['`size` is the resolution.'],
		...G,
		model: 'grok-imagine',
		settings: {
			length: ['duration integer 6,10'],
			ratio: ['aspect_ratio text'],
			resolution: ['size text 480p,720p'],
			image: ['image url'],
		},
		example: { length: 6, ratio: '9:16', resolution: '480p' },
		errors: 'detail',
		refusal: 422,
		unknownPath: 'detail',
		submitted: { id: '$id', status: 'queued' },
		poll: states(OPENAI_WORDS, flat, { video_url: '$file' }),
		file: { at: ['video_url'] },
	},
	{
		name: 'aimanyi',
		families: ['Veo'],
		page: 'doc.aimanyi.top/api-370109881.html',
		assumed: ['the answers', 'where the file is'],
		...V,
		model: 'veo_3_1',
		encodings: ['form'],
		jsonRefusal: 'noPrompt',
		settings: { length: 'seconds integer', ratio: 'size text', image: 'input_reference file' },
		example: { length: 8, ratio: '16:9' },
		id: '$model:task_$n',
		submitted: flatWithSize('queued'),
		poll: states(PROCESSING_WORDS, flat, { video_url: '$file' }),
		file: { at: ['video_url'] },
	},
	{
		name: 'AnyFast Sora',
		families: ['Sora'],
		page: 'docs.anyfast.ai/api-reference/model-api/openai/sora-2',
		assumed: ['the names of the fields in the answer of the content endpoint'],
		notes: ['The content endpoint answers JSON with an address.'],
		...V,
		model: 'sora-2',
		encodings: ['form'],
		jsonRefusal: 'needsForm',
		settings: { length: 'seconds integer', ...SIZE, image: 'input_reference file' },
		example: { length: 12, ratio: '16:9', resolution: '720p' },
		errors: 'envelope',
		submitted: flatWithSize('queued'),
		poll: states(OPENAI_WORDS, flatWithNulls, COMPLETED),
		file: { content: 'json' },
	},
	{
		name: 'KFC',
		families: ['Sora'],
		page: 'docs.kfcv50.link/api-403561243',
		assumed: ['the answer of the submit', 'the poll'],
		...V,
		model: 'sora-2',
		settings: { length: 'seconds text', ...SIZE, image: 'input_reference url' },
		example: { length: 10, ratio: '9:16', resolution: '720p' },
		unknownPath: 'html',
		submitted: flat('queued', 0, { video_url: null }),
		poll: states(
			PROCESSING_WORDS,
			(status, progress, more) => flat(status, progress, { video_url: null, ...more }),
			{ video_url: '$file' },
		),
		file: { at: ['video_url'] },
	},
	{
		name: 'Mesh API',
		families: ['Seedance'],
		page: 'developers.meshapi.ai/docs/guides/video-generation',
		assumed: ['the poll', 'where the file is', 'the model'],
		notes: ['The prompt is a text in `content`.'],
		...G,
		model: 'seedance-2.0',
		settings: {
			length: 'duration integer',
			ratio: 'ratio text',
			resolution: 'resolution text',
			image: 'content objects',
		},
		example: { length: 5, ratio: '16:9', resolution: '720p' },
		required: ['model', 'content'],
		errors: 'detail',
		refusal: 422,
		unknownPath: 'detail',
		submitted: { id: '$id' },
		poll: states(RUNNING_WORDS, task({ id: '$id', model: '$model' }), {
			content: { video_url: '$file' },
		}),
		file: { at: ['content.video_url'] },
	},
	{
		name: 'MoonApiX',
		families: ['Seedance'],
		page: 'docs.moonapix.com/api/videos/create',
		assumed: ['the model', 'the poll', 'where the file is'],
		submitPaths: [...V.submitPaths, ...G.submitPaths],
		pollPaths: [...V.pollPaths, ...G.pollPaths],
		model: 'seedance-2.0',
		settings: { image: 'references objects' },
		example: {},
		unknownPath: 'json404',
		submitted: { id: '$id', status: 'queued' },
		poll: states(PROCESSING_WORDS, flat, { video_url: '$file' }),
		file: { at: ['video_url'] },
	},
	{
		name: 'Sealink',
		families: ['Wan'],
		page: 'test.sealink.io/docs/video',
		assumed: ['the poll', 'where the file is'],
		...G,
		model: 'wan2.6-t2v',
		settings: { length: 'duration integer', ...SIZE, image: ['image picture', 'image_url url'] },
		example: { length: 5, ratio: '16:9', resolution: '720p' },
		unknownPath: '405',
		submitted: { id: '$id', status: 'queued' },
		poll: states(RUNNING_WORDS, task({ id: '$id' }), { url: '$file' }),
		file: { at: ['url'] },
	},
	{
		name: 'APIYI Seedance',
		families: ['Seedance'],
		page: 'docs.apiyi.com, Seedance',
		assumed: ['the settings', 'the model'],
		notes: ['The prompt is a text in `content`.'],
		submitPaths: ['/seedance/api/v3/contents/generations/tasks'],
		pollPaths: ['/seedance/api/v3/contents/generations/tasks/{id}'],
		model: 'seedance-2.0',
		settings: {
			length: 'duration integer',
			ratio: 'ratio text',
			resolution: 'resolution text',
			image: 'content objects',
		},
		example: { length: 5, ratio: '16:9', resolution: '720p' },
		required: ['model', 'content'],
		id: 'cgt-$n',
		submitted: { id: '$id' },
		poll: states(RUNNING_WORDS, task({ id: '$id', model: '$model' }), {
			content: { video_url: '$file' },
		}),
		file: { at: ['content.video_url'] },
	},
	{
		name: 'Crazyrouter (unified)',
		families: ['Veo'],
		page: 'docs.crazyrouter.com, video/create',
		assumed: ['the model'],
		notes: ['OctopusX has the same path.'],
		submitPaths: ['/v1/video/create'],
		pollPaths: ['/v1/video/query?id={id}'],
		model: 'veo3.1',
		settings: { ratio: 'aspect_ratio text', image: 'images urls' },
		example: { ratio: '16:9' },
		errors: 'envelope',
		submitted: { id: '$id', status: 'pending', status_update_time: '$created' },
		poll: states(
			['pending', 'processing', 'completed', 'failed'],
			(status, _progress, more) => ({ id: '$id', status, video_url: null, ...more }),
			{ video_url: '$file' },
		),
		file: { at: ['video_url'] },
	},
	{
		name: 'Qiniu',
		families: ['Veo'],
		page: 'developer.qiniu.com, video generations',
		assumed: ['the settings', 'the model', 'the answer of the submit'],
		submitPaths: ['/v1/videos/generations'],
		pollPaths: ['/v1/videos/generations/{id}'],
		model: 'veo-3.1-generate-preview',
		settings: { length: 'duration integer', ratio: 'aspect_ratio text' },
		example: { length: 8, ratio: '16:9' },
		unknownPath: 'json404',
		submitted: { id: '$id' },
		poll: states(['Initializing', 'InProgress', 'Completed', 'Failed'], task({ id: '$id' }), {
			data: { videos: [{ url: '$file' }] },
		}),
		file: { at: ['data.videos[0].url'] },
	},
	{
		name: 'UniAll',
		families: ['Veo'],
		page: 'the pages of UniAll',
		assumed: ['the model', 'the answer of the submit'],
		notes: ['`size` is the resolution. Another page polls at `GET /v1/videos/generations/{id}`.'],
		submitPaths: ['/v1/videos/generations'],
		pollPaths: ['/v1/videos/{id}', '/v1/videos/generations/{id}'],
		model: 'veo-3.1',
		settings: { length: 'duration integer', ratio: 'aspect_ratio text', resolution: 'size text' },
		example: { length: 5, ratio: '16:9', resolution: '720p' },
		unknownPath: 'detail',
		submitted: { id: '$id', status: 'queued' },
		poll: states(OPENAI_WORDS, flat, {
			...{ video_url: '$file', result: { video_url: '$file', outputs: ['$file'] } },
		}),
		file: { at: ['video_url', 'result.video_url', 'result.outputs[0]'] },
	},
	{
		name: 'WengaoCloud',
		families: ['Seedance'],
		page: 'the pages of WengaoCloud',
		assumed: ['the settings', 'the model', 'where the file is'],
		submitPaths: ['/v1/videos/generations'],
		pollPaths: ['/v1/videos/generations/{id}'],
		model: 'seedance-2.0',
		settings: { length: 'duration integer', resolution: 'resolution text' },
		example: { length: 5, resolution: '720p' },
		unknownPath: 'html',
		submitted: { id: '$id', status: 'queued' },
		poll: states(RUNNING_WORDS, task({ id: '$id' }), { result: { video_url: '$file' } }),
		file: { at: ['result.video_url'] },
	},
].map(complete);

module.exports = { RECORDS };
