import type { IDataObject } from 'n8n-workflow';

import { merge } from '../lib/json';
import { hasValueAt, mergeByHand, fieldAt, writeAt } from './body';
import { isForeign } from './families/families';
import { isListed, takesAll, versionOf } from './families/versions';
import { RENDERS_FROM, toPlainName } from './names';
import {
	type Field,
	insteadOf,
	isChoice,
	type Judge,
	type Pictures,
	type Role,
	type Row,
	type SettingName,
	SETTINGS,
	toLabel,
	type Value,
	type Version,
} from './takes';

/** Everything that was set for one video. */
export interface VideoSpec {
	model: string;
	prompt: string;
	settings: Partial<Record<SettingName, Value>>;
	pictures: Pictures;
	/** Additional Fields (JSON). */
	byHand: IDataObject;
	/** `owned_by` of the model in the service's list. */
	owner?: string;
}

/** Why a video is not submitted, and what to do. */
interface Refusal {
	message: string;
	advice: string;
}

/** `notes`: what the person has to know, in words. */
export type Written = { request: IDataObject; notes: string[] } | { refusal: Refusal };

export const REPLACED = 'Additional Fields (JSON) replaces it';
const UNSURE = 'sent, but some services and versions of this model drop or refuse it';

interface Asked {
	row: Row;
	video: VideoSpec;
	/** The plain name of the model. */
	name: string;
	version?: Version;
	/** Something is known of what arrives. */
	isKnown: boolean;
	/** The channel is another vendor's. */
	isForeign: boolean;
}

/** What becomes of a setting, or of pictures. */
interface Part {
	/** What the editor calls them. */
	label?: string;
	/** `unsure`: sent, with a hint. `replaced`: by Additional Fields (JSON). `lacking`: a field for it. */
	is?: 'unsure' | 'replaced' | 'lacking';
	fields?: IDataObject;
	/** What to do in place of what has no field. */
	instead?: string;
	refusal?: Refusal;
}

/**
 * Returns the request for everything that was set. What is written by hand wins, if only by another name.
 * Refuses what is known to be dropped, because it would be billed all the same: a value that a vendor refuses
 * comes back unbilled.
 */
export function toRequest(row: Row, video: VideoSpec): Written {
	const { model, prompt, settings, byHand, owner } = video;
	const name = toPlainName(model);
	const version = versionOf(row, name);
	const isKnown = !row.isGuess && (!row.matches || version !== undefined);
	const asked = { row, video, name, version, isKnown, isForeign: isForeign(row, owner) };
	const names = (Object.keys(SETTINGS) as SettingName[]).filter((one) => one in settings);
	const parts = [
		placePictures(asked),
		...names.map((one) => placeSetting(asked, one)),
		placeShape(asked),
	];
	const form = parts.map(({ fields = {} }) => fields).reduce(merge, { model, prompt });
	const request = mergeByHand(form, byHand);
	const refusal =
		refuseLacking(asked, parts) ??
		parts.find((part) => part.refusal)?.refusal ??
		refuseRequest(asked, request);
	return refusal ? { refusal } : { request, notes: toNotes(asked, parts, request) };
}

const labelsOf = (parts: Part[], is: Part['is']): string =>
	parts.flatMap((part) => (part.is === is ? (part.label ?? []) : [])).join(', ');

const isByHand = ({ byHand }: VideoSpec, { at, or = [] }: Field): boolean =>
	hasValueAt(byHand, [...at, ...or]);

const toWord = <Kind extends Value | undefined>(value: Kind) =>
	typeof value === 'string' ? value.trim().toLowerCase() : value;

function placeSetting(asked: Asked, setting: SettingName): Part {
	const { row, video, name, version, isKnown, isForeign } = asked;
	const { [setting]: field } = row.fields;
	const label = toLabel(setting);
	if (field && isByHand(video, field)) return { label, is: 'replaced' };
	if (!field || field.not?.test(name)) {
		return { label, is: 'lacking', instead: insteadOf(row, setting) };
	}
	const typed = video.settings[setting]!;
	// Only New API is known to read small letters. A text such as Negative Prompt goes as it is.
	const value = row.matches && isChoice(setting) ? toWord(typed) : typed;
	const isAuto = field.auto !== undefined && value === -1;
	const { only, least = setting === 'duration' ? 1 : -Infinity, say } = field;
	if (only?.includes(value) === false || (!isAuto && Number(value) < least)) {
		const wanted = only ? `one of: ${only.join(', ')}` : `${least} or more`;
		const advice = `It is "${String(value).slice(0, 50)}", which the service would drop.`;
		return { refusal: { message: `${label} must be ${wanted}`, advice } };
	}
	const paths = isAuto ? [field.auto!] : isForeign ? withoutSize(field) : field.at;
	// Channels of OpenAI's kind read `seconds`, too.
	const isRead = !isForeign || paths.includes('seconds');
	const isSure = isKnown && isRead && isListed(version, setting, value);
	const fields = writeAt(paths, say ? say(value) : value);
	return { label, is: isSure ? undefined : 'unsure', fields };
}

/** A channel of OpenAI's kind refuses a `size` that is not in pixels. */
const withoutSize = ({ at, or = [] }: Field): string[] =>
	at.includes('size') ? [...at, ...or].filter((path) => path !== 'size').slice(0, 1) : at;

