/** A change of how the ordinary answer travels, or an answer of its own: docs/sandbox-service.md. */
export interface LiteralAnswer {
	/** A named fault to start from; the other keys are laid over it. */
	fault?: string;
	status?: number;
	json?: unknown;
	text?: string;
	html?: string;
	headers?: Record<string, string>;
	[key: string]: unknown;
}

/** `"ok"`, the name of a fault, a literal answer, or one of these for ever. */
export type Entry = string | LiteralAnswer | { always: string | LiteralAnswer };
export type Entries = Entry | Entry[];

/** The JSON object behind `sandbox:` in a prompt. The sandbox refuses a key that it does not know. */
export interface Plan {
	renderMs?: number;
	sizeBytes?: number;
	etag?: string;
	lastModified?: string;
	shape?: string | string[];
	envelope?: string;
	submit?: Entries;
	poll?: Entries;
	content?: Entries;
	text?: Entries;
	[key: string]: unknown;
}

export type TaskStatus = 'queued' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE';

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

export interface RequestFilter extends Partial<
	Pick<RequestRecord, 'origin' | 'method' | 'status'>
> {
	/** The start of the path, or a pattern. */
	path?: string | RegExp;
	taskId?: string;
}

/** What differs from one deployment to the next, changeable at run time: docs/sandbox-service.md. */
export interface Deployment {
	renderMs: number;
	refreshMs: number;
	latencyMs: number;
	listings: boolean | Entry;
	models: { video: string[]; text: string[] };
	owners: Record<string, string>;
	profile: 'contract' | 'gateway';
	bodyLimitBytes: number;
	foreignRefusesAuthorization: boolean;
	outage: Entry | null;
	plan: Plan;
}

export type DeploymentChanges = Partial<Omit<Deployment, 'models'>> & {
	models?: Partial<Deployment['models']>;
};

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
