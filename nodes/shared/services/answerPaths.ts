import type { Billed } from '../failure/failure';

// Where services write what their answers say: a row for each path or word, with the service whose page
// shows it. A path of an answer may begin at its root or at the record inside of it (`ROOTS`).

/** Where a task's record stands in an answer, in the order in which a state is looked for. */
export const ROOTS = [
	'data', // New API, Crazyrouter, kie
	'output', // DashScope
	'detail', // relays of Sora
	'', // OpenAI, the answer itself
];

/** A state in words; kie's older Veo has a number in `successFlag`, Google's operation `done`. */
export const STATUS_PATHS = ['status', 'task_status', 'state']; // New API; Kling, DashScope; kie, Luma

/** The ID of a task in the answer to its submit. */
export const ID_PATHS = [
	'task_id', // contract, New API, Crazyrouter
	'taskId', // forks in camel case
	'data.task_id', // Kling
	'data.taskId', // kie
	'output.task_id', // DashScope
	'id', // OpenAI, Replicate, Runway
	'data.id', // WaveSpeed
	'data.video_id', // HeyGen
];
/** The same, where the answer has neither of these nor a code: beside a code, it is the request's. */
export const OTHER_ID_PATHS = [
	'request_id', // fal, xAI
	'name', // Google's operation
];

/** The address of a video: a text, the `url` of an object, or the first of a list. */
export const VIDEO_PATHS = [
	'result_url', // contract, New API
	'video_url', // OctopusX, token360
	'url', // New API's page, RelayDance
	'artifact_url', // Crazyrouter
	'download_url', // MiniMax
	'fail_reason', // AnyFast puts the address there, too
	'output.video_url', // GoGoGoToken, Vancine
	'output.url', // GoGoGoToken
	'output', // Replicate
	'metadata.url', // PowerTokens, New API by /v1/videos
	'content.video_url', // Ark, APIYI Seedance
	'content.0.url', // Ark
	'video.url', // xAI, fal
	'unsigned_urls.0', // OpenRouter
	'data.0.url', // EZmodel
	'data.videos.0.url', // Qiniu
	'task_result.videos.0.url', // Kling
	'data.content.video_url', // New API's copy of Ark's record
	'data.output.video_url', // New API's copy of DashScope's record, AnyFast
	'result.video_url', // UniAll
	'response.resultUrls.0', // kie, newer records and older Veo
	'resultJson.resultUrls.0', // kie, JSON in a text
	'videoInfo.videoUrl', // kie's Runway
	'outputs', // WaveSpeed
	'output.works.0.video.resource_without_watermark', // PiAPI's Kling
	'output.works.0.video.resource',
];

/** The same of all files, where a service has models that make anything: the first path that has one counts. */
export const FILE_PATHS = [
	// Of 4K, beside `origin_urls`, which are smaller (its page, 2026-10-08).
	'resultJson.data.result_urls', // kie's Veo above 720p
	...VIDEO_PATHS,
	// fal's models in its client of 2026-08-02, most with `url` inside; in brackets, how many.
	'video', // (7 have a list) mirelo, bria, pixelcut
	'preview_video', // (2)
	'output.video', // its workflows; Replicate
	'images', // (478)
	'image', // (98)
	'audio', // (115)
	'audio_file', // (4) CassetteAI, stable-audio, deepfilternet3
	'audio_url', // (1) f5-tts
	'output.images', // its workflows
	'output.image',
	'output.audio', // its workflows; Replicate
	'output.wav', // Replicate (riffusion and the like)
	'output.0.image', // Replicate
	'resultJson.data.0.audio_url', // kie's Suno; its clients spell it in two ways (2026-10)
	'resultJson.sunoData.0.audioUrl',
];

/** A text that a model has made, inside of what it has made. */
export const TEXT_PATHS = [
	'', // Replicate, WaveSpeed
	'output', // fal's models that look at images, and write
	'text', // fal's that listen
	'results', // fal's florence-2
	'outputs', // fal's got-ocr, moondream: one for each image
	'transcription', // Replicate's whisper; fal's auto-subtitle, beside the video
	'resultObject.text', // kie's ElevenLabs
	'0.text', // WaveSpeed's Whisper with timestamps
];
/** The same, only if there is nothing else: elsewhere, it is the prompt that was sent. */
export const LONE_TEXT_PATHS = ['prompt']; // fal's video-prompt-generator

/** Fields that repeat a file that was sent: fal's ffmpeg-api/metadata, Replicate's clip-features. */
export const ECHOES = ['media', 'input'];

