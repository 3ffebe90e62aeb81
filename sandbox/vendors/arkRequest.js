'use strict';

const { flag, mediaUrl, oneOf, problemOf, whole } = require('./rules');

// What Volcengine Ark documents about the request for a content generation task, and how it counts.

const RULES = {
	'model!': [(value) => typeof value === 'string', 'must be a string'],
	'content!': [Array.isArray, 'must be an array'],
	duration: [
		(value) => value === -1 || (Number.isInteger(value) && value >= 2 && value <= 15),
		'must be -1 or a whole number from 2 to 15',
	],
	resolution: oneOf('480p', '720p', '1080p'),
	ratio: oneOf('21:9', '16:9', '4:3', '1:1', '3:4', '9:16', 'adaptive'),
	seed: whole(-1, 4294967295),
	camera_fixed: flag,
	watermark: flag,
	generate_audio: flag,
	return_last_frame: flag,
};

const ROLES = [undefined, 'first_frame', 'last_frame', 'reference_image'];

/** What is wrong with one item of the content. */
function problemOfItem(entry, index) {
	const { type, text, role, ...item } = entry ?? {};
	const place = `content[${index}]`;
	if (type === 'text') return typeof text === 'string' ? undefined : `${place}.text is required`;
	if (!['image_url', 'video_url', 'audio_url'].includes(type)) return `${place}.type is not valid`;
	const [fits, says] = mediaUrl;
	if (!fits(item[type]?.url)) return `${place}.${type}.url ${says}`;
	return type !== 'image_url' || ROLES.includes(role) ? undefined : `${place}.role is not valid`;
}

const DEFAULT_SECONDS = 5;
const FRAMES_PER_SECOND = 24;
const HEIGHTS = { '480p': 480, '720p': 720, '1080p': 1080 };

/** Tokens as the price list counts them: width x height x frames / 1024. */
function tokensOf({ duration = DEFAULT_SECONDS, resolution = '720p' }) {
	const height = HEIGHTS[resolution];
	const seconds = duration > 0 ? duration : DEFAULT_SECONDS;
	return Math.ceil((height * ((height * 16) / 9) * seconds * FRAMES_PER_SECOND) / 1024);
}

/** The first thing that is wrong with a request. */
const problemOfTask = (body) =>
	problemOf(body, RULES) ?? body.content.map(problemOfItem).find((found) => found !== undefined);

module.exports = { problemOfTask, tokensOf, DEFAULT_SECONDS, FRAMES_PER_SECOND };
