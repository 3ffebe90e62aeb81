'use strict';

const { addresses, flag, oneOf, text, whole } = require('./properties');

// A few models of Runway, with the fields that its client of November 2026 has (npm's @runwayml/sdk 4.20.1).

const promptText = text();
const images = () => ({ anyOf: [text(), addresses(2)] });
const HD = ['1280:720', '720:1280'];
const TO_FULL_HD = [...HD, '1920:1080', '1080:1920'];
const SEEDANCE = [...HD, '1112:834', '834:1112', '960:960', '864:496', '496:864'];
const seed = whole();
const duration = { type: 'number', minimum: 1 };

const gen45 = { promptText, duration: whole({ minimum: 2, maximum: 10 }), seed };
const veo = {
	...{ promptText, seed, audio: flag(true), negativePrompt: text() },
	...{ ratio: oneOf(TO_FULL_HD), duration: oneOf([4, 6, 8], 8, 'integer') },
};
const seedance = { promptText, seed, audio: flag(true), ratio: oneOf(SEEDANCE), duration };
const lists = { references: addresses(9), referenceVideos: addresses(3) };
const sounds = { referenceAudio: addresses(3) };

/** A few models, by the routes that take them. */
const RUNWAY_MODELS = {
	'text_to_video/gen4.5': {
		required: ['promptText', 'ratio', 'duration'],
		properties: { ...gen45, ratio: oneOf(HD) },
	},
	'image_to_video/gen4.5': {
		required: ['promptText', 'promptImage', 'ratio', 'duration'],
		properties: {
			...{ ...gen45, promptImage: images() },
			ratio: oneOf([...HD, '1104:832', '832:1104', '960:960', '1584:672']),
		},
	},
	'image_to_video/gen4_turbo': {
		required: ['promptImage', 'ratio'],
		properties: { promptText, promptImage: images(), ratio: oneOf(HD), duration, seed },
	},
	'text_to_video/veo3.1': { required: ['promptText', 'ratio'], properties: veo },
	'image_to_video/veo3.1': {
		required: ['promptImage', 'ratio'],
		properties: { ...veo, promptImage: images() },
	},
	'text_to_video/seedance2_fast': {
		required: ['promptText'],
		properties: { ...seedance, ...lists, ...sounds },
	},
	'image_to_video/seedance2_fast': {
		required: ['promptImage'],
		properties: { ...seedance, ...sounds, promptImage: images() },
	},
	'text_to_video/happyhorse_1_0': {
		required: ['promptText'],
		properties: { promptText, duration, ratio: oneOf(TO_FULL_HD) },
	},
	'image_to_video/happyhorse_1_0': {
		required: ['promptImage'],
		properties: {
			...{ promptText, duration, promptImage: images() },
			resolution: oneOf(['720p', '1080p']),
		},
	},
	// One that Runway may have some day.
	'text_to_video/gen9': { required: ['promptText'], properties: { promptText, length: whole() } },
	'image_to_video/gen9': {
		required: ['promptImage'],
		properties: { promptText, promptImage: images(), length: whole() },
	},
	'video_to_video/aleph2': {
		required: ['videoUri'],
		properties: { promptText, videoUri: text(), seed },
	},
};

module.exports = { RUNWAY_MODELS };
