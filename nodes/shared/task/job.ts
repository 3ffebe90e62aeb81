import type { Submission } from '../services/submit';
import type { Asked } from './asked';

/** An order as the ledger knows it: its place, and what it asks for. */
export interface Order {
	itemIndex: number;
	asked: Asked;
	/** The task of the shot before; missing for all that follow no other. */
	after?: string;
}

/** What a submit takes. */
interface ToSubmit extends Pick<Submission, 'requestFor' | 'loadBytes'> {
	model: string;
	/** How many videos the node may submit in a day; absent if any number. */
	maxVideosPerDay?: number;
}

/** What a wait takes. */
export interface ToWait {
	/** `none`: the job ends as soon as the task is accepted. */
	wait: 'inProcess' | 'durable' | 'none';
	/** The pause before the first poll; the pauses after it grow. */
	pollIntervalMs: number;
	/** Somebody set Poll Interval: the first check comes so soon, also of a record that is fetched seldom. */
	isIntervalSet?: boolean;
	/** How long to wait for the video from the moment that its task is known. */
	maxWaitMs: number;
	/** On Timeout is Fail. */
	timeOutFails: boolean;
}

/** A render that one input item asks for. */
export interface RenderJob extends Order, ToSubmit, ToWait {
	/** Reads these for a new submit, if the item's task was known and they were left unread. */
	readRest?: () => Promise<Pick<RenderJob, 'requestFor' | 'loadBytes' | 'asked'>>;
}
