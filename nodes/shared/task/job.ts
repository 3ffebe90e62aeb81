import type { VideoRequest } from '../services/submit';
import type { LoadFile } from '../services/writeBody';
import type { Asked } from './asked';

/** A job as the ledger knows it: its place, and what it asks for. */
export interface LedgerKey {
	itemIndex: number;
	asked: Asked;
	/** The task of the shot before; missing for all that follow no other. */
	after?: string;
}

/** What a submit takes. */
interface ToSubmit {
	model: string;
	/** Missing if the item's task was known, and the rest of the item left unread. */
	request?: VideoRequest;
	/** How many videos the node may submit in a day; absent if any number. */
	maxVideosPerDay?: number;
}

/** What a wait takes. */
export interface ToWait {
	/** `none`: the job ends as soon as the task is accepted. */
	wait: 'inProcess' | 'durable' | 'none';
	/** Poll Interval, if somebody set it: the first check comes so soon, also of a record that is fetched seldom. */
	pollIntervalMs?: number;
	/** How long to wait for the video from the moment that its task is known. */
	maxWaitMs: number;
	/** On Timeout is Fail. */
	timeOutFails: boolean;
}

/** A render that one input item asks for: data alone. */
export interface RenderJob extends LedgerKey, ToSubmit, ToWait {}

/** What a submit asks for by name: of the job, and of its pictures. */
export interface Sources {
	/** Reads the request of a job that has none; throws what is wrong with its item. */
	readRequest: (job: RenderJob) => Promise<{ request: VideoRequest; asked: Asked }>;
	/** Returns what loads the pictures of an item's request. */
	filesOf: (itemIndex: number) => LoadFile;
	/** Forgets an item's pictures. */
	letGo: (itemIndex: number) => void;
}
