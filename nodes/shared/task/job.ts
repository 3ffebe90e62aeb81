import type { Route } from '../service/routes';
import type { SubmitRequest } from '../service/submit';
import type { Asked } from './asked';

/** An order as the ledger knows it: its place, and what it asks for. */
export interface Order {
	itemIndex: number;
	asked: Asked;
	/** The task of the shot before; missing for all that follow no other. */
	after?: string;
}

/** What a submit takes. */
interface ToSubmit {
	model: string;
	/** The only route by which the service takes the video; missing if any route does. */
	route?: Route;
	/** The video goes out as a form from the start. */
	sendsForm?: boolean;
	/** See `Submission` (`service/submit.ts`). */
	requestFor: (route: Route, inPlainFields: boolean) => SubmitRequest;
	/** Loads a picture for a request that goes out as a form; throws why it cannot be loaded. */
	loadBytes: (url: string) => Promise<Buffer>;
	/** How many videos the node may submit in a day; absent if any number. */
	maxVideosPerDay?: number;
}

/** What a wait takes. */
export interface ToWait {
	/** `none`: the job ends as soon as the task is accepted. */
	wait: 'inProcess' | 'durable' | 'none';
	/** The pause before the first poll; the pauses after it grow. */
	pollIntervalMs: number;
	/** How long to wait for the video from the moment that its task is known. */
	maxWaitMs: number;
	/** On Timeout is Fail. */
	timeOutFails: boolean;
}

/** A render that one input item asks for. */
export interface RenderJob extends Order, ToSubmit, ToWait {
	/** Reads these for a new submit, if the item's task was known and they were left unread. */
	readRest?: () => Promise<
		Pick<RenderJob, 'requestFor' | 'loadBytes' | 'route' | 'sendsForm' | 'asked'>
	>;
}
