import type { IDataObject } from 'n8n-workflow';

import { readReason } from '../failure/reason';
import { isNoAnswer } from '../http/answer';
import { toForm } from '../http/form';
import { isFilled, parseJson, toObject, toText, valueAt, withoutGaps } from '../lib/json';
import { toPathSegment } from '../lib/text';
import { fileNameOf, toBearer, withBody } from './common';
import type { Service, Way } from './contract';

const ORGANIZATION = { path: '/v1/organization' };

/** A data URI may have 5 MB, of an image, and 16 MB of anything else; base64 makes four bytes of three. */
const MAX_IMAGE_BYTES = 3.5 * 1024 ** 2;
const MAX_OTHER_BYTES = 11 * 1024 ** 2;

/** docs.dev.runwayml.com; its SDK 4.20.1, whose types tell what each model takes (2026-11). */
export const runway: Service = {
	name: 'runway',
	label: 'Runway',
	description: 'Your account at dev.runwayml.com',
	// At api.runwayml.com, which people also find, each key is refused.
	origins: ['https://api.dev.runwayml.com'],
	headers: (key) => ({ ...toBearer(key), 'X-Runway-Version': '2024-11-06' }),
	writing: 'schema',
	toSubmit: ({ model, fields }) => ({
		path: `/v1/${routeOf(fields)}`,
		body: { model, ...fields, ...withoutGaps<IDataObject>(toFiles(fields)) },
	}),
	/** The first step names an address, which takes no key; the file counts as uploaded for a day. */
	async upload(file, ask, put) {
		const filename = fileNameOf(file);
		const answer = await ask({ path: '/v1/uploads' }, { filename, type: 'ephemeral' });
		const isDone = !isNoAnswer(answer) && answer.status < 300;
		const { uploadUrl, fields, runwayUri } = toObject(isDone && parseJson(answer.body));
		const [to, at] = [toText(uploadUrl), toText(runwayUri)];
		if (!to || !at) return readReason('list', answer);
		return (await put(to, toForm({ ...toObject(fields), file: file.bytes }), 'POST')) ?? at;
	},
	uploads: ({ mimeType, sizeBytes }) =>
		sizeBytes > (mimeType.startsWith('image/') ? MAX_IMAGE_BYTES : MAX_OTHER_BYTES),
	taskPath: (task_id) => `/v1/tasks/${toPathSegment(task_id)}`,
	// "should not expect updates more frequent than once every five seconds for a given task"
	askEveryMs: 5_000,
	// Its links hold for one to two days; a look at the task gives fresh ones.
	recordAt: '',
	/** Its page calls a failure without a code an internal one. */
	toRecord(answer) {
		const record = toObject(parseJson(answer.body));
		const isBare = record.status === 'FAILED' && !isFilled(record.failureCode);
		return isBare ? withBody(answer, { ...record, failureCode: 'INTERNAL' }) : answer;
	},
	// "Fully refunded tasks report 0"; what a filter has stopped costs as much as a video.
	billed(_code, record) {
		const credits = valueAt(record, 'cost.credits');
		return typeof credits === 'number' ? (credits > 0 ? 'yes' : 'no') : undefined;
	},
	// "INTERNAL.BAD_OUTPUT" is none: it is "unlikely to help" to order the same again.
	broke: /^(INTERNAL|INPUT_PREPROCESSING\.INTERNAL|THIRD_PARTY\.UNAVAILABLE)$/,
	usagePage: 'https://dev.runwayml.com',
	cancel: {
		at: (task_id) => ({ path: `/v1/tasks/${toPathSegment(task_id)}`, method: 'DELETE' }),
		note: 'Runway removes a task that ends in this very moment, and its file with it. The cost says what it charges.',
	},
	keyTest: ORGANIZATION,
	// It has no list of models; this address at least tells whether the key works.
	lists: [ORGANIZATION],
	readList: () => [...MODELS].map(([id, { name }]) => ({ id, name, makes: 'video' })),
	schema: {
		promptAt: 'promptText',
		find: (_answer, model) => ({ ways: Object.values(MODELS.get(model)?.ways ?? {}) }),
	},
};

