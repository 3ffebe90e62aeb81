import type { IDataObject } from 'n8n-workflow';

import { loadPicture } from '../shared/download/loadPicture';
import { valueAt } from '../shared/family/body';
import { isChoice, type SettingName, SETTINGS } from '../shared/family/family';
import type { VideoSpec } from '../shared/family/toRequest';
import { toPlainName } from '../shared/family/versions';
import { readCarriedAround } from '../shared/item/carried';
import { readDownloadOptions } from '../shared/item/downloadOptions';
import { checkPrompt, checkPromptText } from '../shared/item/checkPrompt';
import { type Reader, refuseNothing } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { toObject, toText } from '../shared/lib/json';
import { OPENAI_VIDEOS, type Route, ROUTES } from '../shared/service/routes';
import type { SubmitRequest } from '../shared/service/submit';
import { MAX_PER_DAY } from '../shared/task/videoLimits';
import { toAsked, toRequestHash } from '../shared/task/asked';
import { readPictures, refuseUnsent, writePictures } from './pictures';
import type { Shot, VideoJob } from './job';
import { carryGroup, checkShot, findShots, readGroup, toPlaceholder } from './shots';
import { createWriters, type Writers } from './writers';

const EACH_A_FILM = 'An item without a film may be a shot of any: correct it, or leave it out.';
const CHECK_PICTURE = 'Check the address, or use Binary Field: the service takes images as files.';

/** Returns what reads the items of one run into jobs. */
export function createJobReader(run: Run) {
	const { forAgent, parameters } = run;
	const shots = findShots(run);
	const writers = createWriters(run);
	let maxVideos = Infinity;
	return {
		/** Returns the smallest Max Videos per Execution of all items so far, readable or not. */
		maxVideos: () => maxVideos,
		async read(read: Reader): Promise<VideoJob> {
			const { itemIndex, options } = read;
			const shot = (await shots).get(itemIndex);
			if (shot)
				run.summaries.set(itemIndex, { ...run.summaries.get(itemIndex), place: shot.place });
			const cost = options.group('cost');
			const limit = cost.number('maxVideos', { min: 0, whole: true }) ?? Infinity;
			maxVideos = Math.min(maxVideos, limit);
			const { cost: guards } = toObject(parameters.options);
			for (const name of ['dryRun', 'maxVideos', 'maxVideosPerDay']) {
				refuseNothing(cost, name, toObject(guards)[name]);
			}
			const dryRun = cost.boolean('dryRun');
			const wait = read.choice('wait') as VideoJob['wait'];
			const downloadVideo = wait !== 'none' && read.boolean('downloadVideo');
			const polling = options.group('polling');
			const seconds = polling.numberOrDefault('pollInterval', { above: 0 });
			// An agent can follow an unfinished task, so a time-out is no reason to fail.
			const onTimeout =
				forAgent && !polling.isSet('onTimeout') ? 'returnTask' : polling.choice('onTimeout');
			const binaryProperty = options.optionalText('binaryProperty').trim() || 'data';
			const download = readDownloadOptions(options, binaryProperty, forAgent);
			const group = readGroup(read, run);
			// The ledger has the item's task, or the unclear end of its submit.
			const isPaid = run.taskIds.has(itemIndex) || run.unclear.has(itemIndex);
			const readSent = isPaid && !dryRun ? readPaid : readRequest;
			const { family, ...sent } = await readSent(run, writers, read, shot);
			return {
				itemIndex,
				wait: dryRun ? 'none' : wait,
				pollIntervalMs: seconds * 1000,
				looksSeldom: family?.hasLiveRecord === true && !polling.isSet('pollInterval'),
				maxWaitMs: options.numberOrDefault('maxWait', { above: 0 }) * 60_000,
				headStartMs: polling.numberOrDefault('headStart', { min: 0 }) * 1000,
				timeOutFails: onTimeout === 'fail',
				briefly: forAgent && !options.isSet('maxWait'),
				downloadVideo: downloadVideo && !dryRun,
				...download,
				rawResponse: options.boolean('rawResponse'),
				carried: forAgent
					? undefined
					: {
							...(readCarriedAround(read) ?? carryGroup(read, group)),
							...shot?.place,
						},
				dryRun,
				shot,
				concurrency: Math.max(1, Math.floor(polling.numberOrDefault('concurrency', { above: 0 }))),
				...sent,
				family: family?.label,
				maxVideosPerDay: cost.number('maxVideosPerDay', { min: 0, max: MAX_PER_DAY, whole: true }),
				asksLastFrame: options.group('film').boolean('returnLastFrame'),
			};
		},
	};
}

