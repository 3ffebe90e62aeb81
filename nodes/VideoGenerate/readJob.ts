import type { IDataObject } from 'n8n-workflow';

import { familyNamed, findFamily } from '../shared/family/families';
import { type Family, isChoice, type SettingName, SETTINGS } from '../shared/family/family';
import { toRequest, toRequestInWay, valueAt, type VideoSpec } from '../shared/family/toRequest';
import { toPlainName } from '../shared/family/versions';
import {
	OPENAI,
	PLAIN,
	SIDE_BY_SIDE,
	SIDE_BY_SIDE_WITH_SIZE,
	type Way,
} from '../shared/family/ways';
import { askForOwners } from '../shared/fields/searchModels';
import { loadPicture } from '../shared/download/loadPicture';
import { readCarriedAround } from '../shared/item/carried';
import { readDownloadOptions } from '../shared/item/downloadOptions';
import { checkPrompt, findPrompts } from '../shared/item/checkPrompt';
import { CHECK_EXPRESSION, isExpression } from '../shared/item/expression';
import type { Reader } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { adviceFor } from '../shared/item/words';
import { isObject, toObject, toText } from '../shared/lib/json';
import { lowerFirst } from '../shared/lib/text';
import { type Connection, openConnection } from '../shared/service/connection';
import { applyRules, createFieldRules, type FieldRules } from '../shared/service/fieldRules';
import { askWho } from '../shared/service/findRoute';
import { OPENAI_VIDEOS, type Route, ROUTES } from '../shared/service/routes';
import type { SubmitRequest } from '../shared/service/videoApi';
import { MAX_PER_DAY } from '../shared/task/videoLimits';
import { toFact, toWish } from '../shared/task/wish';
import { readPictures, refuseUnsent, writePictures } from './pictures';
import type { Shot, VideoJob } from './job';
import { carryGroup, checkShot, findShots, readGroup, toPlaceholder } from './shots';

const CHECK_PICTURE = 'Check the address, or use Binary Field: the service takes images as files.';