/** Where an order goes, by what it begins with. */
const ROUTES: Record<string, string> = {
	promptVideo: 'video_to_video',
	videoUri: 'video_to_video',
	promptImage: 'image_to_video',
};

const routeOf = (fields: IDataObject): string =>
	Object.entries(ROUTES).find(([name]) => isFilled(fields[name]))?.[1] ?? 'text_to_video';

/** Returns the lists of files as the service has them; what is an object already was written by hand. */
function toFiles({
	promptImage,
	references,
	referenceVideos,
	referenceAudio,
}: IDataObject): IDataObject {
	const toParts = (list: unknown, more: (at: number) => IDataObject) =>
		(Array.isArray(list)
			? list.map((uri: unknown, at) => (typeof uri === 'string' ? { uri, ...more(at) } : uri))
			: list) as IDataObject[] | undefined;
	const isOne =
		Array.isArray(promptImage) && promptImage.length === 1 && typeof promptImage[0] === 'string';
	return {
		promptImage: isOne
			? String(promptImage[0])
			: toParts(promptImage, (at) => ({ position: ['first', 'last'][at] })),
		references: toParts(references, () => ({})),
		referenceVideos: toParts(referenceVideos, () => ({ type: 'video' })),
		referenceAudio: toParts(referenceAudio, () => ({ type: 'audio' })),
	};
}

// What models take: the types of its SDK 4.20.1 (2026-11), and its page of models.

type Fields = Record<string, IDataObject>;

const text = { type: 'string' };
const whole = { type: 'integer' };
const flag = { type: 'boolean' };
const seconds = { type: 'number', minimum: 1 };
const oneOf = (...list: Array<string | number>) => ({
	type: typeof list[0] === 'number' ? 'integer' : 'string',
	enum: list,
});
const files = (maxItems?: number) => ({
	type: 'array',
	items: text,
	...(maxItems && { maxItems }),
});

/** @param needs names of what it cannot do without, besides what it begins with */
const way = (begins: string | undefined, needs: string, properties: Fields): Way => ({
	begins,
	schema: { type: 'object', properties, required: [...needs.split(' '), begins].filter(Boolean) },
});

const first = { promptImage: files(1) };
const frames = { promptImage: files(2) };
const prompt = { promptText: text };
const references = { references: files(9) };
const sounds = { referenceAudio: files() };
const clips = { referenceVideos: files() };

const HD = ['1280:720', '720:1280'];
const TO_FULL_HD = [...HD, '1920:1080', '1080:1920'];
const GEN4 = [...HD, '1104:832', '832:1104', '960:960', '1584:672'];
const HAPPY_HORSE = [
	...[...TO_FULL_HD, '1108:832', '832:1108', '960:960'],
	...['1662:1248', '1248:1662', '1440:1440'],
];
const SEEDANCE_720P = ['1280:720', '720:1280', '1112:834', '834:1112', '960:960', '1470:630'];
const SEEDANCE_TO_720P = [
	...SEEDANCE_720P,
	...['864:496', '496:864', '752:560', '560:752', '640:640', '992:432'],
];
const SEEDANCE_1080P = [
	'1920:1080',
	'1080:1920',
	'1664:1248',
	'1248:1664',
	'1440:1440',
	'2206:946',
];
const SEEDANCE_4K = ['3840:2160', '2160:3840', '3840:2880', '2880:3840', '3840:3840', '3840:1646'];
const SEEDANCE_2_5 = [
	...[...SEEDANCE_720P, ...SEEDANCE_1080P],
	...['854:480', '480:854', '752:560', '560:752', '640:640', '992:432'],
];
const WAN = [
	...['1280:720', '720:1280', '1104:832', '832:1104', '960:960'],
	...['832:480', '480:832', '720:544', '544:720', '624:624'],
	...['1920:1080', '1080:1920', '1648:1248', '1248:1648', '1440:1440'],
	...['auto_480p', 'auto_720p', 'auto_1080p'],
];
const OMNI = [...TO_FULL_HD, '640:360', '360:640', '3840:2160', '2160:3840'];
const HAILUO = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', 'adaptive'];

