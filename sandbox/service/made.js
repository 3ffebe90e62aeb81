'use strict';

const { PICTURE } = require('./media');
const { foreignAddress } = require('./taskRecord');

// What a task of a named service has made: what its plan says under `makes`, or else what its model makes.

/** By kind: the ending of its file, and its type. */
const FILES = {
	video: { ending: 'mp4', type: 'video/mp4' },
	image: { ending: 'png', type: 'image/png' },
	sound: { ending: 'wav', type: 'audio/wav' },
	weights: { ending: 'safetensors', type: 'application/octet-stream' },
};

const DATA_URI = `data:image/png;base64,${PICTURE.toString('base64')}`;
/** A text as models of Replicate give it, piece by piece. */
const WORDS = ['Two', ' bo', 'ats'];

/** Returns `{kind, type, url}` for each file, and `{kind, text}` for a text. */
const madeBy = (state, task) =>
	(task.makes ?? ['video']).map((kind, number) => {
		if (kind === 'text') return { kind, text: WORDS.join('') };
		if (kind === 'inline') return { kind: 'image', type: 'image/png', url: DATA_URI };
		const { ending, type } = FILES[kind];
		return { kind, type, url: foreignAddress(state.foreignUrl, task, ending, number) };
	});

/** Returns what a model makes, by the last word of its service's kind: `text-to-image`, "Text to Video". */
const kindOf = ({ category }) =>
	({ image: 'image', audio: 'sound', speech: 'sound' })[
		category?.toLowerCase().split(/[- ]/).at(-1)
	] ?? 'video';

const listOf = (made) => made.map(({ url, text }) => url ?? text);

/** What each service calls them. */
const FAL_NAMES = { video: 'video', sound: 'audio', weights: 'diffusers_lora_file' };

/** fal's models name a file by its kind, and have images in a list. */
function falOutput(made) {
	const images = made
		.filter(({ kind }) => kind === 'image')
		.map(({ url, type }) => toFile(url, type));
	const others = made.flatMap(({ kind, url, type, text }) => {
		if (kind === 'image') return [];
		return [text ? ['output', text] : [FAL_NAMES[kind], toFile(url, type)]];
	});
	return { ...Object.fromEntries(others), ...(images.length > 0 && { images }) };
}
const toFile = (url, content_type) => ({ url, content_type });

/** ffmpeg-api/compose gives its film and an image of it by their addresses alone. */
function falComposed(state, task) {
	const [film, thumbnail] = madeBy(state, { ...task, makes: ['video', 'image'] });
	return { video_url: film.url, thumbnail_url: thumbnail.url };
}

/** Replicate's are an address, a list, the words of a text, or an object. */
function replicateOutput(made) {
	const [{ kind, url }] = made;
	if (kind === 'text') return WORDS;
	if (kind === 'weights') return { weights: url };
	return made.length > 1 ? listOf(made) : url;
}

/** kie's are addresses in JSON in a text, or an object there. */
const kieOutput = (made) =>
	JSON.stringify(
		made[0].text ? { resultObject: { text: made[0].text } } : { resultUrls: listOf(made) },
	);

/** The schema of what a model of fal makes. */
function falResultSchema(model) {
	const kind = kindOf(model);
	const url = { type: 'string' };
	if (model.isFlat) return { type: 'object', properties: { video_url: url, thumbnail_url: url } };
	const file = { type: 'object', properties: { url } };
	const properties =
		kind === 'image' ? { images: { type: 'array', items: file } } : { [FAL_NAMES[kind]]: file };
	return { type: 'object', properties: { ...properties, seed: { type: 'integer' } } };
}

module.exports = {
	...{ falComposed, falOutput, falResultSchema, kieOutput, kindOf, listOf, madeBy },
	replicateOutput,
};
