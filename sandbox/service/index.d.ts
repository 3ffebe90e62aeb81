/** A change of how the ordinary answer travels, or an answer of its own. */
export interface LiteralAnswer {
	/** A named fault to start from; the other keys are laid over it. */
	fault?: string;
	status?: number;
	json?: unknown;
	text?: string;
	html?: string;
	headers?: Record<string, string>;
	/** Milliseconds before the answer starts. */
	delayMs?: number;
	/** Submit only: the task is created and charged whatever the answer says. */
	accept?: boolean;
	cutAfterBytes?: number;
	stallAfterBytes?: number;
	noLength?: boolean;
	closeDelimited?: boolean;
	socket?: 'reset' | 'hang';
	redirect?: 301 | 302 | 303 | 307 | 308;
	/** `foreign`, `self`, `otherPort`, `loop` or an address. */
	to?: string;
	hops?: number;
	/** Downloads only: a Range request is answered with the whole file. */
	ignoreRange?: boolean;
	/** Milliseconds after each piece of the body, of 64 KiB at most. */
	pieceDelayMs?: number;
}

/** `"ok"`, the name of a fault, a literal answer, or one of these for ever. */
export type Entry = string | LiteralAnswer | { always: string | LiteralAnswer };
export type Entries = Entry | Entry[];

export type TaskStatus = 'queued' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE';
export type Shape = 'documented' | 'vendor' | 'vendorFlat' | 'flat' | 'oldest';

/** The JSON object behind `sandbox:` in a prompt. */
export interface Plan {
	renderMs?: number;
	queuedMs?: number;
	notExistMs?: number;
	notCompletedMs?: number;
	outcome?: 'SUCCESS' | 'FAILURE' | 'never' | 'filtered';
	/** `null`: the field is absent. */
	failReason?: string | null;
	shape?: Shape | Shape[];
	words?: Partial<Record<TaskStatus, unknown>>;
	progress?: 'string' | 'number' | 'absent' | 'falling';
	idOnly?: boolean;
	idLength?: number;
	oddId?: boolean;
	/** `content`, `localhost`, `foreign`, `none` or any text. */
	resultUrl?: string;
	video?: string;
	sizeBytes?: number;
	range?: boolean;
	/** With its quotes, as it stands in the header. */
	etag?: string;
	lastModified?: string;
	submit?: Entries;
	poll?: Entries;
	content?: Entries;
	text?: Entries;
	/** What a model calls, turn by turn; `told:NAME` in `args` is what a tool has answered. */
	calls?: Array<Array<{ name: string; args?: Record<string, unknown> }>>;
	says?: string;
	blocked?: boolean | string;
	finishReason?: string;
	noParts?: boolean;
	thoughts?: boolean | string;
	image?: boolean;
	candidates?: number;
	nullUsage?: boolean;
	chunks?: number;
	chunkDelayMs?: number;
	errorAfterChunks?: number;
	holdAfterChunks?: number;
	keepAlive?: boolean;
	pieceBytes?: number;
	streamForm?: 'array' | 'lines' | 'object' | 'sse';
}

/** What differs from one deployment to the next; changeable at run time. */
export interface Deployment {
	/** Milliseconds from submit to the end of a render; default 3000. */
	renderMs: number;
	/** The states of tasks are looked at only every so many milliseconds; default 0. */
	refreshMs: number;
	/** Milliseconds added to every answer; default 0. */
	latencyMs: number;
	/** `false`: 404; an entry: that answer. */
	listings: boolean | Entry;
	/** Whether the native listing says `models/<name>` (default) or the bare name. */
	modelPrefix: boolean;
	models: { video: string[]; text: string[] };
	/** Unknown paths outside /v1 and /v1beta answer 200 with an HTML page (default). */
	unknownPages: boolean;
	notFoundShape: 'gateway' | 'business' | 'html' | 'empty';
	/** Larger bodies get a proxy's HTML 413; default 32 MiB. */
	bodyLimitBytes: number;
	/** Signed addresses refuse requests with an Authorization header (default). */
	foreignRefusesAuthorization: boolean;
	/** An entry that every address answers; `null` (default): none. */
	outage: Entry | null;
	/** The plan of every prompt; what a prompt says itself goes before it. */
	plan: Plan;
}

export type DeploymentChanges = Partial<Omit<Deployment, 'models'>> & {
	models?: Partial<Deployment['models']>;
};

/** A base64 text over 1 kB: its length and hash as it was sent. */
export interface ShortenedText {
	length: number;
	sha256: string;
}

/** The JSON that was sent, whole: also the fields that the service drops. */
export interface RequestBody {
	model?: string;
	prompt?: string;
	image?: string | ShortenedText;
	metadata?: Record<string, unknown>;
	contents?: Array<{ role?: string; parts: Array<Record<string, unknown>> }>;
	[field: string]: unknown;
}

export interface RequestRecord {
	n: number;
	/** Milliseconds since 1970. */
	at: number;
	origin: 'service' | 'foreign';
	method: string;
	url: string;
	path: string;
	query: Record<string, string | string[]>;
	headers: Record<string, string | string[] | undefined>;
	/** Parsed; a text where it was no JSON, `undefined` where there was none. */
	body: RequestBody | undefined;
	taskId: string | undefined;
	/** What was answered; `null` where nothing was, or the answer was cut. */
	status: number | null;
	/** The credential that the service read on this address. */
	key: 'bearer' | 'header' | 'query' | 'none';
	/** The client went away before it had the whole answer. */
	aborted: boolean;
	/** Bytes of body that were written. */
	sentBytes: number;
}

export interface SandboxTask {
	task_id: string;
	at: number;
	key: string;
	model: string;
	/** The whole prompt, with its plan. */
	prompt: string;
	/** The fields that the service read. */
	request: Record<string, unknown>;
	/** Top-level fields that were sent and dropped in silence. */
	dropped: string[];
	plan: Plan;
	mode: 'text-to-video' | 'image-to-video';
	/** The length that is billed. */
	seconds: number;
	video: string;
	renderMs: number;
	polls: number;
	downloads: number;
	successSaidAt: number | undefined;
	status: TaskStatus;
}

export interface RequestFilter {
	origin?: 'service' | 'foreign';
	method?: string;
	/** The start of the path, or a pattern. */
	path?: string | RegExp;
	taskId?: string;
	status?: number | null;
}

export interface SandboxOptions extends DeploymentChanges {
	/** 0 (default): any free port. */
	port?: number;
	foreignPort?: number;
	/** The name by which addresses call the storage host; default `localhost`. */
	foreignHost?: string;
	/** The good key; default `sandbox-key`. */
	key?: string;
	/** Speaks https, with a certificate that it makes itself; default false. */
	https?: boolean;
	/** The same for the storage host. */
	foreignHttps?: boolean;
	/** Called with each record once its answer has ended. */
	logger?: false | ((record: RequestRecord) => void);
}

export interface Sandbox {
	url: string;
	foreignUrl: string;
	/** What a client has to trust where https is spoken, as PEM. */
	certificate: string | undefined;
	/** Always the same array; `reset` empties it. */
	requests: RequestRecord[];
	/** Every task that was really created, and so charged. */
	tasks(): SandboxTask[];
	count(filter?: RequestFilter): number;
	submissions(): RequestRecord[];
	polls(taskId?: string): RequestRecord[];
	set(changes: DeploymentChanges): Deployment;
	/** Lets streams go on that `holdAfterChunks` holds. */
	release(): void;
	reset(): void;
	/** Ends open connections at once. */
	close(): Promise<void>;
}

export function createSandbox(options?: SandboxOptions): Promise<Sandbox>;
