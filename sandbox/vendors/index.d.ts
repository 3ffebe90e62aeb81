import type { RequestRecord } from '../service';

/** A request as it arrived, without keys. Long base64 texts are `{ length, sha256 }`. */
export interface VendorRecord extends Omit<RequestRecord, 'origin'> {
	/** Undefined for an address that no vendor has. */
	vendor?: string;
}

/** A render that a vendor has begun. */
export interface VendorTask {
	id: string;
	vendor: string;
	/** Without the plan. */
	prompt: string;
	plan: Record<string, unknown>;
	/** The body as it arrived, not shortened. */
	body: Record<string, unknown>;
	state: 'queued' | 'running' | 'done' | 'failed' | 'filtered';
	polls: number;
}

/** What to enter in a gateway so that it asks a vendor here: docs/vendors.md. */
export interface Channel {
	vendor: string;
	type: number;
	label: string;
	base_url: string;
	key: string;
	models: string[];
}

export interface Vendors {
	url: string;
	channels: Channel[];
	/** Always the same array; `reset` empties it. */
	requests: VendorRecord[];
	tasks(): VendorTask[];
	/** Throws on a setting that does not exist: docs/vendors.md has them. */
	set(changes: object): Record<string, unknown>;
	reset(): void;
	/** Ends open connections at once. */
	close(): Promise<void>;
}

/** Returns the channels to enter in a gateway, with keys that open nothing. */
export function channelsAt(url: string): Channel[];
export function createVendors(options?: object): Promise<Vendors>;
