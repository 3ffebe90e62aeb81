export interface HostileAnswer {
	status: number;
	headers: Array<[name: string, value: string]>;
	body: string | Uint8Array;
}

export type RequestKind = 'submit' | 'poll' | 'content' | 'file' | 'text' | 'stream' | 'models';

export interface HostileService {
	answering(given: Partial<Record<RequestKind, HostileAnswer>>): {
		baseUrl: string;
		/** Method and path of each request. */
		asked(): string[];
	};
	close(): Promise<void>;
}

export function createHostileService(): Promise<HostileService>;