/** Writes Aspect Ratio and Resolution as one, where the row does. */
function placeShape({ row, video, name, version, isForeign }: Asked): Part {
	const { aspectRatio, resolution } = video.settings as Record<string, string | undefined>;
	const fields = [row.fields.aspectRatio, row.fields.resolution];
	const isReplaced = fields.some((field) => field && isByHand(video, field));
	if (!row.shape || (aspectRatio ?? resolution) === undefined || isReplaced) return {};
	const shape = row.shape({
		ratio: toWord(aspectRatio),
		resolution: toWord(resolution),
		highest: version?.resolution?.at(-1) as string | undefined,
		...{ isForeign, name },
	});
	if (shape) return { fields: shape };
	const wanted = [aspectRatio, resolution].flatMap((one) => one?.slice(0, 50) ?? []).join(' in ');
	const message = aspectRatio
		? `${wanted} is no size that can be sent`
		: 'Resolution needs Aspect Ratio beside it';
	const advice =
		'Change Aspect Ratio or Resolution, or write a size into Additional Fields (JSON).';
	return { refusal: { message, advice } };
}

export const ROLES: Record<Role, string> = {
	first: 'First Frame',
	last: 'Last Frame',
	image: 'Reference',
	video: 'Reference Video',
	sound: 'Reference Sound',
};

const toLabels = (roles: Role[]) => roles.map((role) => ROLES[role]).join(', ');

const rolesOf = ({ first, last, references }: Pictures): Role[] =>
	(Object.keys(ROLES) as Role[]).filter((role) => {
		const isFrame = (role === 'first' && first) || (role === 'last' && last);
		return isFrame || references.some(({ kind }) => kind === role);
	});

function placePictures({ row, video, name, version, isKnown, isForeign }: Asked): Part {
	const { first, last, references } = video.pictures;
	const rules = row.pictures;
	const roles = rolesOf(video.pictures);
	const label = toLabels(roles);
	if (roles.length === 0) return {};
	if (hasValueAt(video.byHand, rules.at)) return { label, is: 'replaced' };

	const isFromText = row.matches && RENDERS_FROM.text.test(name);
	const lacking = roles.filter(
		(role) =>
			!rules.takes?.includes(role) ||
			rules.not?.[role]?.test(name) ||
			(isFromText && (role === 'first' || role === 'last')),
	);
	if (lacking.length > 0) return { label: toLabels(lacking), is: 'lacking' };
	const isReferring = references.length > 0;
	if (isReferring && (first ?? last) !== undefined && !rules.mixes?.test(name)) {
		const message = 'References and frames exclude each other';
		const advice = 'Set First Frame to None and remove the last frame, or remove the references.';
		return { refusal: { message, advice } };
	}
	if (last && !first && !rules.lastAlone) {
		const advice = 'Set First Frame to the image that the video starts from.';
		return { refusal: { message: 'A last frame needs a first one', advice } };
	}
	const isFirstAlone = !isReferring && !last;
	const isRead = !isForeign || isFirstAlone;
	const isSure = isKnown && isRead && takesAll(version, video.pictures);
	const fields = {
		...rules.write?.(video.pictures, name),
		// Where a channel of OpenAI's kind reads it.
		...(isForeign && isFirstAlone && { image: first, input_reference: first }),
	};
	return { label, is: isSure ? undefined : 'unsure', fields };
}

/** Refuses at once all that the row has no field for. */
function refuseLacking({ row, video }: Asked, parts: Part[]): Refusal | undefined {
	const lacking = labelsOf(parts, 'lacking');
	if (!lacking) return undefined;
	const who = row.matches ? `"${video.model.slice(0, 200)}"` : row.label;
	const instead = parts.flatMap((part) => part.instead ?? []);
	const advice = row.advice ?? [`Remove ${lacking}.`, ...instead].join(' ');
	return { message: `${who} has no field for: ${lacking}`, advice };
}

/** Returns why a request as a whole would give another video than wanted. */
function refuseRequest(asked: Asked, request: IDataObject): Refusal | undefined {
	const { row, video, name, isForeign } = asked;
	if (row.matches && RENDERS_FROM.image.test(name) && !hasValueAt(request, row.pictures.at)) {
		return { message: `"${video.model}" needs an image`, advice: 'Set First Frame.' };
	}
	// Nobody knows what another channel drops.
	if (isForeign || row.isGuess) return undefined;
	if (video.pictures.first && row.frameShapes?.test(name) && hasTwoShapes(asked, request)) {
		const message = `${row.label} takes the shape from the first frame, and would drop Aspect Ratio`;
		return { message, advice: 'Remove Aspect Ratio.' };
	}
	const lost = judge(asked, request, row.whatIsLost);
	return lost ? { message: lost, advice: '' } : undefined;
}

const judge = ({ video, name }: Asked, request: IDataObject, by?: Judge) =>
	by?.((path) => fieldAt(request, path), {
		...{ name, owner: video.owner?.toLowerCase() },
	});

/** Returns whether a ratio stands beside a first frame, in the form or by hand. */
function hasTwoShapes({ row, video }: Asked, request: IDataObject): boolean {
	const { first, references } = video.pictures;
	const ratio = fieldAt(request, row.fields.aspectRatio?.at[0] ?? '');
	const isFrame = references.length === 0 && hasValueAt(request, row.pictures.at);
	return ![undefined, 'adaptive'].includes(ratio as string) && (!!first || isFrame);
}

function toNotes(asked: Asked, parts: Part[], request: IDataObject): string[] {
	const { row, name } = asked;
	const [replaced, unsure] = [labelsOf(parts, 'replaced'), labelsOf(parts, 'unsure')];
	const mayShape = [row.frameShapes, row.frameMayShape].some((one) => one?.test(name));
	const notes = [
		replaced && `${replaced}: ${REPLACED}`,
		unsure && `${unsure}: ${UNSURE}`,
		mayShape &&
			hasTwoShapes(asked, request) &&
			`Aspect Ratio: ${row.label} may take the shape from the first frame instead`,
		judge(asked, request, row.doubt),
	];
	return notes.flatMap((note) => note || []);
}
