import type { INodeProperties } from 'n8n-workflow';

import {
	maxOutputTokensField,
	temperatureField,
	textTimeoutField,
	topPField,
} from '../shared/fields/sampling';
import {
	includeThoughtsField,
	thinkingBudgetField,
	thinkingLevelField,
} from '../shared/fields/thinking';
import { aspectRatioField, fileUrlsField, imageSizeField } from './mediaFields';
import { safetySettingsField } from './safetyFields';
import { builtInToolsField, latitudeField, longitudeField } from './toolFields';
import { voiceField } from './voiceField';

const NOT_EVERYWHERE = 'Not every model supports it.';

/** In the order of their display names, as n8n sorts collections. */
export const optionsField: INodeProperties = {
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
			description: `How many answers to generate. All of them are billed, and returned in the field candidates. ${NOT_EVERYWHERE}`,
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
				'Whether a retry of this execution uses the complete answers that are already paid for instead of asking for new ones',
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
