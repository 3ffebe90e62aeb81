import type { IDataObject } from 'n8n-workflow';

import { toText } from '../shared/lib/json';
import { toHttpUrl } from '../shared/lib/url';
import { toPlainName } from '../shared/models/names';
import type { VideoSpec } from '../shared/models/place';
import { isChoice, SETTING_NAMES, type SettingName, SETTINGS } from '../shared/models/settings';
import type { Family, Takes } from '../shared/models/takes';
import { checkModel } from '../shared/n8n/checkModel';
import { checkPrompt, checkPromptText } from '../shared/n8n/checkPrompt';
import type { Reader } from '../shared/n8n/reader';
import type { Run } from '../shared/n8n/run';
import { isExpression } from '../shared/n8n/values';
import type { Service } from '../shared/services/contract';
import type { VideoRequest } from '../shared/services/submit';
import { type Asked, toRequestHash } from '../shared/task/asked';
import type { HeldPictures } from './heldPictures';
import type { Shot, VideoJob } from './job';
import { readModelFields } from './modelFields';
import { readPictures, refuseUnsent, writePictures } from './pictures';
import { checkShot, toPlaceholder } from './shots';
import { familyOf, write, type Writers } from './writers';

/**
 * Reads what an item asks for but its pictures.
 *
 * @param service takes the address of a model's page for its name; missing before the credential is open
 */
export function readWords(read: Reader, service?: Service) {
	const typed = readHandFields(read);
	const model = readModelName(read, typed, service);
	const byHand = typed.model === undefined ? typed : { ...typed, model };
	return { byHand, model, prompt: readPrompt(read, byHand), settings: readSettings(read) };
}

/**
 * Refuses an empty prompt, if it is needed: where the model's schema has a field for it that may be empty, an
 * expression that gives nothing is still a mistake, and the video would be of anything.
 *
 * @param takes missing where no schema is to be read
 */
function checkHasPrompt(
	read: Reader,
	{ byHand, prompt }: Pick<VideoSpec, 'byHand' | 'prompt'>,
	takes?: Takes,
): void {
	const { at, isOptional } = takes?.prompt ?? { at: 'prompt', isOptional: false };
	const isByHand = [byHand.prompt, at && byHand[at]].some((one) => one !== undefined);
	const mayBeEmpty = at === undefined || (isOptional && !isExpression(read.typed('prompt')));
	if (prompt === '' && !isByHand && !mayBeEmpty) read.text('prompt');
}

/** Refuses an empty prompt before the pictures of all items are read, where only a schema could say that none is needed. */
export async function checkPromptEarly(
	read: Reader,
	words: Pick<VideoSpec, 'byHand' | 'prompt'>,
	connect: Run['connect'],
): Promise<void> {
	if (words.prompt !== '') return;
	const { service } = await connect();
	if (!service.schema) checkHasPrompt(read, words);
}

interface RequestOfItem {
	model: string;
	request: VideoRequest;
	asked: Asked;
	family?: Family;
	notes: string[];
}

/** Reads what a submit takes; reads its pictures to their ends. */
export async function readRequest(
	run: Run,
	{ connect, find }: Writers,
	held: HeldPictures,
	read: Reader,
	{ shot, asked }: Pick<VideoJob, 'shot' | 'asked'>,
): Promise<RequestOfItem> {
	const connection = await connect();
	const { byHand, model, prompt, settings } = readWords(read, connection.service);
	// The shot behind begins with it.
	if (shot) settings.returnLastFrame = true;
	const { shotBefore } = shot ?? {};
	const beginsWith = shotBefore === undefined ? undefined : toPlaceholder(shotBefore);
	const reading = { ...run, held };
	const pictures = await readPictures(read, reading, beginsWith);
	const hasOnlyPrompt = [settings, pictures, byHand].every((all) => Object.keys(all).length === 0);
	const notes: string[] = [];
	const note = (words: string) => void (notes.includes(words) || notes.push(words));
	const writer = await find(read, model, hasOnlyPrompt, note);
	const family = familyOf(writer);
	if (shot) checkShot(read, family);
	// The shot has the shape of the frame that it begins with, and the first one has that ratio.
	if (shotBefore !== undefined && family?.frameMayShape?.test(toPlainName(model))) {
		delete settings.aspectRatio;
	}
	const { service } = connection;
	const written = await writePictures(pictures, writer.takes, model, reading, service);
	const modelFields = readModelFields(read, writer.takes, { model, label: service.label });
	checkHasPrompt(read, { byHand: { ...modelFields, ...byHand }, prompt }, writer.takes);
	const video = { model, prompt, settings, pictures: written, byHand, modelFields };
	const request = write(writer, video, { note, refuse: read.options.refuse });
	// What the model makes is no part of what was asked for.
	const hash = toRequestHash({ ...request.video, makes: undefined });
	return { model, family, notes, request, asked: { ...asked, request: hash } };
}

