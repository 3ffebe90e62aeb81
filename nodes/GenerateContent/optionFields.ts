import type { INodeProperties } from 'n8n-workflow';

import {
	includeThoughtsField,
	maxOutputTokensField,
	temperatureField,
	textTimeoutField,
	thinkingBudgetField,
	thinkingLevelField,
	topPField,
} from '../shared/fields/text';

const aspectRatioField: INodeProperties = {
	displayName: 'Aspect Ratio',
	name: 'aspectRatio',
	type: 'options',
	options: [
		...['1:1', '1:4', '1:8', '16:9', '2:3', '21:9', '3:2', '3:4', '4:1', '4:3', '4:5', '5:4'],
		...['8:1', '9:16'],
	].map((value) => ({ name: value, value })),
	default: '1:1',
	description: 'The shape of generated images, for models that generate them',
};

/** The value of Media Type that reads the type from the address; all other values are types. */
export const BY_ADDRESS = 'byAddress';

const fileUrlsField: INodeProperties = {
	displayName: 'File URLs',
	name: 'fileUrls',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add File URL',
	default: {},
	description:
		'Files that the model reads from their addresses, such as YouTube videos. They do not pass through n8n and do not count towards the limit of Input Binary Fields. Not every model opens every address.',
	options: [
		{
			displayName: 'File',
			name: 'files',
			values: [
				{
					displayName: 'URL',
					name: 'url',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://www.youtube.com/watch?v=9hE5-98ZeCg',
					description:
						'The address of the file: https, a YouTube video, or gs:// for Google Cloud Storage. An expression can also give an array of addresses.',
				},
				{
					displayName: 'Media Type',
					name: 'mediaType',
					type: 'options',
					options: [
						{ name: 'By Address', value: 'byAddress', description: 'As the end of the URL says' },
						{ name: 'CSV', value: 'text/csv' },
						{ name: 'FLAC Audio', value: 'audio/flac' },
						{ name: 'HTML', value: 'text/html' },
						{ name: 'JPEG Image', value: 'image/jpeg' },
						{ name: 'MOV Video', value: 'video/quicktime' },
						{ name: 'MP3 Audio', value: 'audio/mp3' },
						{ name: 'MP4 Video', value: 'video/mp4' },
						{ name: 'OGG Audio', value: 'audio/ogg' },
						{ name: 'PDF', value: 'application/pdf' },
						{ name: 'PNG Image', value: 'image/png' },
						{ name: 'Text', value: 'text/plain' },
						{ name: 'WAV Audio', value: 'audio/wav' },
						{ name: 'WebM Video', value: 'video/webm' },
						{ name: 'WebP Image', value: 'image/webp' },
					],
					default: 'byAddress',
					description:
						'What type of file it is. An expression can give any other type, such as audio/aac.',
				},
			],
		},
	],
};

const imageSizeField: INodeProperties = {
	displayName: 'Image Size',
	name: 'imageSize',
	type: 'options',
	options: ['1K', '2K', '4K'].map((value) => ({ name: value, value })),
	default: '1K',
	description: 'The size of generated images. Larger ones cost more. Not every model supports it.',
};

