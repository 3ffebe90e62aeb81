/** A change of how the ordinary answer travels, or an answer of its own: docs/dev/sandbox.md. */
export interface LiteralAnswer {
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
	lastFrame?: Entries;
	text?: Entries;
	[key: string]: unknown;
}

/** The JSON that was sent, whole: also the fields that the service drops. */
export interface RequestBody {
	model?: string;
	prompt?: string;
	/** A base64 text over 1 kB: its length and hash as it was sent. */
	image?: string | { length: number; sha256: string };
	metadata?: Record<string, unknown>;
	contents?: Array<{ role?: string; parts: Array<Record<string, unknown>> }>;
	[field: string]: unknown;
}

/** A request as it came, and what was answered. */
export interface RequestRecord {
	n: number;
	/** Milliseconds since 1970. */
	at: number;
	/** The storage host is `foreign`. */
	origin: 'service' | 'foreign';
	method: string;
	url: string;
	path: string;
	query: Record<string, string | string[]>;
	headers: Record<string, string | string[] | undefined>;
	/**
	 * Parsed; a text where it was no JSON, `undefined` where there was none. Base64 over 1 kB is its
	 * length and hash.
	 */
	body: RequestBody | undefined;
	taskId: string | undefined;
	/** `null` if nothing was answered, or the answer was cut. */
	status: number | null;
	/** The credential that was read. */
	key: 'bearer' | 'header' | 'query' | 'none';
	/** The client left before it had the whole answer. */
	aborted: boolean;
	/** Of the body. */
	sentBytes: number;
}

/** A task that was created, and so would have been billed. */
export interface SandboxTask {
	task_id: string;
	model: string;
	prompt: string;
	/** The fields that were read, and the names of those that were dropped in silence. */
	request: Record<string, unknown>;
	dropped: string[];
	/** `text-to-video` also where a model ignored the image. */
	mode: 'text-to-video' | 'image-to-video';
	/** The length that is billed. */
	seconds: number;
	video: string;
	polls: number;
	downloads: number;
	status: 'queued' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE';
}

type Method = Partial<Pick<RequestRecord, 'origin' | 'method' | 'status'>>;
/** `path` is the start of the path, or a pattern. */
type RequestFilter = Method & { path?: string | RegExp; taskId?: string };

/** What differs from one deployment to the next, changeable at run time: docs/dev/sandbox.md. */
export interface DeploymentChanges {
	renderMs?: number;
	refreshMs?: number;
	latencyMs?: number;
	listings?: boolean | Entry;
	models?: { video?: string[]; text?: string[] };
	owners?: Record<string, string>;
	profile?: 'contract' | 'gateway';
	bodyLimitBytes?: number;
	foreignRefusesAuthorization?: boolean;
	outage?: Entry | null;
	plan?: Plan;
}

export interface SandboxOptions extends DeploymentChanges {
	/** 0 (default): any free port. */
	port?: number;
	foreignPort?: number;
	/** The name by which addresses call the storage host; default `localhost`. */
	foreignHost?: string;
	/** The good key; default `sandbox-key`. */
	key?: string;
	/** Speaks https, with a certificate that it makes itself. */
	https?: boolean;
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
	set(changes: DeploymentChanges): unknown;
	/** Lets streams go on that `holdAfterChunks` holds. */
	release(): void;
	reset(): void;
	/** Ends open connections at once. */
	close(): Promise<void>;
}

export function createSandbox(options?: SandboxOptions): Promise<Sandbox>;
