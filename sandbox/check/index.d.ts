export interface CheckSettings {
	/** `scheme://host[:port][/path]`, without `/v1` and without a slash at its end. */
	baseUrl: string;
	key: string;
	/** The key of the native text protocol; the same one at most deployments. */
	textKey: string;
	/** The header that the native protocol reads its key from. */
	headerName: string;
	/** Sends the text key as `?key=` as well, which ends up in logs. */
	keyInQuery: boolean;
	/** The model of the one render; without it nothing can cost money. */
	render?: string;
	/** Asked right before the submit. */
	mayRender?: () => Promise<boolean>;
	/** The length to order; by default the model's own. */
	seconds?: number;
	/** Milliseconds between polls (default 10000), and for all of them together (15 minutes). */
	everyMs?: number;
	waitMs?: number;
	/** Milliseconds for one request with its answer; default 20000. */
	timeoutMs?: number;
	/** Waits; by default as long as it is told. */
	pause?: (ms: number) => Promise<unknown>;
	/** Told the task's ID the moment it is known. */
	say?: (line: string) => void;
}

export interface CheckRow {
	/** Promised by the contract, or seen at public gateways where the contract is silent. */
	by: 'contract' | 'gateways';
	row: string;
	says: string;
	seen: string;
	verdict: 'kept' | 'differs' | 'not tested';
}

export interface CheckResult {
	/** Why nothing could be checked; then there are no rows. */
	unreachable?: string;
	rows: CheckRow[];
	taskId?: string;
}

export const ROWS: Array<Pick<CheckRow, 'by' | 'row' | 'says'>>;
export function checkService(settings: CheckSettings): Promise<CheckResult>;
export function differsFromContract(rows: CheckRow[]): boolean;
