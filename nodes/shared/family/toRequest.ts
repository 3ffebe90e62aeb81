import type { IDataObject } from 'n8n-workflow';

import { hasValueAt, mergeByHand, valueAt, writeAt } from './body';
import { isForeign } from './families';
import { RENDERS_FROM, toPlainName } from './names';
import {
	type Field,
	hasReferences,
	type Pictures,
	type Row,
	type SettingName,
	SETTINGS,
	toLabel,
	type Value,
} from './row';
import { isListed, takesAll, type Version, versionOf } from './versions';

/** Everything that was set for one video. */
export interface VideoSpec {
	model: string;
	prompt: string;
	settings: Partial<Record<SettingName, Value>>;
	pictures: Pictures;
	/** Additional Fields (JSON). */
	byHand: IDataObject;
	/** The name of the route by which it goes. */
	route?: string;
	/** `owned_by` of the model in the service's list. */
	owner?: string;
	/** The service may not read what is written for New API. */
	isGuess?: true;
}

/** Why a video is not submitted, and what to do. */
interface Refusal {
	message: string;
	advice: string;
}

/** `notes`: what the person has to know, in words. */
export type Written = { request: IDataObject; notes: string[] } | { refusal: Refusal };

const REPLACED = 'Additional Fields (JSON) replaces it';
const UNSURE = 'sent, but some services and versions of this model drop or refuse it';
const WITHOUT_LAST_FRAME =
	'Only Seedance models return their last frame. With others, videos look alike if they have the same reference images or seed.';

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
	/** As the editor calls them. */
	labels: string[];
	/** `unsure`: sent, too. `replaced`: by Additional Fields (JSON). `lacking`: a field for it. */
	is: 'sent' | 'unsure' | 'replaced' | 'lacking';
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
	const { model, prompt, settings, byHand } = video;
	const name = toPlainName(model);
	const version = versionOf(row.label, name);
	const isKnown = !row.isGuess && !video.isGuess && (!row.matches || version !== undefined);
	const asked = { row, video, name, version, isKnown, isForeign: isForeign(row, video.owner) };
	const names = (Object.keys(SETTINGS) as SettingName[]).filter((one) => one in settings);
	const parts = [
		placePictures(asked),
		...names.map((one) => placeSetting(asked, one)),
		placeShape(asked),
	];
	const fields = parts.map((part) => part.fields ?? {});
	const request = mergeByHand([{ model, prompt }, ...fields], byHand);
	const refusal =
		refuseLacking(asked, parts) ??
		parts.find((part) => part.refusal)?.refusal ??
		refuseRequest(asked, request);
	return refusal ? { refusal } : { request, notes: toNotes(asked, parts, request) };
}

const labelsOf = (parts: Part[], is: Part['is']): string =>
	parts.flatMap((part) => (part.is === is ? part.labels : [])).join(', ');

const isByHand = ({ byHand }: VideoSpec, { at, or = [] }: Field): boolean =>
	hasValueAt(byHand, [...at, ...or]);

const toWord = <Kind extends Value | undefined>(value: Kind) =>
	typeof value === 'string' ? value.trim().toLowerCase() : value;

function placeSetting(asked: Asked, setting: SettingName): Part {
	const { row, video, name, version, isKnown, isForeign } = asked;
	const { [setting]: field } = row.fields;
	const label = toLabel(setting);
	const labels = [label];
	if (field && isByHand(video, field)) return { labels, is: 'replaced' };
	if (!field || field.not?.test(name)) {
		const lastFrame = setting === 'returnLastFrame' ? WITHOUT_LAST_FRAME : undefined;
		return { labels, is: 'lacking', instead: row.instead?.[setting] ?? lastFrame };
	}
	const typed = video.settings[setting]!;
	// Only New API is known to read small letters.
	const value = row.matches ? toWord(typed) : typed;
	const isAuto = field.auto !== undefined && value === -1;
	const isNone = setting === 'duration' && !isAuto && Number(value) < 1;
	if (isNone || field.loses?.includes(value) || field.only?.includes(value) === false) {
		const wanted = field.only ? `one of: ${field.only.join(', ')}` : '1 or more';
		const advice = `It is "${String(value).slice(0, 50)}", which the service would drop.`;
		return { labels, is: 'sent', refusal: { message: `${label} must be ${wanted}`, advice } };
	}
	const paths = isAuto ? [field.auto!] : pathsOf(field, isForeign);
	// Channels of OpenAI's kind read `seconds`, too.
	const isOpen = isForeign && !paths.includes('seconds');
	const isNew = field.since?.test(name) === true;
	const isSure = isKnown && !isOpen && !isNew && isListed(version, setting, value);
	return { labels, is: isSure ? 'sent' : 'unsure', fields: writeAt(paths, spell(field, value)) };
}

/** A channel of OpenAI's kind refuses a `size` that is not in pixels. */
function pathsOf({ at, or = [] }: Field, isForeign: boolean): string[] {
	const isSize = isForeign && at.includes('size');
	const others = at.filter((path) => path !== 'size');
	return isSize ? (others.length > 0 ? others : or.slice(0, 1)) : at;
}

