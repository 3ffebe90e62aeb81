import type { DownloadOptions } from '../shared/download/downloadOptions';
import type { Place } from '../shared/n8n/run';
import type { RenderJob } from '../shared/task/job';
import type { ItemLook } from '../shared/task/render';

/** An item that is a shot of a film. */
export interface Shot {
	/** The item of the shot before; missing for the first. */
	shotBefore?: number;
	place: Place;
}

/** A job, with what its item wants done after the render. */
export interface VideoJob extends RenderJob, ItemLook, DownloadOptions {
	shot?: Shot;
	/** The first frame of a shot, once the one before it is ready. */
	beginsWith?: string;
	/** Whether an agent asked and nobody set Max Wait. */
	briefly: boolean;
	downloadVideo: boolean;
	/** The label of the model's family. */
	family?: string;
	/** What is sent without being known to arrive, in words. */
	notes: string[];
	/** Whether to do everything but the submit. */
	dryRun: boolean;
	/** Requests under way at once. The node has one limit, so the first job's value counts. */
	concurrency: number;
}