/**
 * Reads an item of which the ledger has the task, without its request: its pictures may be gone, as from
 * n8n's error output. They are read only if the task has failed.
 */
export async function readKnown(
	writers: Writers,
	read: Reader,
	shot?: Shot,
): Promise<{ model: string; family?: Family }> {
	const { service } = await writers.connect();
	const model = readModelName(read, readHandFields(read), service);
	const isByFamily = service.writing === 'family';
	const family = isByFamily ? familyOf(await writers.find(read, model, !shot)) : undefined;
	if (shot) checkShot(read, family);
	return { model, family };
}

/** Reads Additional Fields, which win over the form, in Model and Prompt, too. */
function readHandFields(read: Reader): IDataObject {
	const shown = read.options.label('additionalFields');
	const fields = read.options.object('additionalFields');
	const typed = String(read.options.typed('additionalFields'));
	for (const name of ['model', 'prompt']) {
		const value = fields[name];
		const other = Object.keys(fields).find((key) => key !== name && key.toLowerCase() === name);
		// Services written in Go read names in any letter case, and the last one counts.
		if (other) refuseUnsent(read, `${other} in ${shown} is misspelled`, `Write it as ${name}.`);
		// Some services have the prompt elsewhere. An expression that gives nothing does not say so.
		const isElsewhere =
			value === null && name === 'prompt' && /prompt["']?\s*:\s*null\b/i.test(typed);
		if (value === undefined || isElsewhere || toText(value) !== undefined) continue;
		refuseUnsent(read, `${name} in ${shown} is no text`, `Write a text, or remove ${name} there.`);
	}
	if (fields.metadata === undefined) return fields;
	return { ...fields, metadata: read.toObject(fields.metadata, `metadata in ${shown}`) };
}

function readModelName(read: Reader, byHand: IDataObject, service?: Service): string {
	const sent = toText(byHand.model);
	const shown =
		sent === undefined ? read.label('model') : `model in ${read.options.label('additionalFields')}`;
	const typed = checkModel(read, shown, sent ?? read.text('model'));
	const model = service ? toModelName(service, typed) : typed;
	if (!service?.modelAt || !toHttpUrl(model)) return model;
	const message = `Model is an address, and not that of a model at ${service.label}`;
	return refuseUnsent(read, message, 'Enter the name of the model, or choose it from the list.');
}

/** Returns the model that the address of its page names; any other text as it is. */
export function toModelName({ modelAt }: Service, typed: string): string {
	const address = toHttpUrl(typed);
	return (address && modelAt?.(address)) || typed;
}

/** Reads the prompt, and checks the one that is sent: by hand, or else that of the form. */
function readPrompt(read: Reader, byHand: IDataObject): string {
	const prompt = read.optionalText('prompt').trim();
	const { options } = read;
	const sent = byHand.prompt;
	if (sent === undefined) checkPrompt(read, 'prompt', { ofVideo: true });
	if (typeof sent === 'string') {
		const shown = `prompt in ${options.label('additionalFields')}`;
		checkPromptText(read, shown, sent, { ofVideo: true, typed: options.typed('additionalFields') });
	}
	checkPrompt(options, 'negativePrompt', { ofVideo: true });
	return prompt;
}

/** Returns the reader of a setting: three of them stand outside Options. */
const settingReader = (read: Reader, name: SettingName): Reader =>
	isChoice(name) ? read : read.options;

/** Reads those settings that are set and that families of models spell in their own ways. */
function readSettings(read: Reader): VideoSpec['settings'] {
	const set = SETTING_NAMES.flatMap((name) => {
		const reader = settingReader(read, name);
		const { kind } = SETTINGS[name];
		if (!reader.isSet(name)) return [];
		return [[name, kind === 'number' ? reader.number(name, { whole: true }) : reader[kind](name)]];
	});
	return Object.fromEntries(set) as VideoSpec['settings'];
}
