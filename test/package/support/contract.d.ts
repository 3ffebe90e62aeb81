import type { LoadedPackage } from './loader';

/** What a parameter's saved values mean; `show` and `hide` without the version of the node. */
interface Form {
	type: string;
	default: unknown;
	required?: true;
	multiple?: true;
	options?: unknown[];
	modes?: string[];
	show?: Record<string, unknown[]>;
	hide?: Record<string, unknown[]>;
}

/** By path, such as `options.pollInterval`. */
type Parameters = Record<string, Form[]>;

export interface Contract {
	/** By name and version, such as `n8n-nodes-video-generation.videoStatus v1`. */
	nodes: Record<
		string,
		{
			usableAsTool: boolean;
			credentials: Record<string, { required: boolean }>;
			connections: Array<{ with: object; inputs: string[]; outputs: string[] }>;
			parameters: Parameters;
			/** Of items, by path. */
			fields: Record<string, { type: string | string[]; values?: unknown[]; always?: true }>;
		}
	>;
	credentials: Record<string, Parameters>;
}

/**
 * What saved workflows, sleeping executions and stored credentials depend on, hidden parameters too.
 * To be compared with a `released` contract, it tells of the same connections.
 */
export function readContract(loaded: LoadedPackage, released?: Contract): Contract;
/** What of a released contract is not as it was; one sentence each. Additions are no changes. */
export function changesSince(released: Contract, current: Contract): string[];
