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
	/** How the body is compressed. */
	encoding?: 'gzip' | 'deflate' | 'br';
	/** So many spaces follow the body, before it is compressed. */
	padBytes?: number;
	/** Milliseconds between two bytes of the body. */
	dripMs?: number;
	/** Milliseconds between two bytes of status and headers, which do not end. */
	dripHeadMs?: number;
	/** Milliseconds after each piece of the body, of 64 KiB at most. */
	pieceDelayMs?: number;
}

/** `"ok"`, the name of a fault, a literal answer, or one of these for ever. */
export type Entry = string | LiteralAnswer | { always: string | LiteralAnswer };
export type Entries = Entry | Entry[];

export type TaskStatus = 'queued' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE';
export type Shape = 'documented' | 'vendor' | 'vendorFlat' | 'flat' | 'oldest';

/** What resellers put around the answers to submits and polls. */
export type Envelope = 'beside' | 'list' | 'nested' | 'request' | 'result' | 'taskId';

export type SourceKind = 'search' | 'maps' | 'url' | 'failedUrl' | 'citation';

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
	envelope?: Envelope;
	idOnly?: boolean;
	numberId?: boolean;
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
	wholeForm?: 'array' | 'lines' | 'object' | 'sse';
	spelling?: 'camel' | 'snake';
	sources?: SourceKind | SourceKind[];
	sourcesIn?: 'last' | 'spread' | 'growing';
	audio?: boolean | string;
	/** Calls have ids and signatures, and are refused without them in the next turn. */
	signed?: boolean;
	reasonInEveryChunk?: boolean;
	blockAfterChunks?: number;
}
