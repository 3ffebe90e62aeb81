type Json = Record<string, unknown>;

/** What is set of Video Generate, by the names of its parameters; `further`: rows of Further Images. */
export interface Case {
	column: string;
	model: string;
	about: string;
	set: Json;
}

export interface TextCase {
	about: string;
	set: Json;
}

export interface TextArrival {
	about: string;
	/** The body as the node sent it; pictures and addresses are words. */
	sent?: Json;
	/** The gateway's status. */
	answered?: number;
	/** The body as the vendor received it. */
	received?: Json;
	/** The sentence where nothing was sent. */
	refused?: string;
}

export interface Arrival
	extends Pick<TextArrival, 'about' | 'sent' | 'answered'>, Pick<Case, 'column' | 'set'> {
	received?: { path: string; body: Json };
	/** The gateway's factors of the price. */
	factors?: Record<string, number>;
	/** What the gateway charged in the end, at prices of the run. */
	dollars?: number;
	refused?: { message: string; description?: string };
}

export interface Verdict {
	verdict: 'arrives' | 'refused' | 'refused later' | 'dropped' | 'changed' | 'billed otherwise';
	why?: string;
}

export const CASES: Case[];
export const COLUMNS: Array<{ name: string; model: string; owner: string }>;
export const ARRIVALS: Arrival[];
export const TEXT_CASES: TextCase[];
export const TEXT_ARRIVALS: TextArrival[];
export const PNG: string;

export function judge(record: Arrival): Verdict;
/** Paths of a text request that the vendor got otherwise, or did not get. */
export function lostPaths(sent: unknown, received: unknown): string[];
/** Cases of one shape can be items of the same node. */
export function shapeOf(one: Case): string;
/** Of Video Generate; everything but the rows of Further Images comes from the item. */
export function toParameters(one: Case): Json;
export function toTextParameters(set: Json): Json;
export function toWords<T>(value: T, picturesUrl: string): T;
export function fromWords<T>(value: T, picturesUrl: string): T;
/** docs/models.md with the tables of a run in it. */
export function withTables(page: string, videos: Arrival[], texts: TextArrival[]): string;
