import type { IDataObject } from 'n8n-workflow';

import type { Entry, Plan, RequestRecord, Sandbox } from '../../../sandbox/service';
import type { EngineNode } from '../../support/engine';

/** How a failing item's message reads, and what else its error must hold. */
export interface Failing {
	message: RegExp;
	fields?: IDataObject;
}

/** The status that the item of a task tells, its failure, or that there is no item at all. */
export type End = 'SUCCESS' | 'FAILURE' | 'IN_PROGRESS' | 'queued' | 'no item' | Failing;

/** One fault, and what must become of it in each of the three On Error modes. */
export interface FaultRow {
	fault: string;
	/** One item each. */
	plans: Plan[];
	ends: End[];
	/** Video Generate without. */
	node?: 'Video Status';
	parameters?: IDataObject;
	/** The node's own, e.g. Retry On Fail. */
	settings?: Partial<EngineNode>;
	/** The key of the first, second and third mode. */
	apiKey?: (mode: number) => string;
	baseUrl?: (sandbox: Sandbox) => string;
	/** Submissions that go out; one per item without. */
	posts?: number;
	/** Tasks that are created, and charged; one per item without. */
	paid?: number;
	/** Polls of each task; any number without. */
	looks?: number;
	/** Times as fast as real time, see support/clock. */
	hurry?: number;
	/** Somebody stops the run once this is true of its requests. */
	stopWhen?: (requests: RequestRecord[]) => boolean;
	/** Happens as soon as every task has been polled; the row then has a service of its own. */
	meanwhile?: (sandbox: Sandbox) => Promise<void>;
}

type More = Partial<Omit<FaultRow, 'fault' | 'plans' | 'ends'>>;

/** A row of one item. */
export const row = (fault: string, plan: Plan, end: End, more: More = {}): FaultRow => ({
	fault,
	plans: [plan],
	ends: [end],
	...more,
});

export const failing = (message: RegExp, fields?: IDataObject): Failing => ({ message, fields });

export const isFailing = (end: End): end is Failing => typeof end === 'object';

/** A submit that is answered like this every time, and creates nothing. */
export const refusedBy = (
	fault: string,
	answer: Entry & (string | object),
	message: RegExp,
	fields: IDataObject = {},
	more: More = {},
): FaultRow =>
	row(
		fault,
		{ submit: { always: answer } as Entry },
		failing(new RegExp(`^The video was not submitted: ${message.source}.* \\[item 0\\]$`), fields),
		{ paid: 0, ...more },
	);