/** Resolves to whether the credential says that each video goes out as a form. */
async function choosesForms(connect: Writers['connect']): Promise<boolean> {
	const { requestBody, routes } = await connect();
	return requestBody === 'form' && routes[0].takesForms === true;
}

/** Reads what a submit takes. */
async function readRequest(run: Run, { connect, ask, find }: Writers, read: Reader, shot?: Shot) {
	const { options } = read;
	const byHand = readHandFields(read, run);
	const model = readModel(read, byHand);
	const prompt = readPrompt(read, byHand);
	const settings = readSettings(read);
	// The shot behind begins with it.
	if (shot) settings.returnLastFrame = true;
	const { shotBefore } = shot ?? {};
	const beginsWith = shotBefore === undefined ? undefined : toPlaceholder(shotBefore);
	const pictures = await readPictures(read, beginsWith);
	const hasOnlyPrompt = [settings, pictures, byHand].every((all) => Object.keys(all).length === 0);
	const writer = await find(read, model, hasOnlyPrompt);
	const { family, takesFiles, write } = writer;
	if (shot) checkShot(read, shot, model, family, pictures);
	if (shot?.gap) refuseUnsent(options, `No shot is submitted, because ${shot.gap}`, EACH_A_FILM);
	if (shotBefore !== undefined && family?.shapeOfFrame?.test(toPlainName(model))) {
		delete settings.aspectRatio;
	}
	const load = async (url: string) => await loadPicture(url, run, await connect());
	const sendsForm = pictures.length > 0 && (takesFiles === true || (await choosesForms(connect)));
	const written = await writePictures(pictures, model, writer, load, sendsForm);
	const video = { model, prompt, settings, pictures: written, byHand };
	const notes: string[] = [];
	const editor = {
		label: (name: SettingName) => settingReader(read, name).label(name),
		refuse: options.refuse,
		note: (words: string) => void (notes.includes(words) || notes.push(words)),
	};
	const requestFor = (route: Route, inPlainFields: boolean) =>
		write(video, editor, route, inPlainFields) as SubmitRequest;
	const { routes } = hasOnlyPrompt ? { routes: ROUTES } : await connect();
	const request = requestFor(routes[0], false);
	const at = (path: string) => valueAt(request, path);
	// Only at New API, the route makes a difference.
	const needsOpenAiRoute =
		family?.needsOpenAiRoute?.(at, toPlainName(model)) === true && (await ask()).isNewApi;
	const allowed = needsOpenAiRoute || takesFiles ? (await connect()).routes : [];
	const route = allowed.find(({ submitPath }) => submitPath === OPENAI_VIDEOS);
	if (needsOpenAiRoute && !route) {
		editor.note(
			`New API's plugins may take this video for one from a single image, unless API in the credential is Auto or ${OPENAI_VIDEOS}`,
		);
	}
	const sent = JSON.stringify(request);
	if (shot && !sent.includes('"return_last_frame":true')) {
		const message = `A shot needs its last frame, and ${options.label('additionalFields')} turns it off`;
		refuseUnsent(options, message, 'Remove return_last_frame there, or Chain Shots.');
	}
	if (beginsWith && !sent.includes(beginsWith)) {
		refuseUnsent(
			options,
			`A shot begins with the last frame of the one before, and ${options.label('additionalFields')} has another image`,
			'Remove that image, or Chain Shots.',
		);
	}
	return {
		model,
		family,
		notes,
		route,
		sendsForm: takesFiles === true && written.first !== undefined,
		requestFor,
		asked: { ...toAsked(run, read.itemIndex, read), request: toRequestHash(request) },
		async loadBytes(url: string) {
			const loaded = await load(url);
			if ('bytes' in loaded) return loaded.bytes;
			const message = `The image cannot be loaded for the form: ${loaded.whyNot}`;
			return refuseUnsent(read, message, loaded.advice ?? CHECK_PICTURE);
		},
	};
}

