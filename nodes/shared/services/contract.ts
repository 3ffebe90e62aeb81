import type { IDataObject } from 'n8n-workflow';

import type { Billed } from '../failure/failure';
import type { Reason } from '../failure/reason';
import type { NoAnswer, ServiceAnswer } from '../http/answer';
import type { Body } from '../http/body';
import type { Method } from '../http/connection';
import type { HeldFile } from '../lib/heldFile';
import type { Made } from '../lib/mediaType';

/** A path at one of the service's own addresses; without `origin`, at that of submits and polls. */
export interface OwnPath {
	path: string;
	origin?: string;
}

/** A video as it is written for a service. */
export interface WrittenVideo {
	model: string;
	/** The whole body; of a service with schemas, the model's own input. */
	fields: IDataObject;
	/** What the model makes, if that is known. */
	makes?: Made;
	/** It goes by the other one of New API's two routes. */
	onVideos?: true;
	/** New API asks the vendor at each fetch of its task's record. */
	isLive?: true;
}

export interface UploadedFile {
	bytes: Buffer;
	mimeType: string;
}

/** A model in a service's list. */
export interface ListedModel {
	id: string;
	/** For people. */
	name?: string;
	/** The kind of channel behind it, at New API. */
	owned_by?: string;
	/** What it makes, if the list says so. */
	makes?: Made;
	/** What it costs, in the list's own words. */
	price?: string;
	/** The service has found it by words, which its name need not have. */
	isFound?: true;
}

/** A task in a service's list of those that a key has ordered lately. */
export interface ListedTask {
	task_id: string;
	/** Its record, as the answer to a look at it has it. */
	record: IDataObject;
	/** The names by which it may have been ordered; the first is for people. */
	models: string[];
	/** When it was submitted, by the service's own clock, in milliseconds since 1970. */
	submittedAtMs?: number;
	finishedAtMs?: number;
	/** What was sent, if the list shows that. */
	input?: unknown;
	/** What people need to know of it. */
	note?: string;
}

/** Which tasks are wanted; a service may list others, too. Times are in milliseconds since 1970. */
export interface TaskQuery {
	model?: string;
	sinceMs?: number;
	nowMs: number;
}

/** A page of a list; a body makes it a POST. */
export type ListPage = OwnPath & { body?: IDataObject };

/** What a service tells of a price before the order: an amount, in a unit such as `USD per second`, or words. */
export type ListPrice = { value: number; unit: string } | { words: string };

/** Sends a file to an address that the service has given for it, without the key. Resolves to why it failed. */
export type Put = (
	address: string,
	file: Body,
	method?: 'PUT' | 'POST',
) => Promise<Reason | undefined>;

/** One of the ways to order from a model that takes other fields with a file than without one. */
export interface Way {
	/** The field that an order of this way has, and no other; none of the last way. */
	begins?: string;
	/** JSON Schema. */
	schema: IDataObject;
}

/** Sends a request with the key; a body makes it a POST. */
export type Ask = (at: OwnPath, body?: IDataObject | Body) => Promise<ServiceAnswer | NoAnswer>;

/**
 * What a service has of its own: data. A further service is a file with one of these, and its name in
 * `list.ts`.
 */
