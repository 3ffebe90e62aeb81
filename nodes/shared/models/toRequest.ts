import type { IDataObject } from 'n8n-workflow';

import { merge } from '../lib/json';
import { fieldAt, hasFields, hasValueAt, mergeByHand, textsIn } from './body';
import { isForeign } from './families/families';
import { versionOf } from './families/versions';
import { overModelFields } from './modelFields';
import { RENDERS_FROM, toPlainName } from './names';
import {
	type Draft,
	type Part,
	picturePaths,
	placePictures,
	placePrompt,
	placeSetting,
	placeShape,
	roleLabels,
	type VideoSpec,
} from './place';
import { SETTING_NAMES } from './settings';
import { isFamily, type Judge, type Refusal, type Takes } from './takes';

/** `notes`: what the person has to know, in words. */
export type Written = { request: IDataObject; notes: string[] } | { refusal: Refusal };

const UNSURE = 'sent, but some services and versions of this model drop or refuse it';

/**
 * Returns the request for everything that was set. What is written by hand wins, if only by another name.
 * Refuses what is known to be dropped, because it would be billed all the same: a value that a vendor refuses
 * comes back unbilled. No schema says which settings exclude each other: those are sent.
 */
export function toRequest(whole: Takes, spec: VideoSpec): Written {
	const takes = { ...whole, ...whole.placesOf?.(spec) };
	const { model, settings, modelFields = {}, owner } = spec;
	const byHand = overModelFields(modelFields, spec.byHand);
	const video = { ...spec, byHand };
	const name = toPlainName(model);
	const version = versionOf(takes, name);
	const isKnown = !takes.isGuess && (!isFamily(takes) || version !== undefined);
	const draft = { takes, video, name, version, isKnown, isForeign: isForeign(takes, owner) };
	const parts = [
		placePrompt(draft),
		...placePictures(draft),
		...SETTING_NAMES.filter((one) => one in settings).map((one) => placeSetting(draft, one)),
		placeShape(draft),
	];
	const form = parts.map(({ fields = {} }) => fields).reduce(merge, { model });
	const merged = mergeByHand(form, byHand);
	const refusal =
		refuseLacking(draft, parts) ??
		parts.find((part) => part.refusal)?.refusal ??
		refuseRequest(draft, merged);
	if (refusal) return { refusal };
	const completed = takes.complete?.(merged, byHand, modelFields) ?? { request: merged };
	if ('refusal' in completed) return completed;
	return { ...completed, notes: toNotes(draft, parts, merged, nameOver(spec)) };
}

const labelsOf = (parts: Part[], is: Part['is']): string =>
	parts.flatMap((part) => (part.is === is ? (part.label ?? []) : [])).join(', ');

/** Refuses at once all that there is no field for. */
function refuseLacking({ takes, video }: Draft, parts: Part[]): Refusal | undefined {
	const lacking = labelsOf(parts, 'lacking');
	if (!lacking) return undefined;
	const isOfModel = isFamily(takes) || takes.isExact;
	const who = isOfModel ? `"${video.model.slice(0, 200)}"` : takes.label;
	const instead = parts.flatMap((part) => part.instead ?? []);
	const { advice = [`Remove ${lacking}.`, ...instead].join(' ') } = takes;
	const message = `${who} has no field for: ${lacking}`;
	return { message, advice: typeof advice === 'string' ? advice : advice(lacking) };
}

/** Returns why a request as a whole would give another video than wanted. */
function refuseRequest(draft: Draft, request: IDataObject): Refusal | undefined {
	const { takes, video, name } = draft;
	if (isFamily(takes) && RENDERS_FROM.image.test(name) && !hasPicture(takes, request)) {
		return { message: `"${video.model}" needs an image`, advice: 'Set First Frame.' };
	}
	// Nobody knows what another channel drops.
	if (draft.isForeign || takes.isGuess) return undefined;
	if (video.pictures.first && takes.frameShapes?.test(name) && hasTwoShapes(draft, request)) {
		const message = `${takes.label} takes the shape from the first frame, and would drop Aspect Ratio`;
		return { message, advice: 'Remove Aspect Ratio.' };
	}
	const lost = judge(draft, request, takes.whatIsLost);
	return lost ? { message: lost, advice: '' } : undefined;
}

const hasPicture = ({ pictures }: Takes, request: IDataObject) =>
	hasValueAt(request, picturePaths(pictures));

const judge = ({ video, name }: Draft, request: IDataObject, by?: Judge) =>
	by?.((path) => fieldAt(request, path), {
		...{ name, owner: video.owner?.toLowerCase() },
	});

/** Returns whether a ratio stands beside a first frame, in the form or by hand. */
function hasTwoShapes({ takes, video }: Draft, request: IDataObject): boolean {
	const { first, references } = video.pictures;
	const [path] = takes.fields.aspectRatio?.at ?? [];
	const ratio = path === undefined ? undefined : fieldAt(request, path);
	const isFrame = references.length === 0 && hasPicture(takes, request);
	return ![undefined, 'adaptive'].includes(ratio as string) && (!!first || isFrame);
}

/** Returns the labels of a part whose fields are no longer in the request, because others stand there by hand. */
function labelsOfReplaced(request: IDataObject, { label, fields, pictures }: Part): string[] {
	if (!pictures) return label && fields && !hasFields(request, fields) ? [label] : [];
	const left = countEach(textsIn(request));
	// A loop has the same picture as its first and its last frame.
	const wanted = countEach(pictures.map(([, url]) => url));
	const gone = pictures.filter(([, url]) => (left.get(url) ?? 0) < wanted.get(url)!);
	return gone.length > 0 ? [roleLabels(gone)] : [];
}

function countEach(texts: string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
}

/** Returns what may have replaced something of the form. */
const nameOver = ({ modelFields = {}, byHand }: VideoSpec): string =>
	[
		...(Object.keys(modelFields).length > 0 ? ['Model Fields'] : []),
		...(Object.keys(byHand).length > 0 ? ['Additional Fields (JSON)'] : []),
	].join(' or ');

function toNotes(draft: Draft, parts: Part[], request: IDataObject, over: string): string[] {
	const { takes, name } = draft;
	const unsure = labelsOf(parts, 'unsure');
	const replaced = parts
		.flatMap((part) => (part.is === 'replaced' ? part.label! : labelsOfReplaced(request, part)))
		.join(', ');
	const mayShape = [takes.frameShapes, takes.frameMayShape].some((one) => one?.test(name));
	const notes = [
		replaced && `${replaced}: ${over} replaces it`,
		unsure && `${unsure}: ${UNSURE}`,
		mayShape &&
			hasTwoShapes(draft, request) &&
			`Aspect Ratio: ${takes.label} may take the shape from the first frame instead`,
		judge(draft, request, takes.doubt),
	];
	return notes.flatMap((note) => note || []);
}