const safetySettingsField: INodeProperties = {
	displayName: 'Safety Settings',
	name: 'safetySettings',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Setting',
	default: {},
	description: 'What the safety filter blocks. Not every account is allowed to relax it.',
	options: [
		{
			displayName: 'Setting',
			name: 'settings',
			values: [
				{
					displayName: 'Category',
					name: 'category',
					type: 'options',
					options: [
						{ name: 'Civic Integrity', value: 'HARM_CATEGORY_CIVIC_INTEGRITY' },
						{ name: 'Dangerous Content', value: 'HARM_CATEGORY_DANGEROUS_CONTENT' },
						{ name: 'Harassment', value: 'HARM_CATEGORY_HARASSMENT' },
						{ name: 'Hate Speech', value: 'HARM_CATEGORY_HATE_SPEECH' },
						{ name: 'Sexually Explicit', value: 'HARM_CATEGORY_SEXUALLY_EXPLICIT' },
					],
					default: 'HARM_CATEGORY_HARASSMENT',
				},
				{
					displayName: 'Threshold',
					name: 'threshold',
					type: 'options',
					options: [
						{ name: 'Block Few: High Risk Only', value: 'BLOCK_ONLY_HIGH' },
						{ name: 'Block Most: Low Risk and Above', value: 'BLOCK_LOW_AND_ABOVE' },
						{ name: 'Block None', value: 'BLOCK_NONE' },
						{ name: 'Block Some: Medium Risk and Above', value: 'BLOCK_MEDIUM_AND_ABOVE' },
						{ name: 'Filter Off', value: 'OFF' },
					],
					default: 'BLOCK_MEDIUM_AND_ABOVE',
				},
			],
		},
	],
};

const builtInToolsField: INodeProperties = {
	displayName: 'Built-in Tools',
	name: 'tools',
	type: 'multiOptions',
	options: [
		{
			name: 'Code Execution',
			value: 'codeExecution',
			description: 'Allow the model to write and run code',
		},
		{
			name: 'Google Maps',
			value: 'googleMaps',
			description: 'Allow the model to look up places, near Location Latitude and Longitude if set',
		},
		{
			name: 'Google Search',
			value: 'googleSearch',
			description: 'Allow the model to search the web',
		},
		{
			name: 'URL Context',
			value: 'urlContext',
			description: 'Allow the model to read web pages mentioned in the prompt',
		},
	],
	default: [],
	description:
		'Tools that the service runs for the model. They may cost extra. Not every model supports it.',
};

const latitudeField: INodeProperties = {
	displayName: 'Location Latitude',
	name: 'latitude',
	type: 'number',
	typeOptions: { minValue: -90, maxValue: 90, numberPrecision: 6 },
	default: 0,
	description: 'The place that Google Maps searches around. Set Location Longitude as well.',
};

const longitudeField: INodeProperties = {
	displayName: 'Location Longitude',
	name: 'longitude',
	type: 'number',
	typeOptions: { minValue: -180, maxValue: 180, numberPrecision: 6 },
	default: 0,
	description: 'The place that Google Maps searches around. Set Location Latitude as well.',
};

/** The prebuilt voices, each with the vendor's description. */
const VOICES = [
	...['Achernar: Soft', 'Achird: Friendly', 'Algenib: Gravelly', 'Algieba: Smooth'],
	...['Alnilam: Firm', 'Aoede: Breezy', 'Autonoe: Bright', 'Callirrhoe: Easy-going'],
	...['Charon: Informative', 'Despina: Smooth', 'Enceladus: Breathy', 'Erinome: Clear'],
	...['Fenrir: Excitable', 'Gacrux: Mature', 'Iapetus: Clear', 'Kore: Firm', 'Laomedeia: Upbeat'],
	...['Leda: Youthful', 'Orus: Firm', 'Puck: Upbeat', 'Pulcherrima: Forward'],
	...['Rasalgethi: Informative', 'Sadachbia: Lively', 'Sadaltager: Knowledgeable'],
	...['Schedar: Even', 'Sulafat: Warm', 'Umbriel: Easy-going', 'Vindemiatrix: Gentle'],
	...['Zephyr: Bright', 'Zubenelgenubi: Casual'],
];

const voiceField: INodeProperties = {
	displayName: 'Voice',
	name: 'voice',
	type: 'options',
	options: VOICES.map((voice) => {
		const [name, description] = voice.split(': ');
		return { name, value: name, description };
	}),
	default: 'Kore',
	description:
		'The voice of generated speech, for models that speak. Set Response Modalities to Audio as well.',
};

