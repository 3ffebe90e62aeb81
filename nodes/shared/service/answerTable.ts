// Where services write what their answers say, as their pages show it: data alone, a row per fact.
// `answerReader.ts`, `videoTask.ts` and `serviceWords.ts` read answers by it, of whatever service.

/** The fields of a state in words. */
export const STATUS_FIELDS = [
	'status', // New API, OpenAI
	'task_status', // Kling, DashScope
	'taskStatus', // forks in camel case
	'state', // Luma
];
/** Other names of it, by their meaning. */
export const STATUS_FIELD = /^((task|job|video|generation|render)_?)?(status|state)$/i;

/** A field of numbers in place of it, and the words for them. */
export const FLAG_FIELD = 'successFlag'; // KIE
export const FLAG_WORDS = ['running', 'done', 'failed', 'failed'];

/** The field of an operation that has none: true at the end, whatever the end. */
export const DONE_FIELD = 'done'; // TokenKey, Google

/** The field of its name, and what names it before `done` is there. */
export const OPERATION_FIELD = 'name'; // TokenKey
export const OPERATION = /\boperations\//; // Google

/** What stands before the word, as in TASK_STATUS_SUCCEED (Novita), without signs. */
export const STATUS_PREFIX = /^(task|job|video)?(status|state)(?=.)/;

