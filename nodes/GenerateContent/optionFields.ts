import type { INodeProperties } from 'n8n-workflow';

import {
	leaveOutInputFieldsField,
	optionsField,
	outputBinaryField,
	rawResponseField,
} from '../shared/fields/common';

const additionalFieldsField: INodeProperties = {
	displayName: 'Additional Fields (JSON)',
	name: 'additionalFields',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "generationConfig": { "mediaResolution": "MEDIA_RESOLUTION_LOW" } }',
	description: 'Fields to add to the request. They override other settings.',
};

const builtInToolsField: INodeProperties = {
	displayName: 'Built-in Tools',
	name: 'builtInTools',
	type: 'multiOptions',
	options: [
		{ name: 'Code Execution', value: 'codeExecution', description: 'Write and run code' },
		{ name: 'Google Maps', value: 'googleMaps', description: 'Look up places' },
		{ name: 'Google Search', value: 'googleSearch', description: 'Search the web' },
		{
			name: 'URL Context',
			value: 'urlContext',
			description: 'Read web pages that the prompt names',
		},
	],
	default: [],
	description:
		'Tools that the model can use. They may cost extra, and some models do not support them.',
};

const conversationField: INodeProperties = {
	displayName: 'Conversation',
	name: 'conversation',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Turn',
	default: {},
	description: 'Earlier turns, oldest first. The prompt comes after them.',
	options: [
		{
			displayName: 'Turn',
			name: 'turns',
			values: [
				{
					displayName: 'Role',
					name: 'role',
					type: 'options',
					options: [
						{ name: 'User', value: 'user' },
						{ name: 'Model', value: 'model' },
						{ name: 'Multiple Turns (JSON)', value: 'json', description: 'A list of turns' },
					],
					default: 'user',
				},
				{
					displayName: 'Text',
					name: 'text',
					type: 'string',
					typeOptions: { rows: 2 },
					default: '',
					placeholder: 'e.g. Where is the Eiffel Tower?',
					displayOptions: { hide: { role: ['json'] } },
				},
				{
					displayName: 'Turns (JSON)',
					name: 'json',
					type: 'json',
					default: '[]',
					displayOptions: { show: { role: ['json'] } },
					hint: 'For example: [{ "role": "user", "text": "Hello" }, { "role": "model", "text": "Hi" }]',
					description:
						'Each turn has a role and a text, or is the field content of an earlier item',
				},
			],
		},
	],
};

const fileUrlsField: INodeProperties = {
	displayName: 'File URLs',
	name: 'fileUrls',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add File URL',
	default: {},
	description: 'Files that the model opens by itself, such as YouTube videos',
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
					description: 'An https or gs:// URL. An expression can also return an array of URLs.',
				},
				{
					displayName: 'Media Type',
					name: 'mediaType',
					type: 'options',
					options: [
						{ name: 'CSV', value: 'text/csv' },
						{ name: 'FLAC Audio', value: 'audio/flac' },
						{ name: 'HTML', value: 'text/html' },
						{ name: 'JPEG Image', value: 'image/jpeg' },
						{
							name: 'Let the Service Decide',
							value: '',
							description:
								'Works for YouTube videos. For other files, some services need the type.',
						},
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
					default: '',
					description:
						'The type of the file. Use an expression for any other type, such as audio/aac.',
				},
			],
		},
	],
};

const safetySettingsField: INodeProperties = {
	displayName: 'Safety Settings',
	name: 'safetySettings',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Setting',
	default: {},
	description: 'What the safety filter blocks. Not every account can relax the filter.',
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

/** Each generation of models has its own; for names that do not tell theirs, both are shown. */
const hiddenFor = (models: RegExp): Pick<INodeProperties, 'displayOptions'> => ({
	displayOptions: { hide: { '/model': [{ _cnd: { regex: models.source } }] } },
});

const thinkingField: INodeProperties = {
	displayName: 'Thinking',
	name: 'thinking',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'How much the model thinks before it answers. Not supported by every model.',
	options: [
		{
			displayName: 'Include Thoughts',
			name: 'includeThoughts',
			type: 'boolean',
			default: true,
			description: 'Whether to return a summary of the thinking in the field thoughts',
		},
		{
			displayName: 'Thinking Budget',
			name: 'budget',
			type: 'number',
			typeOptions: { minValue: -1 },
			default: -1,
			...hiddenFor(/gemini-[3-9]/),
			description:
				'The most tokens to use for thinking. -1 lets the model decide, 0 turns thinking off.',
		},
		{
			displayName: 'Thinking Level',
			name: 'level',
			type: 'options',
			options: [
				{ name: 'Minimal', value: 'minimal' },
				{ name: 'Low', value: 'low' },
				{ name: 'Medium', value: 'medium' },
				{ name: 'High', value: 'high' },
			],
			default: 'high',
			...hiddenFor(/gemini-[12]/),
			description: 'How much the model thinks. Not every model supports every level.',
		},
	],
};

export const contentOptionsField = optionsField(
	additionalFieldsField,
	builtInToolsField,
	conversationField,
	fileUrlsField,
	leaveOutInputFieldsField,
	{
		displayName: 'Max Output Tokens',
		name: 'maxOutputTokens',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 65536,
		description: 'The most tokens to generate, including thinking. Longer answers are cut off.',
	},
	{
		...outputBinaryField,
		hint: 'The name of the output binary field to put a generated file in. Further files get _1, _2 and so on.',
	},
	rawResponseField,
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
		description: 'The model stops before it writes one of these texts',
	},
	{
		displayName: 'Temperature',
		name: 'temperature',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 2, numberPrecision: 2 },
		default: 1,
		description: 'The randomness of the answer. Lower values make it more predictable.',
	},
	thinkingField,
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 300,
		description:
			'How long to wait for the answer or its next part. A late answer may still be billed.',
	},
	{
		displayName: 'Top P',
		name: 'topP',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
		default: 0.95,
		description:
			'The share of likely words to choose from. Lower values leave out less likely words.',
	},
);