/** Returns what reads the items of one run into jobs. */
export function createJobReader(run: Run) {
	const { forAgent, parameters } = run;
	const shots = findShots(run);
	const rules = createRules(run);
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
			checkGuards(read, parameters);
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
			const group = readGroup(read);
			// The ledger has the item's task, or the unclear end of its submit.
			const isPaid = run.taskIds.has(itemIndex) || run.unclear.has(itemIndex);
			const readSent = isPaid && !dryRun ? readPaid : readRequest;
			const { family, ...sent } = await readSent(run, rules, read, shot);
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

/** Returns what finds the rules by which the settings of a run's items are written. */
function createRules(run: Run) {
	const { context, credential, redaction } = run;
	let connection: Promise<Connection> | undefined;
	let asked: ReturnType<typeof askService> | undefined;
	const connect = async () =>
		await (connection ??= openConnection(context, credential, redaction, run.traits));

	/** Resolves to the owners of models, and to why nobody knows whether the service is New API. */
	const askService = async () => {
		const connection = await connect();
		const owners = await askForOwners(connection);
		const { settings, traits, send } = connection;
		const isKnown = owners || traits.isNewApi || settings !== 'auto';
		return { owners, failure: isKnown ? undefined : await askWho(send, traits) };
	};

	/** Asks the service once for the whole run. */
	const ask = async () => await (asked ??= askService());

	/**
	 * Resolves to the family whose rules hold for a model: the chosen one, or the one that New API or
	 * the model's name tells. For any other service, families hold no rules, and settings are written
	 * in a way that the route decides.
	 */
	const find = async (
		{ options }: Reader,
		model: string,
		isPlain: boolean,
	): Promise<{
		family?: Family;
		byName?: Family;
		wayOf?: (route: Route, rules?: FieldRules) => Way;
		isUnknown?: true;
	}> => {
		const chosen = options.choice('modelFamily');
		if (chosen !== 'auto') return { family: familyNamed(chosen) };
		const byName = findFamily(model);
		// Nothing depends on the service, so it is not asked.
		if (isPlain && !byName?.models?.some(([name]) => name.test(toPlainName(model))))
			return { family: byName };
		const { settings } = await connect();
		if (settings === 'openAi' || settings === 'plain') {
			return { wayOf: () => (settings === 'openAi' ? OPENAI : PLAIN) };
		}
		const { owners, failure } = await ask();
		if (failure && !isPlain) {
			const message = `Nobody knows yet how this service takes settings: ${lowerFirst(failure.message)}`;
			refuseUnsent(options, message, adviceFor(failure) ?? 'Try again in a minute.');
		}
		const { writesByModel } = await connect();
		if (writesByModel) return { family: findFamily(model, owners?.get(model)) };
		return {
			isUnknown: true,
			byName,
			wayOf({ hasSizes }, rules = createFieldRules()) {
				// Where settings stand together is mostly where OpenAI's names are.
				const ways = hasSizes
					? [SIDE_BY_SIDE_WITH_SIZE, OPENAI, PLAIN]
					: [SIDE_BY_SIDE, PLAIN, OPENAI];
				return withRules(ways[rules.way], rules);
			},
		};
	};

	return { connect, ask, find };
}

type Rules = ReturnType<typeof createRules>;

/** Reads what a submit takes. */
async function readRequest(run: Run, rules: Rules, read: Reader, shot?: Shot) {
	const { connect, ask, find } = rules;
	const { options } = read;
	const byHand = readHandFields(read, run);
	const model = readModel(read, byHand);
	const prompt = readPrompt(read, run, byHand);
	const settings = readSettings(read);
	// The shot behind begins with it.
	if (shot) settings.returnLastFrame = true;
	const { shotBefore } = shot ?? {};
	const beginsWith = shotBefore === undefined ? undefined : toPlaceholder(shotBefore);
	const pictures = await readPictures(read, beginsWith);
	const isPlain = [settings, pictures, byHand].every((all) => Object.keys(all).length === 0);
	const { family, byName, wayOf, isUnknown } = await find(read, model, isPlain);
	if (shot) checkShot(read, shot, model, family, pictures);
	const load = async (url: string) => await loadPicture(url, run, await connect());
	const written = await writePictures(pictures, model, family, load);
	const video = { model, prompt, settings, pictures: written, byHand };
	const label = (name: SettingName) => settingReader(read, name).label(name);
	const notes: string[] = [];
	const note = (words: string) => void (notes.includes(words) || notes.push(words));
	if (isUnknown) {
		const set = (Object.keys(settings) as SettingName[]).map(label);
		if (pictures.length > 0) set.push('First Frame');
		if (set.length > 0) note(`${set.join(', ')}: not known for this service, sent as given`);
	}
	const editor = { label, refuse: options.refuse, note };
	const toRouteRequest = (route: Route, rules?: FieldRules) =>
		(wayOf
			? toRequestInWay(wayOf(route, rules), video, editor, byName)
			: toRequest(family, { ...video, route: route.name }, editor)) as SubmitRequest;
	const likely = (!isPlain && (await connect()).traits.routes[0]) || ROUTES[0];
	const request = toRouteRequest(likely);
	const at = (path: string) => valueAt(request, path);
	const needsOpenAiRoute = family?.needsOpenAiRoute?.(at, toPlainName(model)) === true;
	// New API names itself in each answer, and only there the route makes a difference.
	if (needsOpenAiRoute) await ask();
	const { isNewApi, routes } = run.traits;
	if (
		needsOpenAiRoute &&
		isNewApi &&
		!routes.some(({ submitPath }) => submitPath === OPENAI_VIDEOS)
	) {
		note(
			`New API's plugins may take this video for one from a single image, unless API in the credential is Auto or ${OPENAI_VIDEOS}`,
		);
	}
	if (beginsWith && !JSON.stringify(request).includes(beginsWith)) {
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
		needsOpenAiRoute,
		requestFor: toRouteRequest,
		wish: { ...toWish(run, read.itemIndex, read), request: toFact(request) },
		async loadBytes(url: string) {
			const loaded = await load(url);
			if ('bytes' in loaded) return loaded.bytes;
			const message = `The image cannot be loaded for the form: ${loaded.whyNot}`;
			return refuseUnsent(read, message, loaded.advice ?? CHECK_PICTURE);
		},
	};
}

/** Reads what following a task takes. Its pictures may be gone, as from n8n's error output. */
async function readPaid(run: Run, rules: Rules, read: Reader, shot?: Shot) {
	const model = readModel(read, readHandFields(read, run));
	const { family } = await rules.find(read, model, !shot);
	if (shot) checkShot(read, shot, model, family, []);
	const unread = () => {
		throw new Error('The request of a known task was not read');
	};
	const readRest = async () => {
		const { requestFor, loadBytes, needsOpenAiRoute, wish } = await readRequest(
			run,
			rules,
			read,
			shot,
		);
		return { requestFor, loadBytes, needsOpenAiRoute, wish };
	};
	const wish = toWish(run, read.itemIndex, read);
	return { model, family, notes: [], requestFor: unread, loadBytes: unread, readRest, wish };
}

/** Returns a way that heeds what refusals have shown of a service's fields. */
const withRules = (way: Way, rules: FieldRules): Way => ({
	...way,
	write: (set, hasPicture) =>
		way
			.write(set, hasPicture)
			.map(({ of, fields }) => ({ of, fields: applyRules(rules, fields, set) })),
	pictures: { ...way.pictures, write: (given) => applyRules(rules, way.pictures.write(given)) },
});

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
function readPrompt(read: Reader, run: Run, byHand: IDataObject): string {
	const prompt = read.text('prompt');
	const { label, options } = read;
	const { options: written } = run.parameters;
	const fields = toObject(written).additionalFields ?? written;
	const byForm = {
		label: label('prompt'),
		written: run.parameters.prompt,
		sent: read.optionalText('prompt'),
	};
	const checked = findPrompts(byHand, fields, options.label('additionalFields'));
	if (valueAt(byHand, 'prompt') === undefined) checked.push(byForm);
	const sent = options.optionalText('negativePrompt');
	const { negativePrompt } = toObject(written);
	checked.push({ label: options.label('negativePrompt'), written: negativePrompt, sent });
	for (const one of checked) checkPrompt(read, run, one, { ofVideo: true });
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

/** The options that hold back money, by their group. */
const GUARDS = {
	cost: ['dryRun', 'maxVideos', 'maxVideosPerDay'],
	film: ['chainShots', 'groupBy'],
};

/**
 * Refuses an expression that gives nothing for an option that holds back money. One with a wrong field
 * name, say, would otherwise submit and pay. Elsewhere, nothing stands for the model's default.
 */
function checkGuards({ options }: Reader, { options: written }: IDataObject): void {
	const check = (guards: Reader, group: unknown, name: string) => {
		if (!isObject(group) || !isExpression(group[name]) || guards.isSet(name)) return;
		const label = guards.label(name);
		guards.refuse(`${label} is empty`, `Fill in ${label}. ${CHECK_EXPRESSION}`);
	};
	for (const [group, names] of Object.entries(GUARDS)) {
		for (const name of names) check(options.group(group), toObject(written)[group], name);
	}
}
