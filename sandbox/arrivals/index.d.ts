type Json = Record<string, unknown>;

/** What is set of Video Generate, by the names of its parameters and options; `images`: rows. */
export interface Case {
	column: string;
	model: string;
	about: string;
	set: Json;
}

interface TextArrival {
	about: string;
	set: Json;
	/** The body as the node sent it; pictures and addresses are words. */
	sent?: Json;
	/** The body as the vendor received it. */
	received?: Json;
	/** The sentence where nothing was sent. */
	refused?: string;
}

interface Arrival {
	column: string;
	about: string;
	set: Json;
	sent?: Json;
	refused?: { message: string; description?: string };
}

export const CASES: Case[];
export const COLUMNS: Array<{ name: string; model: string; owner: string }>;
export const ARRIVALS: Arrival[];
export function lostPaths(sent: Json, received: Json): string[];
export const TEXT_ARRIVALS: TextArrival[];
export const PNG: string;

export function judge(record: Arrival): { verdict: string; why?: string };
/** Returns what cases have in common that can be items of the same node. */
export function shapeOf(one: Case): string;
/** Returns parameters of Video Generate; all but the rows of Images comes from the item. */
export function toParameters(one: Case): Json;
export function toTextParameters(set: Json): Json;
export function toWords<T>(value: T, picturesUrl: string): T;
export function fromWords<T>(value: T, picturesUrl: string): T;