export interface Service {
	/** As the credential's field Service saves it. */
	name: string;
	label: string;
	/** Under its label in the credential. */
	description: string;
	/**
	 * Its own addresses; none if Base URL is typed. Submits and polls go to the first. Proxy URL in the
	 * credential replaces all of them.
	 */
	origins?: readonly [string, ...string[]];
	/** Why it cannot be used as the credential has it, in words that name the field, and what to do. */
	fault?: readonly [fault: string, advice: string];
	/** Returns what carries the key, and all else that each request needs. */
	headers: (key: string) => Record<string, string>;
	/**
	 * How settings are written: by the rules of the model's `family`, in `openAi`'s spelling, in all usual
	 * spellings `sideBySide`, or by the `schema` that the service has of each model.
	 */
	writing: 'family' | 'openAi' | 'sideBySide' | 'schema';
	/** A submit is a form (multipart) if it has a picture, or else if a service that refuses JSON asks for one. */
	form?: 'withPicture' | 'ifAsked';
	/** Returns the path and the body of a submit. */
	toSubmit: (video: WrittenVideo) => { path: string; body: IDataObject };
	/** Uploads a file. Resolves to its address. */
	upload?: (file: UploadedFile, ask: Ask, put: Put) => Promise<string | Reason>;
	/** Returns whether a file is uploaded; others go as data URIs. Without it, all are, for there are no others. */
	uploads?: (file: Pick<HeldFile, 'mimeType' | 'sizeBytes'>) => boolean;
	/** It opens no addresses of pictures, and takes them as base64 without the head of a data URI. */
	takesBytes?: true;
	/** The most bytes of an upload, if that is less than `MAX_UPLOAD_BYTES`. */
	maxUploadBytes?: number;
	/** Returns the task ID, if it is not where others have it. */
	readTaskId?: (answer: unknown, model: string) => string | undefined;
	taskPath: (task_id: string) => string;
	/** The least milliseconds between two looks at a task, where a page of the service says so. */
	askEveryMs?: number;
	/** Where the file of a task is, whatever its record says. */
	contentPath?: (task_id: string) => string;
	/** How long it keeps the file of a video, where a page of it says so: "14 days". */
	keepsFiles?: string;
	/** Resolves to a fresh address of a task's file whose host denies it, if the service gives one. */
	freshUrl?: (url: string, ask: Ask) => Promise<string | undefined>;
	/** Returns an answer with the status that it means, if that is not HTTP's. */
	toAnswer?: (answer: ServiceAnswer) => ServiceAnswer;
	/**
	 * Returns the record of a task in a form that all services have.
	 *
	 * @param ask gets what the record leaves out
	 */
	toRecord?: (
		answer: ServiceAnswer,
		task_id: string,
		ask: (path: string) => Promise<ServiceAnswer | NoAnswer>,
	) => ServiceAnswer | Promise<ServiceAnswer | NoAnswer>;
	/** Where the record of a task stands in an answer; without it, wherever a state is. */
	recordAt?: string;
	/**
	 * Returns what the record of a task that is done says that its model has made. A service without this has
	 * models of videos alone.
	 */
	output?: (record: IDataObject) => unknown;
	/** Returns whether a render that has failed is billed, as far as its code or its record says so. */
	billed?: (fail_code: string, record: IDataObject) => Billed | undefined;
	/** Its codes, or the words that stand for one, of renders that broke off at the vendor, and not over what was asked for. */
	broke?: RegExp;
	/** The same of those that a filter may have ended, too. */
	brokeOrFiltered?: RegExp;
	/** What is free, and answers 2xx with the right key alone; without one, a made-up task tells. */
	keyTest?: OwnPath;
	/** The ID of a made-up task, if not any text can be one. */
	noTask?: string;
	/** Returns the model that an address names, which is its page, or where it is ordered. */
	modelAt?: (address: URL) => string | undefined;
	/** Where the price of a video is told for free, and how to read the answer. */
	price?: {
		at: (video: WrittenVideo) => { at: OwnPath; body?: IDataObject };
		read: (answer: unknown, video: WrittenVideo) => ListPrice | undefined;
	};
	/** Its list of the tasks that a key has ordered lately: the newest first, or the one that ended last (`endedOnly`). */
	recent?: {
		/** It is of the models that are asked for. */
		perModel?: true;
		/** Its tasks have what was sent, as it was sent. */
		showsInput?: true;
		/** It has tasks that have ended, in the order of their ends. */
		endedOnly?: true;
		first: (query: TaskQuery) => ListPage;
		/** Where it goes on. */
		next: (page: ListPage, answer: IDataObject) => ListPage | undefined;
		read: (answer: IDataObject) => ListedTask[];
	};
	/** Where people see what a key has ordered. */
	usagePage?: string;
	/** How a task is canceled that has not ended. */
	cancel?: {
		at: (task_id: string) => OwnPath & { method: Method };
		/** What its pages say of the bill, and of a task that has begun. */
		note: string;
	};
	/** Where its models are listed. */
	lists: OwnPath[];
	/** Where a page of a list goes on. */
	nextPage?: (page: OwnPath, answer: IDataObject) => OwnPath | undefined;
	/** Where models are listed that are found by words, if the lists are not of all. */
	listOf?: (words: string) => OwnPath;
	readList: (answer: IDataObject) => ListedModel[];
	/** Where the schema of a model is, and how to find it in the answer. */
	schema?: {
		/** None if `find` knows all models by itself. */
		at?: (model: string) => OwnPath;
		/** How long it holds, in milliseconds. */
		keepMs?: number;
		/** Says how else to enter a model that it does not know. */
		adviseUnknown?: (model: string) => string | undefined;
		/** Says how to order by hand what the form has no field for, by the labels of what it lacks. */
		adviseLacking?: (labels: string) => string | undefined;
		/**
		 * Where the prompt of a model goes that `find` does not know, which the service may have all the same: it lists
		 * none. All else is written by hand.
		 */
		promptAt?: string;
		/** Returns what the answer shows of a model. */
		find: (
			answer: unknown,
			model: string,
		) => {
			/** The JSON Schema of its input; without one, it takes what its ways take. */
			input?: unknown;
			/** The same of each way to order from it, if there are several: the first that fits an order counts. */
			ways?: Way[];
			/** That of its result. */
			output?: unknown;
			/** The document to which their references lead. */
			document?: unknown;
			/** What it makes, where the service says so without a schema. */
			makes?: Made;
		};
	};
}
