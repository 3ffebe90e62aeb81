import type { IDataObject } from 'n8n-workflow';

import { flatten, foldCase } from '../shared/family/byHand';
import { familyNamed, findFamily } from '../shared/family/families';
import {
	FAMILY_OPTIONS,
	type FamilyOption,
	type Value,
	type VideoSpec,
} from '../shared/family/family';
import { contradict, merge, toFields } from '../shared/family/toFields';
import { askForOwners } from '../shared/fields/searchModels';
import { loadPicture } from '../shared/download/loadPicture';
import { type DownloadOptions, readDownloadOptions } from '../shared/item/downloadOptions';
import type { Next } from '../shared/item/failure';
import {
	CHECK_EXPRESSION,
	checkWords,
	isExpression,
	readCarried,
	type Reader,
} from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { isObject, toObject, toText } from '../shared/lib/json';
import { type Connection, openConnection } from '../shared/service/connection';
import type { SubmitRequest } from '../shared/service/videoApi';
import { type ItemLook, RENDER_STATE, type RenderJob } from '../shared/task/render';
import { toWish } from '../shared/task/wish';
import { readPictures, writePictures } from './pictures';
import { carryFilm, checkShot, findShots, readFilm, type Shot, toPlaceholder } from './shots';

/** A job, with what its item wants done after the render. */
export interface VideoJob extends RenderJob, ItemLook, DownloadOptions {
	/** Set if the item is a shot of a film. */
	shot?: Shot;
	/** Whether an agent asked and nobody set Max Wait. */
	briefly: boolean;
	downloadVideo: boolean;
	/** The label of the model's family. */
	family?: string;
	/** Whether to do everything but the submit. */
	dryRun: boolean;
	/** Requests under way at once. The node has one limit, so the first job's value counts. */
	concurrency: number;
}

/** Returns what reads the items of one run into jobs. */
export function createJobReader(run: Run) {
	const { context, credential, redaction, forAgent, parameters } = run;
	const shots = findShots(run);
	let maxVideos = Infinity;
	let connection: Promise<Connection> | undefined;
	let owners: Promise<Map<string, string | undefined>> | undefined;
	const connect = async () => await (connection ??= openConnection(context, credential, redaction));

	/**
	 * Resolves to the family that the person chose, or else to the one that the service or the model's
	 * name tells. A plain request is the same in all families, so the service is not asked about it.
	 */
	const findFamilyOf = async (model: string, chosen: string, isPlain: boolean) => {
		if (chosen !== 'auto') return familyNamed(chosen);
		if (isPlain) return findFamily(model);
		// If the service lists no models, the submit says what is wrong, if anything is.
		owners ??= connect()
			.then(askForOwners)
			.catch(() => new Map());
		return findFamily(model, (await owners).get(model));
	};

	const readRequest = async (read: Reader, shot?: Shot) => {
		const { options } = read;
		const model = read.text('model');
		const prompt = read.text('prompt');
		const typed = readHandFields(read);
		const set = readFamilyOptions(read);
		// The shot behind begins with it.
		if (shot) set.returnLastFrame = true;
		const { before } = shot ?? {};
		const beginsWith = before === undefined ? undefined : toPlaceholder(before);
		const given = await readPictures(read, beginsWith);
		const isPlain = [set, given, typed].every((all) => Object.keys(all).length === 0);
		const family = await findFamilyOf(model, options.choice('modelFamily'), isPlain);
		if (shot) checkShot(read, shot, model, family, given);
		const load = async (url: string) => await loadPicture(url, run, await connect());
		const pictures = await writePictures(given, family, load);
		const video = { prompt, options: set, pictures, byHand: flatten(typed) };
		const label = (name: string) => settingReader(read, name).label(name);
		const fields = toFields(family, model, video, { label, refuse: options.refuse });
		const request: SubmitRequest = { ...merge(typed, fields), model, prompt };
		return { request, family };
	};

	return {
		/** Returns the smallest Max Videos per Execution of all items so far, readable or not. */
		maxVideos: () => maxVideos,
		async read(read: Reader): Promise<VideoJob> {
			const { options } = read;
			const limit = options.number('maxVideos', { min: 0, whole: true }) || Infinity;
			maxVideos = Math.min(maxVideos, limit);
			checkWords(read, 'prompt', parameters);
			checkGuards(read, parameters);
			const dryRun = options.boolean('dryRun');
			const wait = read.choice('wait') as VideoJob['wait'];
			const downloadVideo = wait !== 'none' && read.boolean('downloadVideo');
			const polling = options.group('polling');
			const seconds = polling.numberOrDefault('pollInterval', { above: 0 });
			// An agent can follow an unfinished task, so a time-out is no reason to fail.
			const onTimeout =
				forAgent && !polling.isSet('onTimeout') ? 'returnTask' : polling.choice('onTimeout');
			const binaryProperty = options.optionalText('binaryProperty').trim() || 'data';
			const download = readDownloadOptions(options, binaryProperty, forAgent);
			const film = readFilm(read);
			const shot = (await shots).get(read.itemIndex);
			const { request, family } = await readRequest(read, shot);
			return {
				itemIndex: read.itemIndex,
				wait: dryRun ? 'none' : wait,
				pollIntervalMs: seconds * 1000,
				hasLiveRecord: family?.hasLiveRecord === true && !polling.isSet('pollInterval'),
				maxWaitMs: options.numberOrDefault('maxWait', { above: 0 }) * 60_000,
				headStartMs: polling.numberOrDefault('headStart', { min: 0 }) * 1000,
				timeOutFails: onTimeout === 'fail',
				briefly: forAgent && !options.isSet('maxWait'),
				downloadVideo: downloadVideo && !dryRun,
				...download,
				rawResponse: options.boolean('rawResponse'),
				carried: forAgent ? undefined : (readCarried(read, RENDER_STATE) ?? carryFilm(read, film)),
				dryRun,
				shot,
				concurrency: Math.max(1, Math.floor(polling.numberOrDefault('concurrency', { above: 0 }))),
				request,
				family: family?.label,
				asksLastFrame: options.group('lastFrame').boolean('returnLastFrame'),
				wish: toWish(run, read.itemIndex),
				...readEarlierError(read.input.json),
			};
		},
	};
}

