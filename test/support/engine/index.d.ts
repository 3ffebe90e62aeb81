import type {
	ExecutionError,
	ExecutionStatus,
	IBinaryData,
	IConnections,
	IDataObject,
	INode,
	INodeCredentialTestResult,
	INodeExecutionData,
	INodeListSearchResult,
	INodeType,
	INodeTypes,
	IRun,
	IRunExecutionData,
	ITaskData,
	IWorkflowBase,
	IWorkflowSettings,
	NodeExecutionHint,
	StructuredChunk,
	WorkflowExecuteMode,
} from 'n8n-workflow';

/** Where files go: into the item, a folder of the engine's own, or rows in memory (n8n 2 only). */
export type BinaryMode = 'default' | 'filesystem' | 'database';

/**
 * A node as n8n saves it, of which only `type` has to be given. Without `typeVersion` it is the
 * newest; without `credentials` it uses what the run's `credentials` hold for its type
 * (`credentials: {}` is a node without any).
 */
export type EngineNode = Pick<INode, 'type'> & Partial<Omit<INode, 'type'>>;

/** One node (run as Start -> node, named "Node Under Test") or a whole workflow, as exported. */
type EngineWorkflow =
	| { node: EngineNode; nodes?: undefined; connections?: undefined }
	| { nodes: EngineNode[]; connections?: IConnections; node?: undefined };

/** Decrypted data by credential name; what a test writes into it during a run, people have edited. */
type CredentialData = Record<string, IDataObject>;

export type RunRequest = EngineWorkflow & {
	/** What the first node gets; one empty item without. */
	items?: INodeExecutionData[];
	credentials?: CredentialData;
	/** 'default' without. It holds for all runs that go on at the time. */
	binaryMode?: BinaryMode;
	/** 'trigger' without; only 'manual' sends messages to the editor. */
	mode?: WorkflowExecuteMode;
	/** The workflow's settings, besides `executionOrder: 'v1'`. */
	settings?: IWorkflowSettings;
	/** Offers streaming as a Webhook in streaming mode does; needs `mode: 'webhook'` or 'manual'. */
	streaming?: boolean;
	/** Hears each chunk of `streaming` in the moment it is sent. */
	onChunk?: (chunk: StructuredChunk) => void;
	/** The first node's name; without, the first one that no connection leads to. */
	startNode?: string;
	/** The node that `outputs()`, `runs()` and `hints()` are about; without, the last one. */
	resultNode?: string;
};

export interface RunResult {
	executionId: string;
	status: ExecutionStatus;
	error?: ExecutionError;
	/** All outputs of the node's last run; the error output is the last one. */
	outputs(nodeName?: string): INodeExecutionData[][];
	/** One entry for each time the node ran; tries of Retry On Fail are not runs of their own. */
	runs(nodeName?: string): ITaskData[];
	/** Execution hints of all the node's runs. */
	hints(nodeName?: string): NodeExecutionHint[];
	/** What `$execution.customData` was given. */
	customData: Record<string, string>;
	/** Nodes' contexts, e.g. `contextData['node:Node Under Test']`. */
	contextData: Record<string, IDataObject>;
	lastNodeExecuted?: string;
	waitTill?: Date | null;
	/** What `sendMessageToUI` sent; `messages` are its arguments. */
	uiMessages: Array<{ type: string; source: string; messages: unknown[] }>;
	/** What `sendChunk` sent, with `streaming: true`. */
	chunks: StructuredChunk[];
	/** n8n's own log lines and the node's `this.logger` ones, of all levels. */
	logs: Array<{ level: string; message: string; metadata?: unknown }>;
	/** What n8n-core resolved to. */
	run: IRun;
	/**
	 * What n8n stores, copied when its storing hooks are called. For a stopped execution that is
	 * the moment of the stop: what the node returns after it is in `run`, `outputs()` and so on.
	 */
	saved: { status: ExecutionStatus; data: IRunExecutionData };
	workflowData: IWorkflowBase;
}

export interface CrashDetails {
	/** The execution itself goes on and dies, not the one that its wait depends on. */
	itself?: boolean;
	/** Whether n8n finds the log of what had begun; true without. */
	eventLog?: boolean;
	/**
	 * n8n saves after each node (EXECUTIONS_DATA_SAVE_ON_PROGRESS) and died before it slept, so the
	 * items that were saved last are those of the node before.
	 */
	saveProgress?: boolean;
}

