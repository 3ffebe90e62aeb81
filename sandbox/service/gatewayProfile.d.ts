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

export const FAMILIES: RecordedFamily[];
export const REFUSALS: RecordedRefusal[];