const MODE = { mode: oneOf('reference', 'extend', 'edit') };
const MODERATION = { contentModeration: { type: 'object' } };
const PRORES = { proresProfile: oneOf('422', '4444', '422 Proxy', '422 LT', '422 HQ', '4444 XQ') };
const OUTPUT = [
	...['mp4', 'prores', 'png_sequence', 'hdr10', 'hlg', 'sdr_rec709_10bit', 'hdr_pq_12bit_master'],
	...['hdr_prores', 'hdr_png_sequence', 'hdr_exr_sequence'],
	...['hdr_exr_acescg_sequence_1_3', 'hdr_exr_acescg_sequence_2_0'],
];

interface Model {
	name: string;
	ways: { video?: Way; image?: Way; text?: Way };
}

function gen45(): Model['ways'] {
	const all = {
		...{ ...prompt, duration: { ...whole, minimum: 2, maximum: 10 }, seed: whole },
		...{ ...MODERATION, ...PRORES, outputFormat: oneOf(...OUTPUT) },
	};
	return {
		image: way('promptImage', 'promptText ratio duration', {
			...{ ...first, ...all, ratio: oneOf(...GEN4) },
		}),
		text: way(undefined, 'promptText ratio duration', { ...all, ratio: oneOf(...HD) }),
	};
}

function veo(): Model['ways'] {
	const all = {
		...{ ...prompt, ratio: oneOf(...TO_FULL_HD), duration: oneOf(4, 6, 8), audio: flag },
		...{ negativePrompt: text, seed: whole },
	};
	return {
		image: way('promptImage', 'ratio', { ...frames, ...all }),
		text: way(undefined, 'promptText ratio', all),
	};
}

function seedance(ratios: string[], { needs = 'promptText', more = {} } = {}): Model['ways'] {
	const all = {
		...{ ...prompt, ...sounds, ratio: oneOf(...ratios), duration: seconds },
		...{ audio: flag, seed: whole },
	};
	const withReferences = { ...all, ...references, ...clips };
	return {
		video: way('promptVideo', '', { promptVideo: text, ...withReferences, ...more }),
		image: way('promptImage', '', { ...frames, ...all }),
		text: way(undefined, needs, withReferences),
	};
}

function wan(): Model['ways'] {
	const all = {
		...{ ...prompt, ...sounds, ...clips, ratio: oneOf(...WAN), duration: seconds, audio: flag },
	};
	return {
		image: way('promptImage', 'promptText', { ...frames, ...all }),
		text: way(undefined, 'promptText', { ...all, ...references }),
	};
}

function hailuo(): Model['ways'] {
	const all = {
		...{ ...prompt, ...sounds, ratio: oneOf(...HAILUO), duration: seconds },
		...{ resolution: oneOf('768p', '2k') },
	};
	const withReferences = { ...all, ...references, ...clips };
	return {
		video: way('promptVideo', 'promptText', { promptVideo: text, ...withReferences }),
		image: way('promptImage', 'promptText', { ...frames, ...all }),
		text: way(undefined, 'promptText', withReferences),
	};
}

function omni(): Model['ways'] {
	const all = { ...prompt, ratio: oneOf(...HD), duration: { ...seconds, minimum: 3, maximum: 10 } };
	return {
		video: way('videoUri', 'promptText', { videoUri: text, ...prompt, ...references }),
		image: way('promptImage', '', { ...first, ...all }),
		text: way(undefined, 'promptText', all),
	};
}