/** The states of a task, in the contract's four words. */
export const TASK_STATUSES = ['queued', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Words before a state that say of what it is. */
const OF =
	/^(?:video|task|job|state|status|render(?:ing)?|generat(?:e|ion)|content|request|moderation|safety|任务|视频|内容|渲染|生成|处理|执行|合成|制作|审核|已){0,4}/
		.source;

/** Without those of what goes before it. */
const OF_RESULT = OF.replace(/\|(request|moderation|safety|审核)(?=\|)/g, '');

/** The words, as they are written, of stages: a film may be made larger then, or be rendered again. */
export const STAGE = /^video_(generation|upsampling)_(completed|failed)$/; // VectorEngine, Onetoken

/**
 * The words of each state, in lower case and without blanks, `-` and `_`; the first that matches counts.
 * Any other word means that the render goes on.
 */
export const STATUS_WORDS: ReadonlyArray<[TaskStatus, RegExp]> = [
	// New API, RelayDance, PowerTokens, Azure, fal, Jimeng, MiniMax, Runway, and by their meaning
	['queued', /^((in|en)?queued?|queue?ing|notstart(ed)?|unknown|submitted|pending)?$/],
	['queued', /^(preparing|scheduled|throttled|waiting|accepted|created|received|initializing)$/],
	['queued', /^(排队|等待)中?$|^待处理$|^已提交$/],
	// OpenAI, Ark, New API, Kling, xAI, PixVerse, and by their meaning
	['SUCCESS', new RegExp(`${OF_RESULT}(succe(ss|ssful|ed|eded)|completed?|finish(ed)?)$`)],
	[
		'SUCCESS',
		new RegExp(`${OF_RESULT}(done|ready|available|generated|rendered|processed|完成|成功|已生成)$`),
	],
	// OpenAI, New API, MiniMax, PowerTokens, OctopusX, DashScope, Replicate, Black Forest Labs, Azure
	['FAILURE', new RegExp(`${OF}(fail(ed|ure)?|error(ed)?|reject(ed)?|denied|block(ed)?|nsfw)$`)],
	['FAILURE', new RegExp(`${OF}(cancell?ed|abort(ed)?|terminated|timed?out|expired)$`)],
	['FAILURE', new RegExp(`${OF}(moderated|filtered|失败|错误|取消|超时|拒绝|违规|[不未]通过)$`)],
	// New API, OpenAI, Replicate, Luma, and by their meaning
	['IN_PROGRESS', /ing$|中$|^(inprogress|started|active)$/],
];

/** Words, in the same writing, that may be about the request alone, and not about a task. */
export const OF_REQUEST =
	/^(ok|okay|true|false|yes|no|\d+|blocked)$|error|fail$|invalid|denied|reject|refus|unauthor|forbidden|badrequest|notfound|unavailable|exhausted|exceeded/;

/** What may be around a task, as an object or a list of these. */
export const ENVELOPES = [
	...['data', 'output', 'outputs', 'response'], // New API, GoGoGoToken, DashScope, Google
	'generateVideoResponse', // Google
	...['task', 'tasks', 'video', 'videos', 'generation', 'generations'], // HeyGen, Luma, Leonardo
	...['prediction', 'operation'], // by their meaning
	...['result', 'results', 'job', 'record', 'item', 'items'], // UniAll, by meaning
];

/** The fields of a task's ID; they win over `id`, which may be that of the request. */
export const TASK_ID_FIELDS = ['task_id', 'taskId'];

/** The fields of a task's ID where there is neither of those nor an `id`. */
export const OTHER_ID_FIELDS = [
	...['video_id', 'videoId'], // HeyGen, PixVerse
	...['prediction_id', 'predictionId'], // WaveSpeed
	...['generation_id', 'generationId'], // Leonardo, AIML
	...['job_id', 'jobId', 'uuid', '_id', 'tid', 'taskNo', 'task_no'], // by their meaning
	...['render_id', 'renderId', 'run_id', 'runId'], // by their meaning
];

/** The fields that are the task's ID itself in an answer that has no other. */
export const TEXT_ID_FIELDS = ['task', 'data', 'result', 'task_ids']; // Suno and Midjourney in New API
/** What such a text looks like: no word, and no sentence. */
export const LIKE_ID = /^(?=.*\d)[\w:.-]{8,200}$/;

/** The same, but only of an answer without a code, where it would be that of the request. */
export const REQUEST_ID_FIELDS = ['request_id', 'requestId']; // xAI, fal

/** Words around an ID that some services add, or leave out, from one answer to the other. */
export const ID_WORDS = /^(video|task|vid|job|gen|generation)[-_]+|[-_]+(video|task|job)$/i; // OctopusX

/** The fields of the video's address, the first one that has an address wins. */
export const FILE_FIELDS = [
	...['result_url', 'resultUrl'], // New API, AnyFast, Crazyrouter
	...['output_url', 'outputUrl', 'output_video_url'], // by their meaning
	'url', // New API's page, RelayDance, token360, OctopusX; EZmodel in `data`
	...['video_url', 'videoUrl'], // OctopusX Veo, GoGoGoToken in `output`, AnyFast
	...['artifact_url', 'artifactUrl'], // Crazyrouter
	...['download_url', 'downloadUrl'], // MiniMax in `file`
	'uri', // Google
];

/** A field of a reason, in which some put the address of a film that is done. */
export const REASON_WITH_FILE = 'fail_reason'; // AnyFast

/** Fields of other names that hold an address: those that end so, unless they are another file's. */
export const FILE_ENDING = /(_url|Url)$/;
/** Words of other files, of what a video was made from, and of addresses that are no files. */
const OTHER_FILES = [
	'image|img|cover|thumb|poster|preview|still|snapshot|screenshot|storyboard|sprite|gif|banner',
	'picture|photo|frame|avatar|icon|logo|mask|audio|music|voice|sound|speech|subtitle|caption',
	'tail|face|subject|style|character|control|driving|prompt|input|(?<!re)source|ref(?!in)|origin',
	'callback|hook|notify|status|poll|query|fetch|response|request|cancel|delete|task|log|self',
	'(?<!without_?)water_?mark',
	'doc|help|page|web(?!m)|site|dashboard|console|share|api|base|(^|_)get_',
];
/** Words that are also in others ("rendered", "oldest") count between underscores alone. */
const OTHER_FILE_WORDS = [
	'init|src|pose|target|template|material|driver|start|end|first|last|prev|old|motion|guide|sample',
	'seed|trailer|tutorial|demo|garment|human|person|product|model|lora|user|author|pic|background|edit|upload',
	'bgm|tts|narration|song|track|lyrics|speaker|transcript|vtt',
	'orig|root|teaser|intro|promo|client|customer|uploaded|initial|performance|placeholder|loading|draft|proxy|progress',
	'view|report|invoice|qr|qrcode|pay|billing|json|manifest',
];
export const NO_FILE_FIELD = new RegExp(
	`${OTHER_FILES.join('|')}|(^|_)(${OTHER_FILE_WORDS.join('|')})_|^(teaser|trailer|intro|promo|demo|tutorial)$`,
	'i',
);
/** Of these, the ones that may be the video's own, if there is no other. */
export const LAST_RESORT = /water_?mark|^share_?(url|link)$|(share|task|origin(al)?)_?video/i;

/** Where the address is, as a text, an object or a list of these, below the record. */
export const FILE_PLACES = [
	...['output', 'outputs'], // GoGoGoToken, Replicate
	'data', // EZmodel, New API's copy of the vendor's answer
	...['video', 'videos', 'creations', 'generations'], // xAI, Kling, Vidu, Luma
	...['result', 'results', 'task_result', 'taskResult'], // UniAll, Kling
	...['video_result', 'videoResult', 'detail', 'details'], // Zhipu, GeekAI; relays of Sora
	...['response', 'generateVideoResponse', 'generatedSamples', 'generatedVideos'], // Google
	...['unsigned_urls', 'urls'], // OpenRouter
	...['outcome', 'media_urls'], // GMI Cloud
	...['file', 'files', 'assets'], // MiniMax, Luma
	'content', // APIYI Seedance, Ark
	'metadata', // PowerTokens
];
/** Of these, the ones that may also repeat the request. */
export const ECHO_PLACES = ['content', 'metadata'];
/** Of these, the ones of results alone. */
export const MADE_PLACES = FILE_PLACES.filter((name) =>
	/^(output|creation|asset|.*result)/i.test(name),
);
/** Names of lists of results, whatever else they say. */
export const MADE_LIST = /result|output|generat|creat|download|work/i; // KIE, Kling
/** Names that a record may have from the request, too: what stands in a place of results goes before. */
export const ECHO_FILES = ['video_url', 'videoUrl', 'video', 'videos'];

/** Where an object beside the video says what it is, and what it says; `image_to_video` makes a video. */
export const KIND_FIELD =
	/^((content|media|mime|file|asset|resource)_?)?type$|^(role|kind|mime|format|ext|category|label|usage|purpose|variant|quality|direction|tag|stage)$/i;
export const OTHER_KIND =
	/^(?!.*(to|2)[-_ ]?v)(image|img|audio|picture|cover|thumb|poster|preview|draft|proxy|placeholder|teaser|trailer|intro|sample|depth|control|driving|still|snapshot|screenshot|storyboard|sprite|mask|text|input|source|user|reference|(first|last|start|end|source)[-_](frame|clip)|gif|png|jpe?g|webp|music|bgm|sound|voice|speech|subtitle|caption|json|application\/json)/i;

/** Paths of addresses that are no videos. */
export const OTHER_PATH =
	/\.(jpe?g|png|webp|gif|bmp|avif|svg|mp3|wav|m4a|aac|srt|vtt|html?|zip|json|txt)$/i;

/** What repeats the request, and so may have the address of another video. */
export const OF_ECHO =
	/param|prompt|setting|config|argument|option|payload|parent|previous|before|remix|relat|recommend|example|gallery|trend|latest|similar|sibling|event|step|histor|extend|continu|(^|_)prior_|(^|_)from_|^(req|args|spec|instances|news|notice|announcements?|ads|account|context|properties|extra(_body)?)$/i;

/** By what an address in any other place is taken for a video's: the end of its path, or its name. */
export const VIDEO_PATH = /\.(mp4|m4v|mov|webm|mkv)$/i;
export const VIDEO_NAME = /video|film|movie|mp4|result|download/i;

/** The fields of a video inside the record, as base64. */
export const BYTES_FIELDS = ['bytesBase64Encoded', 'videoBytes', 'b64_json']; // TokenKey, Google, OpenAI

/** The fields of an error, which is an object with words and a code, or a text. */
export const ERROR_FIELDS = ['error']; // New API, OpenAI, Google

/** The fields of why there is no video, in the order in which they are believed. */
export const REASON_FIELDS = [
	...['fail_reason', 'failReason'], // New API, AnyFast
	...['failure_reason', 'failureReason', 'failure'], // Luma, Runway
	...ERROR_FIELDS,
	...['error_message', 'errorMessage', 'err_msg', 'task_status_msg'], // by their meaning, Kling
	'failMsg', // KIE
	'raiMediaFilteredReasons', // Google
];

/** Fields that may say it, too, or how a request went. */
export const MESSAGE_FIELDS = ['reason', 'detail', 'message', 'msg']; // Mesh API (FastAPI), by meaning

/** What messages say of a request that went well. */
export const NO_REASON =
	/^((the )?(request|query|operation) )?(success\w*|succe\w*|ok)[.!]?$|^(操作|请求|查询)?成功$|^https?:\/\//i;

/** The fields of a code beside them. */
export const CODE_FIELDS = [
	...['code', 'error_code', 'errorCode'],
	...['failure_code', 'failureCode', 'failCode', 'err_code'], // xAI, Runway, KIE, Vidu
];

/** Codes of a filter, in lower case and without signs. */
export const FILTER_CODE =
	/moderat|content(policy|filter|violation)|policyviolation|safety|sensitive|nsfw|datainspection|raimedia|(prohibited|unsafe|inappropriate)content|riskcontrol/;

/** Fields that tell, each by itself, of a filter that kept a video back. */
export const FILTER_SIGNS: ReadonlyArray<[field: string, says: (value: unknown) => boolean]> = [
	['respect_moderation', (value) => value === false], // xAI, beside the video
	['raiMediaFilteredCount', (value) => Number(value) > 0], // Google
	['raiMediaFilteredReasons', (value) => Array.isArray(value) && value.length > 0], // Google
];

/** What a filter says, if no code tells. */
export const FILTER_WORDS =
	/content[ _-]?(policy|polic|filter|moderation)|moderation[ _-]?(blocked|failed|system)|blocked by .{0,40}(filter|moderation|safety|policy)|safety (system|filter|check|polic|reason|guideline)|(usage|community) (policy|policies|guidelines)(?!.{0,80}(quota|exceed))|sensitive (content|word|info|material)|nsfw|(prohibited|unsafe|inappropriate)[ _-]content|内容审核|审核[不未]通过|敏感|违规|违禁|不合规|风控/i;