function spell({ say, upper }: Field, value: Value): Value {
	const said = say?.[String(value)] ?? value;
	return upper ? String(said).toUpperCase() : said;
}

/** Writes Aspect Ratio and Resolution as one, where the row does. */
function placeShape({ row, video, name, version, isForeign }: Asked): Part {
	const { aspectRatio, resolution } = video.settings as Record<string, string | undefined>;
	const { aspectRatio: ratioField, resolution: linesField } = row.fields;
	const nothing: Part = { labels: [], is: 'sent' };
	if (!row.shape || (aspectRatio ?? resolution) === undefined) return nothing;
	if ([ratioField, linesField].some((field) => field && isByHand(video, field))) return nothing;
	const shape = row.shape({
		ratio: toWord(aspectRatio),
		resolution: toWord(resolution),
		highest: version?.resolution?.at(-1) as string | undefined,
		hasPicture: video.pictures.first !== undefined || hasValueAt(video.byHand, row.pictures.at),
		name,
	});
	// Where Wan's sizes go on a channel of OpenAI's kind.
	const elsewhere = isForeign && linesField?.or?.find((path) => path !== 'size');
	if (shape) return { ...nothing, fields: elsewhere ? writeAt(elsewhere, shape.size) : shape };
	const wanted = [aspectRatio, resolution].flatMap((one) => one?.slice(0, 50) ?? []).join(' in ');
	const message = aspectRatio
		? `${wanted} is no size that can be sent`
		: 'Resolution needs Aspect Ratio beside it';
	const advice =
		'Change Aspect Ratio or Resolution, or write a size into Additional Fields (JSON).';
	return { ...nothing, refusal: { message, advice } };
}

const ROLES = {
	first: 'First Frame',
	last: 'Last Frame',
	references: 'Reference',
	videos: 'Reference Video',
	sounds: 'Reference Sound',
} as const;

function placePictures({ row, video, name, version, isKnown, isForeign }: Asked): Part {
	const { first, last } = video.pictures;
	const rules = row.pictures;
	const isReferring = hasReferences(video.pictures);
	const roles = (Object.keys(ROLES) as Array<keyof typeof ROLES>).filter(
		(role) => video.pictures[role]?.length,
	);
	const labels = roles.map((role) => ROLES[role]);
	if (roles.length === 0) return { labels, is: 'sent' };
	if (hasValueAt(video.byHand, rules.at)) return { labels, is: 'replaced' };

	const isFromText = row.matches && RENDERS_FROM.text.test(name);
	const takes = (role: keyof typeof ROLES) => {
		if (role === 'first' || role === 'last') {
			return !isFromText && rules[role] && !rules.not?.[role]?.test(name);
		}
		const isTaken = role === 'references' || rules.also?.includes(role);
		return isTaken && rules.references && !rules.not?.references?.test(name);
	};
	const lacking = roles.filter((role) => !takes(role));
	if (lacking.length > 0) return { labels: lacking.map((role) => ROLES[role]), is: 'lacking' };
	const mixes = (['first', 'last'] as const).every(
		(role) => !roles.includes(role) || rules.mixes?.[role]?.test(name),
	);
	if (isReferring && !mixes) {
		const message = 'References and frames exclude each other';
		const advice = 'Set First Frame to None and remove the last frame, or remove the references.';
		return { labels, is: 'sent', refusal: { message, advice } };
	}
	if (last && !first && !rules.lastAlone) {
		const advice = 'Set First Frame to the image that the video starts from.';
		return { labels, is: 'sent', refusal: { message: 'A last frame needs a first one', advice } };
	}
	const write = isReferring ? rules.references! : last ? rules.last! : rules.first!;
	const isFirstAlone = !isReferring && !last;
	const isNew = rules.since?.test(name) === true || (isForeign && !isFirstAlone);
	const isSure = isKnown && !isNew && takesAll(version, video.pictures);
	const fields = {
		...write(video.pictures, name),
		// Where a channel of OpenAI's kind reads it.
		...(isForeign && isFirstAlone && { image: first, input_reference: first }),
	};
	return { labels, is: isSure ? 'sent' : 'unsure', fields };
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
	if (isForeign || video.isGuess) return undefined;
	if (video.pictures.first && row.frameShapes?.test(name) && hasTwoShapes(asked, request)) {
		const message = `${row.label} takes the shape from the first frame, and would drop Aspect Ratio`;
		return { message, advice: 'Remove Aspect Ratio.' };
	}
	const lost = judge(asked, request, row.whatIsLost);
	return lost ? { message: lost, advice: '' } : undefined;
}

const judge = ({ video, name }: Asked, request: IDataObject, by: Row['doubt']) =>
	by?.((path) => valueAt(request, path), {
		...{ name, route: video.route, owner: video.owner?.toLowerCase() },
	});

/** Returns whether a ratio stands beside a first frame, in the form or by hand. */
function hasTwoShapes({ row, video }: Asked, request: IDataObject): boolean {
	const ratio = valueAt(request, row.fields.aspectRatio?.at[0] ?? '');
	const isFrame = !hasReferences(video.pictures) && hasValueAt(request, row.pictures.at);
	return ![undefined, 'adaptive'].includes(ratio as string) && (!!video.pictures.first || isFrame);
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