function omni11(): Model['ways'] {
	const all = {
		...{ ...prompt, ratio: oneOf(...OMNI), duration: { ...seconds, minimum: 3, maximum: 10 } },
	};
	return {
		video: way('videoUri', 'promptText', { videoUri: text, ...all, ...references, ...MODE }),
		image: way('promptImage', 'promptText', { ...frames, ...all }),
		text: way(undefined, 'promptText', { ...all, ...references, ...clips }),
	};
}

const h3 = {
	...{ ...prompt, duration: seconds, resolution: oneOf('480p', '768p'), seed: whole },
	...{ promptExpansionMode: oneOf('disabled', 'balanced', 'quality') },
};
const grok = { ...prompt, duration: seconds, resolution: oneOf('480p', '720p', '1080p') };
const horse = { ...prompt, duration: seconds };
const ASPECTS = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'];

const MODELS = new Map<string, Model>(
	Object.entries({
		'gen4.5': { name: 'Gen-4.5', ways: gen45() },
		gen4_turbo: {
			name: 'Gen-4 Turbo',
			ways: {
				image: way('promptImage', 'ratio', {
					...{ ...first, ...prompt, ratio: oneOf(...GEN4), duration: seconds, seed: whole },
					...MODERATION,
				}),
			},
		},
		'veo3.1': { name: 'Veo 3.1', ways: veo() },
		'veo3.1_fast': { name: 'Veo 3.1 Fast', ways: veo() },
		seedance2: {
			name: 'Seedance 2.0',
			ways: seedance([...SEEDANCE_TO_720P, ...SEEDANCE_1080P, ...SEEDANCE_4K]),
		},
		seedance2_fast: { name: 'Seedance 2.0 Fast', ways: seedance(SEEDANCE_TO_720P) },
		seedance2_mini: { name: 'Seedance 2.0 Mini', ways: seedance(SEEDANCE_TO_720P) },
		seedance2_5: {
			name: 'Seedance 2.5',
			ways: seedance(SEEDANCE_2_5, { needs: '', more: MODE }),
		},
		hailuo3: { name: 'Hailuo 3', ways: hailuo() },
		wan3: { name: 'Wan 3', ways: wan() },
		wan3_prime: { name: 'Wan 3 Prime', ways: wan() },
		happyhorse_1_0: {
			name: 'HappyHorse 1.0',
			ways: {
				image: way('promptImage', '', {
					...{ ...first, ...horse, resolution: oneOf('720p', '1080p') },
				}),
				text: way(undefined, 'promptText', { ...horse, ratio: oneOf(...HAPPY_HORSE) }),
			},
		},
		grok_imagine_1_5: {
			name: 'Grok Imagine 1.5',
			ways: {
				image: way('promptImage', '', { ...first, ...grok }),
				text: way(undefined, 'promptText', {
					...{ ...grok, ...references, ...sounds, ratio: oneOf(...ASPECTS) },
				}),
			},
		},
		gemini_omni_flash: { name: 'Gemini Omni Flash', ways: omni() },
		'gemini_omni_flash_1.1': { name: 'Gemini Omni Flash 1.1', ways: omni11() },
		h3_max: {
			name: 'H3 Max',
			ways: {
				image: way('promptImage', 'promptText', { ...frames, ...h3 }),
				text: way(undefined, 'promptText', h3),
			},
		},
		aleph2: {
			name: 'Aleph 2',
			ways: {
				video: way('videoUri', '', {
					...{ videoUri: text, ...prompt, seed: whole, ...MODERATION, ...PRORES },
					outputFormat: oneOf(...OUTPUT.slice(0, 3), 'sdr_rec709_10bit'),
					keyframes: { type: 'array', items: { type: 'object' } },
					targetAspectRatio: oneOf(...ASPECTS, '21:9'),
				}),
			},
		},
	}),
);