export interface KillDetails {
	/** The node that runs at the time, in its last run. */
	inNode: string;
	/** Whether n8n finds the log of what had begun; true without. */
	eventLog?: boolean;
	/** Somebody stops it instead. */
	stopped?: boolean;
}

export interface Engine {
	/** '2' is n8n-core 2.41.1, '1' is n8n-core 1.120.2; a Jest project runs one of them. */
	version: '1' | '2';
	nodeTypes: INodeTypes;
	/** Runs to the end. A run that n8n refuses to start is a result with status 'error'. */
	run(request: RunRequest): Promise<RunResult>;
	/**
	 * As `run`, with n8n's Stop: `done` resolves once the node has returned. A sleeping execution
	 * can be stopped, too; what it waits for sleeps on.
	 */
	start(request: RunRequest): { done: Promise<RunResult>; stop(): Promise<void> };
	/**
	 * n8n's "Retry execution": the stored stack again, in mode 'retry'. With a node or workflow
	 * in the request it is "Retry with currently saved workflow". Credentials stay unless given.
	 */
	retry(
		previous: RunResult,
		request?: Partial<EngineWorkflow> & Pick<RunRequest, 'credentials' | 'binaryMode'>,
	): Promise<RunResult>;
	/**
	 * Lets the time of a waiting execution come, or that of the sub-execution it waits for. The
	 * result may be 'waiting' again.
	 */
	wake(sleeping: RunResult): Promise<RunResult>;
	/**
	 * As `wake`, but n8n dies in the node after the sleep, and is started again: it marks what slept
	 * as crashed and goes on with what waits for that. If the node had never run before, that gets an
	 * error, by n8n's event log; else, and without such a log, the last items that were saved.
	 */
	crash(sleeping: RunResult, how?: CrashDetails): Promise<RunResult>;
	/**
	 * What n8n has of an execution that has ended here, if it had died in the middle of a node: what
	 * it began with, or with `settings: { saveExecutionProgress: true }` all up to that node.
	 */
	kill(ended: RunResult, how: KillDetails): RunResult;
	/**
	 * Lets all that runs end or sleep, sub-executions too that nobody waits for, and what is parked on
	 * one that has ended go on. Returns the execution as it is then.
	 */
	settle(result: RunResult): Promise<RunResult>;
	/**
	 * n8n is killed while executions run, and started again: they come no further, n8n marks them as
	 * crashed and goes on with what is parked on them. Of workflows that save their progress the last
	 * state is kept.
	 */
	die(): Promise<void>;
	/** The execution itself, or the sub-execution that its wait depends on in the end. */
	sleeper(sleeping: RunResult): RunResult;
	/** Deletes an execution, as people do in the executions list. */
	remove(execution: RunResult): void;
	/** Every execution that has ended or sleeps, sub-executions too, in the order they did. */
	executions(): RunResult[];
	/** Runs the credential's `test.request` with n8n's router and reads n8n's verdict. */
	testCredential(name: string, data: IDataObject): Promise<INodeCredentialTestResult>;
	/** Calls a method of `methods.listSearch` as the editor's list does. */
	listSearch(
		node: EngineNode,
		method: string,
		request: { credentials: CredentialData; filter?: string },
	): Promise<INodeListSearchResult>;
	/** The bytes of a file, in whichever mode it was kept. */
	readBinary(binaryData: IBinaryData): Promise<Buffer>;
	/** Bytes of each file in n8n's storage, whole or not: those of an execution, or all. */
	storedSizes(result?: RunResult): number[];
	/** Deletes the files of an execution as n8n does when it deletes the execution. */
	forget(result: RunResult): Promise<void>;
	/** Removes the engine's files. */
	close(): void;
}

/**
 * n8n's real engine in this process, with node types from the built package and small stand-ins for
 * n8n's own Manual Trigger, Webhook, Chat Trigger, Execute Workflow with its trigger, No Op, Wait and
 * Loop Over Items. An AI Agent (version 2: by itself, 3: by the engine) calls each of its tools once
 * with what its first item holds, or what that item's `turns` say: a list of turns, each a list of
 * `{ tool, input }`. A type whose name ends in `Tool` is a node as an agent's tool.
 * @param nodeTypes more types by full name; `undefined` for one that this n8n lacks
 */
export function createEngine(nodeTypes?: Record<string, INodeType | undefined>): Promise<Engine>;
/** The version that the Jest project is for. */
export function projectVersion(): Engine['version'];
