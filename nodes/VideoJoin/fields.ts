import type { INodeProperties } from 'n8n-workflow';

import {
	leaveOutInputFieldsField,
	linkField,
	optionsField,
	outputBinaryField,
} from '../shared/fields/common';

export const videoJoinFields: INodeProperties[] = [
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		typeOptions: { binaryDataProperty: true },
		default: 'data',
		required: true,
		hint: 'The name of the input binary field containing the clip, or the sound of the film',
		description:
			'The name that the input panel shows for the file under Binary. MP3, M4A, AAC or WAV become the sound of the film.',
	},
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. film.mp4',
		description: 'The name of the joined video. The default is the value of Group By, or film.mp4.',
	},
	optionsField(
		{
			displayName: 'Allow Missing Shots',
			name: 'allowMissingShots',
			type: 'boolean',
			default: true,
			description:
				'Whether to join the remaining clips if others failed. If off, the node refuses a film that lacks a shot.',
		},
		{
			displayName: 'Group By',
			name: 'groupBy',
			type: 'string',
			requiresDataPath: 'single',
			default: '',
			placeholder: 'e.g. film',
			description:
				'The name of an input field. Items with the same value become one video, in their order.',
		},
		{
			...leaveOutInputFieldsField,
			description:
				"Whether to return only the node's own fields, without the fields of the first clip",
		},
		linkField,
		outputBinaryField,
		{
			displayName: 'Sound',
			name: 'sound',
			type: 'options',
			options: [
				{ name: 'Keep', value: 'keep' },
				{ name: 'Remove', value: 'remove' },
			],
			default: 'keep',
			description: 'What to do with the sound of the clips',
		},
		{
			displayName: 'Sound Binary Field',
			name: 'soundBinaryField',
			type: 'string',
			typeOptions: { binaryDataProperty: true },
			default: '',
			placeholder: 'e.g. voice',
			hint: 'The name of the input binary field containing the sound of the film, beside the clip in the same item',
			description: 'It replaces the sound of the clips. A film takes one.',
		},
	),
];