/** Reads what following a task takes. Its pictures may be gone, as from n8n's error output. */
async function readPaid(run: Run, writers: Writers, read: Reader, shot?: Shot) {
	const model = readModel(read, readHandFields(read, run));
	const { family } = await writers.find(read, model, !shot);
	if (shot) checkShot(read, shot, model, family, []);
	const unread = () => {
		throw new Error('The request of a known task was not read');
	};
	const readRest = async () => await readRequest(run, writers, read, shot);
	const asked = toAsked(run, read.itemIndex, read);
	return { model, family, notes: [], requestFor: unread, loadBytes: unread, readRest, asked };
}

/** Reads Additional Fields, which win over the form, in Model and Prompt, too. */
function readHandFields(read: Reader, { parameters }: Run): IDataObject {
	const { label, object } = read.options;
	const shown = label('additionalFields');
	const fields = object('additionalFields');
	const written = JSON.stringify(parameters.options ?? {}).replaceAll('\\"', '"');
	for (const name of ['model', 'prompt']) {
		const value = valueAt(fields, name);
		// Some services have the prompt elsewhere. An expression that gives nothing does not say so.
		if (value === null && name === 'prompt' && /prompt["']?\s*:\s*null\b/i.test(written)) continue;
		if (value === undefined || toText(value) !== undefined) continue;
		refuseUnsent(read, `${name} in ${shown} is no text`, `Write a text, or remove ${name} there.`);
	}
	if (fields.metadata === undefined) return fields;
	return { ...fields, metadata: read.toObject(fields.metadata, `metadata in ${shown}`) };
}

const readModel = (read: Reader, byHand: IDataObject): string =>
	toText(valueAt(byHand, 'model')) ?? read.text('model');

/** Reads the prompt, and checks the one that is sent: by hand, or else that of the form. */
function readPrompt(read: Reader, byHand: IDataObject): string {
	const prompt = read.text('prompt');
	const { options } = read;
	const sent = valueAt(byHand, 'prompt');
	if (sent === undefined) checkPrompt(read, 'prompt', { ofVideo: true });
	if (typeof sent === 'string') {
		const shown = `prompt in ${options.label('additionalFields')}`;
		checkPromptText(read, shown, sent, options.typed('additionalFields'));
	}
	checkPrompt(options, 'negativePrompt', { ofVideo: true });
	return prompt;
}

/** Returns the reader of a setting: three of them stand outside Options, one in a group of it. */
function settingReader(read: Reader, name: SettingName): Reader {
	if (name === 'returnLastFrame') return read.options.group('film');
	return isChoice(name) ? read : read.options;
}

/** Reads those settings that are set and that families of models spell in their own ways. */
function readSettings(read: Reader): VideoSpec['settings'] {
	const set = (Object.keys(SETTINGS) as SettingName[]).flatMap((name) => {
		const reader = settingReader(read, name);
		const kind = SETTINGS[name];
		if (!reader.isSet(name)) return [];
		return [[name, kind === 'number' ? reader.number(name, { whole: true }) : reader[kind](name)]];
	});
	return Object.fromEntries(set) as VideoSpec['settings'];
}