/** Fields beside a file that say no more than how it was made: those of fal (fal-js 1.10, 2026-08). */
export const ASIDES =
	/prompt$|nsfw|^(seed|timings|usage\w*|finish_reason|request_id|content_type|sample_rate|target_lang)$/;

/** A picture of the last frame. */
export const LAST_FRAME_PATHS = [
	'content.last_frame_url', // Ark
	'data.content.last_frame_url', // New API's copy of it
	'resultJson.lastFrameUrl.0', // kie's Seedance
	'resultJson.lastFrameUrl',
];

/** What a record says that a render has cost, in a unit of the service's own. */
export const COST_PATHS = {
	creditsConsumed: 'credits', // kie
	billable_units: 'billable units', // fal, from a header
	'usage.cost': 'USD', // OpenRouter
	'cost.credits': 'credits', // Runway
};

/** Why a task has failed. */
export const REASON_PATHS = [
	'fail_reason', // contract, New API
	'error.message', // OpenAI, Google
	'error', // Replicate, OpenRouter
	'error_message',
	'errorMessage', // kie's older Veo
	'failMsg', // kie
	'failure', // Runway
	'failure_reason', // Luma
	'failure_message', // HeyGen
	'task_status_msg', // Kling
	'message', // DashScope
	'url', // New API, for Veo that has failed
	'result_url', // older versions of New API
];

/** The code of a task that has failed. */
export const FAIL_CODE_PATHS = [
	'error_type', // fal
	'failCode', // kie
	'failureCode', // Runway
	'error.code', // OpenAI, Ark
	'data.error.code', // New API's copy of Ark's record
	'code', // WaveSpeed
];
/** The same in words: "Director: unexpected error (E9828)", "please retry (code: PA)" (Replicate; kie repeats its words). */
export const FAIL_CODE_WORDS = /\((?:code: )?(PA|E\d{3,4})\)/;

/** Why Google's filter kept a video back, although the task is done. */
export const FILTER_PATHS = [
	'data.response.raiMediaFilteredReasons', // New API's copy of Vertex's record
	'data.response.generateVideoResponse.raiMediaFilteredReasons', // and of Gemini's
	'response.raiMediaFilteredReasons',
	'response.generateVideoResponse.raiMediaFilteredReasons',
];

interface State {
	end?: 'done' | 'failed';
	billed: Billed;
	/** In lower case, without blanks, `-` and `_`. Any other word means that the render goes on. */
	words: string[];
}

/** The states of a task in the contract's four words, and the words of services. A further one is a row. */
export const STATES = {
	queued: {
		billed: 'yes',
		words: [
			...['queued', 'notstart', 'submitted', 'pending', 'unknown'], // New API, RelayDance
			...['inqueue', 'queuing', 'queueing', 'waiting'], // fal, kie, MiniMax
			...['preparing', 'created', 'starting', 'throttled'], // MiniMax, WaveSpeed, Replicate, Runway
			'staged', // PiAPI
		],
	},
	IN_PROGRESS: {
		billed: 'yes',
		words: [
			...['inprogress', 'processing', 'running', 'generating', 'rendering'], // New API, OpenAI, kie
			...['dreaming', 'active'], // Luma
			'requirescontinuation', // Google
		],
	},
	SUCCESS: {
		end: 'done',
		billed: 'yes',
		words: [
			...['success', 'succeeded', 'completed'], // New API, RelayDance, OpenAI
			...['succeed', 'done', 'finished'], // Kling, Jimeng
		],
	},
	FAILURE: {
		end: 'failed',
		billed: 'unknown', // No record says whether it is refunded.
		words: [
			...['failure', 'failed', 'fail', 'error'], // New API, OpenAI, kie, relays (ArcReel#1888)
			...['cancelled', 'canceled', 'expired', 'aborted'], // PowerTokens, DashScope, Replicate
			...['timeout', 'deleted'], // WaveSpeed
			'timedout', // Runpod
			...['incomplete', 'budgetexceeded', 'requiresaction'], // Google
		],
	},
} satisfies Record<string, State>;
export type TaskStatus = keyof typeof STATES;

/** Returns how a task has ended; `undefined` if it has not, or nobody knows. */
export const endOf = (status: unknown): State['end'] =>
	(STATES as Record<string, State | undefined>)[String(status)]?.end;

/** A task is billed when it is submitted. */
export const toBilled = (status?: TaskStatus): Billed => (status ? STATES[status].billed : 'yes');

/** By the number of `successFlag` (kie's older Veo). */
export const FLAG_STATUSES: TaskStatus[] = ['IN_PROGRESS', 'SUCCESS', 'FAILURE', 'FAILURE'];
