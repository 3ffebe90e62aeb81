import type { Entry, Plan } from './planTypes';
import type { RequestFilter, RequestRecord, SandboxTask } from './recordTypes';

export type * from './planTypes';
export type * from './recordTypes';

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
	/** `owned_by` of a listed model; `custom` (default) for all others. */
	owners: Record<string, string>;
	/** `gateway`: videos are answered as a recorded real gateway did; `contract` (default): as promised. */
	profile: 'contract' | 'gateway';
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
