interface SettingRow {
	kind: 'text' | 'number' | 'boolean';
	/** What schemas call it, the clearest first. */
	names: readonly string[];
}

/**
 * The settings of Video Generate that models spell in their own ways, or lack. The names of this table and
 * the next are those of 397 models of fal, Replicate and kie that make videos from texts and images, and of
 * all models of fal, Replicate, kie and WaveSpeed that take a video or a sound (2026-11), and of those of fal
 * and Replicate that make images, sounds and texts (fal-js of 2026-08, nodetool-replicate of 2026-04); the names in camel case are Runway's (its SDK, 2026-11). Nothing
 * asks for the last frame.
 */
export const SETTINGS = {
	aspectRatio: { kind: 'text', names: ['aspect_ratio', 'ratio', 'image_size', 'video_size'] },
	duration: { kind: 'number', names: ['duration'] },
	generateAudio: {
		kind: 'boolean',
		names: [
			...['generate_audio', 'generate_audio_switch', 'sound', 'audio', 'enable_audio'],
			...['audio_enabled', 'save_audio'],
		],
	},
	negativePrompt: { kind: 'text', names: ['negative_prompt', 'negativePrompt'] },
	resolution: { kind: 'text', names: ['resolution', 'quality', 'mode', 'size'] },
	returnLastFrame: { kind: 'boolean', names: [] },
	seed: { kind: 'number', names: ['seed'] },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

export type Value = string | number | boolean;

/** The settings whose values differ between models, so that the form lists them. */
export const CHOICES = ['aspectRatio', 'duration', 'resolution'] as const;

export type Choice = (typeof CHOICES)[number];

export const isChoice = (name: SettingName): name is Choice => CHOICES.some((one) => one === name);

/** Returns a setting as the editor calls it, such as "Negative Prompt". */
export const toLabel = (name: SettingName): string =>
	name.replace(/[A-Z]/g, ' $&').replace(/^./, (letter) => letter.toUpperCase());

/** The kinds of references. Videos and sounds are addresses. */
export type ReferenceKind = 'image' | 'video' | 'sound';

export interface Reference {
	kind: ReferenceKind;
	url: string;
}

/** Pictures as they are written: web addresses, data URIs or bare base64. */
export interface Pictures {
	first?: string;
	last?: string;
	/** In the order of Input Files: prompts may count them. */
	references: Reference[];
}

/** What a picture is for. Those of the references' kinds are references. */
export type Role = 'first' | 'last' | ReferenceKind;

/**
 * What the editor calls the roles, and what schemas do, the clearest first: beside an image that is named for
 * the first frame, `image_url` is another one.
 */
export const ROLES: Record<Role, { label: string; names: readonly string[] }> = {
	first: {
		label: 'First Frame',
		names: [
			...['start_image_url', 'start_image', 'first_frame_url', 'first_frame_image'],
			...['first_frame_image_url', 'first_image_url', 'first_frame'],
			...['image_url', 'image', 'input_image', 'source_image_url', 'input_image_url'],
			...['img', 'image_path', 'control_image', 'control_image_url', 'redux_image'],
		],
	},
	last: {
		label: 'Last Frame',
		names: [
			...['end_image_url', 'end_image', 'last_frame_url', 'last_frame_image'],
			...['last_frame_image_url', 'last_frame', 'last_image', 'tail_image_url'],
		],
	},
	image: {
		label: 'Reference',
		names: [
			...['reference_image_urls', 'reference_images', 'reference_image', 'input_image_urls'],
			...['reference_image_url', 'subject_reference_image_url', 'source_face_url', 'face_image'],
			'references',
		],
	},
	video: {
		label: 'Reference Video',
		names: [
			...['reference_video_urls', 'reference_videos', 'reference_video', 'video_urls'],
			...['videos', 'video_list', 'video_url', 'video', 'input_video', 'source_video_url'],
			...['video_file_input', 'video_path', 'init_video', 'first_clip_url', 'media_url'],
			...['control_video_url', 'target_video_url', 'referenceVideos', 'videoUri'],
		],
	},
	sound: {
		label: 'Reference Sound',
		names: [
			...['reference_audio_urls', 'reference_audios', 'audio_urls', 'audio_url', 'audio'],
			...['input_audio', 'audio_file', 'driven_audio_url', 'driving_audio_url'],
			...['source_audio_url', 'first_audio_url', 'reference_audio_url', 'reference_audio'],
			...['ref_audio_url', 'ref_audio', 'audio_prompt', 'voice_url', 'song_file'],
			...['song_input', 'reference_voice', 'prompt_audio', 'referenceAudio'],
		],
	},
};

/** What schemas call the text that a model works from, the clearest first. */
export const PROMPTS = [
	...['prompt', 'text', 'text_prompt', 'positive_prompt', 'instruction', 'gen_text', 'script'],
	...['transcript', 'text_input', 'question', 'promptText'],
];

/** Lists of images: of frames, or of whatever an image is made from. */
export const IMAGE_LISTS = [
	...['images', 'image_urls', 'input_urls', 'image_input', 'input_images', 'promptImage'],
];

export const ROLE_NAMES = Object.keys(ROLES) as Role[];

export const toLabels = (roles: Role[]): string =>
	roles.map((role) => ROLES[role].label).join(', ');

/** Returns the pictures of a request with their roles, in the order in which they are written. */
export const toRoles = ({ first, last, references }: Pictures): Array<[Role, string]> => [
	...(first === undefined ? [] : [['first', first] as [Role, string]]),
	...(last === undefined ? [] : [['last', last] as [Role, string]]),
	...references.map(({ kind, url }): [Role, string] => [kind, url]),
];