/** Reads Additional Fields; leaves out an empty `metadata`. */
function readHandFields(read: Reader): IDataObject {
	const { label, object } = read.options;
	const { metadata: given, ...typed } = object('additionalFields');
	// The gateway would read it as `metadata`, and use whichever of the two comes last.
	const respelled = Object.keys(typed).find((name) => foldCase(name) === 'metadata');
	if (respelled) read.refuse(...contradict('metadata', respelled));
	const metadata = read.toObject(given, `metadata in ${label('additionalFields')}`);
	return Object.keys(metadata).length > 0 ? { ...typed, metadata } : typed;
}

/** Returns the reader of a setting: three of them stand outside Options, one in a group of it. */
function settingReader(read: Reader, name: string): Reader {
	if (name === 'returnLastFrame') return read.options.group('lastFrame');
	return ['aspectRatio', 'duration', 'resolution'].includes(name) ? read : read.options;
}

/** Reads those settings that are set and that families of models spell in their own ways. */
function readFamilyOptions(read: Reader): VideoSpec['options'] {
	const { options } = read;
	const readers: Record<FamilyOption, () => Value | undefined> = {
		aspectRatio: () => read.text('aspectRatio'),
		duration: () => read.number('duration', { min: 1, whole: true }),
		generateAudio: () => options.boolean('generateAudio'),
		negativePrompt: () => options.text('negativePrompt'),
		resolution: () => read.text('resolution'),
		returnLastFrame: () => options.group('lastFrame').boolean('returnLastFrame'),
		seed: () => options.number('seed', { whole: true }),
	};
	const set = FAMILY_OPTIONS.filter((name) => settingReader(read, name).isSet(name));
	return Object.fromEntries(set.map((name) => [name, readers[name]()]));
}

/**
 * Refuses an expression that gives nothing for an option that holds back money. One with a wrong field
 * name, say, would otherwise submit and pay. Elsewhere, nothing stands for the model's default.
 */
function checkGuards({ options }: Reader, { options: written }: IDataObject): void {
	const check = (guards: Reader, given: unknown, name: string) => {
		if (!isObject(given) || !isExpression(given[name]) || guards.isSet(name)) return;
		const label = guards.label(name);
		guards.refuse(`${label} is empty`, `Fill in ${label}. ${CHECK_EXPRESSION}`);
	};
	check(options, written, 'dryRun');
	check(options, written, 'maxVideos');
	const lastFrame = toObject(toObject(written).lastFrame);
	for (const name of ['chainShots', 'groupBy']) check(options.group('lastFrame'), lastFrame, name);
}

/**
 * Reads the earlier error of an item that comes back from the error output: it is not paid for
 * again while it may have a task.
 */
export function readEarlierError({ error }: IDataObject) {
	if (!isObject(error)) return {};
	const isNext = (next: Next) => error.next === next;
	return {
		failedTaskId: toText(error.task_id),
		cameToNothing: isNext('changeRequest'),
		unclearSince: isNext('checkUsage') ? (toText(error.submitted_at) ?? '') : undefined,
	};
}
