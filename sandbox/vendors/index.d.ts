import type { RequestRecord } from '../service';

/** What holds for all vendors until a plan says otherwise; changeable at run time. */
export interface VendorsDeployment {
	/** How many polls of a render are told that it waits; default 1. */
	queuedPolls: number;
	/** How many polls after those are told that it runs; default 1. */
	runningPolls: number;
	/** Milliseconds added to every answer; default 0. */
	latencyMs: number;
	/** Larger bodies get a 413; default 64 MiB. */
	bodyLimitBytes: number;
	/** The plan of every prompt; what a prompt says itself goes before it. */
	plan: Record<string, unknown>;
}

export interface VendorsOptions extends Partial<VendorsDeployment> {
	/** 0 (default): any free port. */
	port?: number;
	/** Called with each record once its answer has ended. */
	logger?: false | ((record: VendorRecord) => void);
}

/** A request as it arrived, without keys. Long base64 texts are `{ length, sha256 }`. */
export interface VendorRecord extends Omit<RequestRecord, 'origin'> {
	/** Undefined for an address that no vendor has. */
	vendor?: string;
}

/** A render that a vendor has begun. */
export interface VendorTask {
	id: string;
	vendor: string;
	model: string;
	/** Without the plan. */
	prompt: string;
	plan: Record<string, unknown>;
	/** The body as it arrived, not shortened. */
	body: Record<string, unknown>;
	state: 'queued' | 'running' | 'done' | 'failed' | 'filtered';
	polls: number;
	downloads: number;
	/** Milliseconds since 1970. */
	at: number;
}

/** What to enter in a gateway so that it asks a vendor here. */
export interface Channel {
	vendor: string;
	/** The gateways' number of the kind of channel. */
	type: number;
	label: string;
	base_url: string;
	key: string;
	models: string[];
	/** Vertex AI only: the JSON of its regions. */
	other?: string;
}

export interface Vendors {
	url: string;
	channels: Channel[];
	/** Always the same array; `reset` empties it. */
	requests: VendorRecord[];
	find(filter: Partial<Omit<VendorRecord, 'path'>> & { path?: string | RegExp }): VendorRecord[];
	tasks(): VendorTask[];
	set(changes: Partial<VendorsDeployment>): VendorsDeployment;
	reset(): void;
	/** Ends open connections at once. */
	close(): Promise<void>;
}

/** The channels to enter in a gateway, with keys that open nothing. */
export function channelsAt(url: string): Channel[];
export function createVendors(options?: VendorsOptions): Promise<Vendors>;