/** The options are sorted by display name, as n8n sorts collections. */
export const contentOptionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		aspectRatioField,
		{
			displayName: 'Batch Concurrency',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100 },
			default: 5,
			description:
				'How many requests to send to the service at the same time. The value of the first item applies to all items.',
		},
		builtInToolsField,
		{
			displayName: 'Candidate Count',
			name: 'candidateCount',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 8 },
			default: 1,
			description:
				'How many answers to generate. All of them are billed, and returned in the field candidates. Not every model supports it.',
		},
		{
			displayName: 'Conversation (JSON)',
			name: 'conversationJson',
			type: 'json',
			default: '[]',
			placeholder: 'e.g. [{ "role": "user", "text": "Hello" }, { "role": "model", "text": "Hi" }]',
			description:
				'Earlier turns as a JSON array, for conversations that come from an expression. They come before the turns of Conversation. In the place of text a turn can have parts of the native protocol, such as { "role": "user", "parts": [{ "fileData": { "fileUri": "https://example.com/talk.mp4" } }, { "text": "..." }] }. In inlineData, "data": "[binary field data]" stands for the bytes of that binary field.',
		},
		{
			displayName: 'Extra Fields (JSON)',
			name: 'extraFields',
			type: 'json',
			default: '{}',
			placeholder: 'e.g. { "generationConfig": { "mediaResolution": "MEDIA_RESOLUTION_LOW" } }',
			description:
				'Additional fields for the request body, as in the native protocol. What is set elsewhere in this node takes precedence, key by key. Contents are sent as the first turns of the conversation. The service may silently drop fields that it does not know.',
		},
		fileUrlsField,
		{
			displayName: 'Frequency Penalty',
			name: 'frequencyPenalty',
			type: 'number',
			typeOptions: { minValue: -2, maxValue: 2, numberPrecision: 2 },
			default: 0,
			description:
				'Above 0, words become less likely the more often they have been used. Not every model supports it.',
		},
		imageSizeField,
		includeThoughtsField,
		latitudeField,
		longitudeField,
		maxOutputTokensField,
		{
			displayName: 'Output Binary Field',
			name: 'binaryProperty',
			type: 'string',
			default: 'data',
			description:
				'The name of the output binary field to put a generated image or other file in. Further files get the suffixes _1, _2 and so on.',
		},
		{
			displayName: 'Presence Penalty',
			name: 'presencePenalty',
			type: 'number',
			typeOptions: { minValue: -2, maxValue: 2, numberPrecision: 2 },
			default: 0,
			description:
				'Above 0, words that have already been used become less likely. Not every model supports it.',
		},
		{
			displayName: 'Response Modalities',
			name: 'responseModalities',
			type: 'multiOptions',
			options: [
				{ name: 'Audio', value: 'AUDIO' },
				{ name: 'Image', value: 'IMAGE' },
				{ name: 'Text', value: 'TEXT' },
			],
			default: ['TEXT'],
			description: 'What the answer may contain, for models that generate more than text',
		},
		{
			displayName: 'Reuse Answers on Retry',
			name: 'reuseAnswers',
			type: 'boolean',
			default: true,
			description:
				'Whether Retry On Fail uses the complete answers of the earlier try, which are already paid for, instead of asking for new ones',
		},
		safetySettingsField,
		{
			displayName: 'Seed',
			name: 'seed',
			type: 'number',
			default: 0,
			description: 'The same seed and prompt produce similar answers',
		},
		{
			displayName: 'Stop Sequences',
			name: 'stopSequences',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Stop Sequence' },
			default: [],
			placeholder: 'e.g. END',
			description:
				'Texts that end the answer when the model generates them. They are not included in the answer.',
		},
		temperatureField,
		thinkingBudgetField,
		thinkingLevelField,
		textTimeoutField,
		{
			displayName: 'Top K',
			name: 'topK',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 40,
			description:
				'How many of the most likely words to choose the next one from. Not every model supports it.',
		},
		topPField,
		voiceField,
	],
};
