/** What a real gateway answered for a family of models. */
export interface RecordedFamily {
	label: string;
	model: string;
	/** `owned_by` in its list of models. */
	owner: string;
}

/** A request that it refused. */
export interface RecordedRefusal {
	about: string;
	status: number;
	headers: Record<string, string>;
	json: object;
}

/** A text that it refused. */
export interface RefusedText {
	about: string;
	status: number;
	json: { error: { message: string; type: string; code: string; param?: string } };
}

export const FAMILIES: RecordedFamily[];
export const REFUSALS: RecordedRefusal[];
export const REFUSED_TEXTS: RefusedText[];
/** What it told of a key. */
export const USAGE: Record<
	'unlimited' | 'expired' | 'usedUp' | 'unknown' | 'none' | 'banned',
	object
>;
