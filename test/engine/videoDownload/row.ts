import type { IDataObject } from 'n8n-workflow';

import type { Plan, Sandbox } from '../../../sandbox/service';
import { projectVersion } from '../../support/engine';

/** What a video's way from the service into n8n's storage may meet, and what must come of it. */
export interface DownloadRow {
	what: string;
	plan: Plan | ((sandbox: Sandbox) => Plan);
	/** Options of Video Download; the row is then played with that node alone. */
	options?: IDataObject;
	/** Parameters with which Video Generate makes the task that Video Download is given. */
	render?: IDataObject;
	/** Each request for the video: the part asked for ("all", "rest"), and what was answered. */
	asked: string[];
	/** How the message of a failing item reads, and what else its error holds; else it is a file. */
	fails?: { message: RegExp; fields?: IDataObject };
	/** Of the item of Video Download. */
	item?: IDataObject;
	/** Which of the service's videos it is; `landscape` without. */
	video?: string;
	/** Half files that n8n 1 keeps, which writes in place and removes nothing; else none. */
	halvesOnVersion1?: number;
	/** Times as fast as real time; delays are seconds. */
	hurry?: number;
}

export const isVersion1 = projectVersion() === '1';

type More = Partial<Omit<DownloadRow, 'what' | 'plan' | 'asked'>>;

/** Large enough to be cut anywhere; the video itself is the first 51,780 bytes of it. */
export const SIZE = 500_000;

export const arrives = (
	what: string,
	plan: DownloadRow['plan'],
	asked: string[],
	more: More = {},
): DownloadRow => ({ what, plan, asked, ...more });

export const failsWith = (
	message: RegExp,
	what: string,
	plan: DownloadRow['plan'],
	asked: string[],
	{ fields, ...more }: More & { fields?: IDataObject } = {},
): DownloadRow => ({ ...arrives(what, plan, asked, more), fails: { message, fields } });
